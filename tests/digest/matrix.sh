#!/bin/sh
# matrix.sh: builds the core under every compiler, optimisation and processor, and requires the same digests of all.
# Usage: tests/digest/matrix.sh BUILD_DIR. Cells whose compiler or emulator is missing are left out, and that is said;
# with STORM_FULL=1 they must be there.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
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

# A cell leaves BUILD_DIR/NAME.THREADS.txt: its digests with so many threads.
cell() { # name, numbers of threads (1,4), tunables or -, emulator or -, compiler and flags...
    name=$1 numbers=$2 tunables=$3 emulator=$4
    shift 4
    [ "$tunables" != - ] || tunables=
    [ "$emulator" != - ] || emulator=
    compile "$out/$name.program" "$@" || { echo "cell $name: does not compile"; exit 1; }
    for threads in $(echo "$numbers" | tr , ' '); do
        # shellcheck disable=SC2086
        GLIBC_TUNABLES=$tunables $emulator "$out/$name.program" "$threads" "$top"/scenarios/*.yaml \
            "$top"/tests/digest/*.yaml >"$out/$name.$threads.txt" || { echo "cell $name: does not run"; exit 1; }
    done
}

if [ "${2:-}" = cell ]; then
    shift 2
    cell "$@"
    exit
fi

leave_out() { # what is missing
    echo "left out: $1"
    [ "${STORM_FULL:-0}" = 0 ] || exit 1
}

here() { command -v "$1" >/dev/null; }

has_arm() {
    here aarch64-linux-gnu-gcc && here qemu-aarch64 &&
        printf '#include <utf8proc.h>\n#include <yaml.h>\nint main(void) { return yaml_get_version_string() == 0; }\n' |
        aarch64-linux-gnu-gcc -x c -static -o "$out/arm-probe" - -lyaml -lutf8proc 2>/dev/null &&
        qemu-aarch64 "$out/arm-probe"
}

cells() { # one line a cell
    for compiler in gcc clang; do
        here "$compiler" || continue
        for optimisation in -O3 -O0; do
            threads=1,4
            [ "$optimisation" != -O0 ] || threads=4
            if [ "$(uname -m)" = x86_64 ]; then
                if grep -qw fma /proc/cpuinfo; then
                    echo "$compiler$optimisation-fma $threads - - $compiler $optimisation -mfma"
                fi
                echo "$compiler$optimisation-nofma $threads glibc.cpu.hwcaps=-FMA,-AVX2 - $compiler $optimisation -mno-fma"
            else
                echo "$compiler$optimisation $threads - - $compiler $optimisation"
            fi
        done
    done
    if [ "$(uname -m)" = x86_64 ] && has_arm; then
        echo "aarch64-O3 4 - qemu-aarch64 aarch64-linux-gnu-gcc -O3 -static"
        [ "${STORM_FULL:-0}" = 0 ] || echo "aarch64-O0 1 - qemu-aarch64 aarch64-linux-gnu-gcc -O0 -static"
    fi
}

rm -f "$out"/*.txt
cells >"$out/cells"
here gcc || leave_out "gcc"
here clang || leave_out "clang"
if [ "$(uname -m)" = x86_64 ] && ! grep -q aarch64 "$out/cells"; then
    leave_out "aarch64, which needs (dpkg --add-architecture arm64) $arm_packages"
fi
xargs -P "$(nproc)" -L 1 sh "$0" "$out" cell <"$out/cells"

reference=
while read -r name rest; do
    for result in "$out/$name".?.txt; do
        [ -n "$reference" ] || reference=$result
        if ! cmp -s "$reference" "$result"; then
            echo "digests differ in ${result##*/} ($rest):"
            diff "$reference" "$result" | head -n 5
            exit 1
        fi
    done
done <"$out/cells"
echo "$(wc -l <"$reference") digests are the same in $(find "$out" -name '*.txt' | wc -l) runs of $(wc -l <"$out/cells") cells: $(cut -d ' ' -f 1 "$out/cells" | tr '\n' ' ')"
