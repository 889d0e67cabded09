#!/bin/sh
# matrix.sh: builds the core under every compiler, optimisation and processor flag, and requires the same digests of all.
# Usage: tests/digest/matrix.sh BUILD_DIR. Without clang on the machine its cells are left out, and that is said.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
out=$1
mkdir -p "$out"
flags=$(pkg-config --cflags yaml-0.1 libutf8proc)
libs=$(pkg-config --libs yaml-0.1 libutf8proc)
reference=
cells=0

compile() { # compiler, optimisation, processor flag, binary
    # One command a cell: every file of the layers that decide results, and the reader.
    "$1" -std=c17 "$2" "$3" -ffp-contract=off -fsigned-char -D_POSIX_C_SOURCE=200809L \
        -I"$top/include" -I"$top/sim" $flags -o "$4" "$top"/tests/digest/digest.c "$top"/sim/base/*.c "$top"/sim/engine/*.c \
        "$top"/sim/policy/*.c "$top"/sim/model/*.c "$top"/sim/record/*.c "$top"/sim/run.c "$top"/sim/trials/*.c \
        "$top"/sim/scenario/*.c $libs -lm -lpthread
}

compare() { # cell, threads, binary, tunables
    GLIBC_TUNABLES=$4 "$3" "$2" "$top"/scenarios/*.yaml >"$out/cell.txt"
    if [ -z "$reference" ]; then
        reference=$out/reference.txt
        cp "$out/cell.txt" "$reference"
    fi
    if ! cmp -s "$out/cell.txt" "$reference"; then
        echo "digests differ in cell $1, $2 threads:"
        diff "$reference" "$out/cell.txt" | head -n 5
        exit 1
    fi
    cells=$((cells + 1))
}

for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null; then
        echo "no $compiler here: its cells are left out"
        continue
    fi
    for optimisation in -O0 -O3; do
        for processor in -mfma -mno-fma; do
            tunables=
            [ "$(uname -m)" = x86_64 ] || processor=-g0
            if [ "$processor" = -mno-fma ]; then tunables=glibc.cpu.hwcaps=-FMA,-AVX2; fi
            if [ "$processor" = -mfma ] && ! grep -qw fma /proc/cpuinfo; then continue; fi
            compile "$compiler" "$optimisation" "$processor" "$out/digest"
            for threads in 1 4; do
                compare "$compiler $optimisation $processor" "$threads" "$out/digest" "$tunables"
            done
        done
    done
done
echo "$(wc -l <"$reference") digests are the same in $cells cells"
