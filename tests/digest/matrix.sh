#!/bin/sh
# matrix.sh: builds the core under every compiler, optimisation and processor, and requires the same digests of all.
# Usage: tests/digest/matrix.sh BUILD_DIR. Cells whose compiler or emulator is missing are left out, and that is said.
# An ordinary run has half of the cells, in which every two of compiler, optimisation and fused multiplication meet, and
# hears only the first facts of first runs where they are slow (without optimisation, under an emulator). STORM_FULL=1 has
# all cells, of all facts, and leaves out none.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
full=${STORM_FULL:-0}
arm_packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user libyaml-dev:arm64 libutf8proc-dev:arm64"

# One command a cell: every file of the layers that decide results, and the reader.
compile() { # binary, compiler and flags...
    binary=$1
    shift
    "$@" -std=c17 -ffp-contract=off -fsigned-char -D_POSIX_C_SOURCE=200809L -I"$top/include" -I"$top/sim" \
        -o "$binary" "$top"/tests/digest/digest.c "$top"/sim/base/*.c "$top"/sim/engine/*.c "$top"/sim/policy/*.c \
        "$top"/sim/model/*.c "$top"/sim/record/*.c "$top"/sim/run.c "$top"/sim/trials/*.c "$top"/sim/scenario/*.c \
        -lyaml -lutf8proc -lm -lpthread
}

# A cell leaves BUILD_DIR/NAME.FACTS.THREADS.txt: its digests with so many threads.
cell() { # name, few or many facts, numbers of threads (1,4), tunables or -, emulator or -, compiler and flags...
    name=$1 facts=$2 numbers=$3 tunables=$4 emulator=$5
    shift 5
    [ "$tunables" != - ] || tunables=
    [ "$emulator" != - ] || emulator=
    compile "$out/$name.program" "$@" || { echo "cell $name: does not compile"; exit 1; }
    for threads in $(echo "$numbers" | tr , ' '); do
        # shellcheck disable=SC2086
        GLIBC_TUNABLES=$tunables $emulator "$out/$name.program" "$threads" "$facts" "$top"/scenarios/*.yaml \
            "$top"/tests/digest/*.yaml >"$out/$name.$facts.$threads.txt" || { echo "cell $name: does not run"; exit 1; }
    done
}

if [ "${2:-}" = cell ]; then
    shift 2
    cell "$@"
    exit
fi

leave_out() { # what is missing
    echo "left out: $1"
    [ "$full" = 0 ] || exit 1
}

here() { command -v "$1" >/dev/null; }

has_arm() {
    [ "$(uname -m)" = x86_64 ] && here aarch64-linux-gnu-gcc && here qemu-aarch64 &&
        printf '#include <utf8proc.h>\n#include <yaml.h>\nint main(void) { return yaml_get_version_string() == 0; }\n' |
        aarch64-linux-gnu-gcc -x c -static -o "$out/arm-probe" - -lyaml -lutf8proc 2>/dev/null &&
        qemu-aarch64 "$out/arm-probe"
}

# All cells, one a line, the longest first; those of an ordinary run are marked: their facts and numbers of threads.
all_cells() {
    if has_arm; then
        echo "few,4 aarch64-O2 4 - qemu-aarch64 aarch64-linux-gnu-gcc -O2 -static"
        echo "- aarch64-O0 1 - qemu-aarch64 aarch64-linux-gnu-gcc -O0 -static"
    fi
    if [ "$(uname -m)" = x86_64 ]; then
        plain="glibc.cpu.hwcaps=-FMA,-AVX2"
        echo "many,1,4 gcc-O3-fma 1,4 - - gcc -O3 -mfma"
        echo "many,4 clang-O3-nofma 1,4 $plain - clang -O3 -mno-fma"
        echo "few,4 gcc-O0-nofma 4 $plain - gcc -O0 -mno-fma"
        echo "few,4 clang-O0-fma 4 - - clang -O0 -mfma"
        echo "- gcc-O3-nofma 1,4 $plain - gcc -O3 -mno-fma"
        echo "- clang-O3-fma 1,4 - - clang -O3 -mfma"
        echo "- gcc-O0-fma 4 - - gcc -O0 -mfma"
        echo "- clang-O0-nofma 4 $plain - clang -O0 -mno-fma"
    else
        echo "many,1,4 gcc-O3 1,4 - - gcc -O3"
        echo "many,4 clang-O3 1,4 - - clang -O3"
        echo "few,4 gcc-O0 4 - - gcc -O0"
        echo "few,4 clang-O0 4 - - clang -O0"
    fi
}

cells() {
    all_cells | while read -r ordinary name threads tunables emulator compiler flags; do
        here "$compiler" || continue
        case $name in *-fma) grep -qw fma /proc/cpuinfo || continue ;; esac
        if [ "$full" = 1 ]; then
            echo "$name many $threads $tunables $emulator $compiler $flags"
        elif [ "$ordinary" != - ]; then
            echo "$name ${ordinary%%,*} ${ordinary#*,} $tunables $emulator $compiler $flags"
        fi
    done
}

rm -f "$out"/*.txt "$out"/*.first
cells >"$out/cells"
here gcc || leave_out "gcc"
here clang || leave_out "clang"
if [ "$(uname -m)" = x86_64 ] && ! grep -q aarch64 "$out/cells"; then
    leave_out "aarch64, which needs (dpkg --add-architecture arm64) $arm_packages"
fi
xargs -P "$(nproc)" -L 1 sh "$0" "$out" cell <"$out/cells"

# Of few facts there is the first line of each first run: hash, scenario, variant, number.
set -- "$out"/*.many.*.txt
reference=$1
awk '$4 == 0 && !seen[$2, $3]++' "$reference" >"$out/reference.first"
for result in "$out"/*.txt; do
    wanted=$reference
    case $result in *.few.*) wanted=$out/reference.first ;; esac
    if ! cmp -s "$wanted" "$result"; then
        echo "digests differ in ${result##*/} from ${reference##*/}:"
        diff "$wanted" "$result" | head -n 5
        exit 1
    fi
done
echo "$(wc -l <"$reference") digests are the same in $(find "$out" -name '*.txt' | wc -l) runs of $(wc -l <"$out/cells") cells: $(cut -d ' ' -f 1 "$out/cells" | tr '\n' ' ')"
