#!/bin/sh
# compare.sh: the speed of this tree against another commit's, measured in turns in one run, so that a noisy machine is
# unfair to both alike: events of the whole simulator per second of CPU time, and instructions under callgrind.
# Usage: tests/bench/compare.sh COMMIT [ROUNDS]. The scenarios are the other commit's: both can read them.
# A ratio above 1 means that this tree is faster, or needs fewer instructions.
set -eu
cd "$(dirname "$0")/../.."
commit=$(git rev-parse --verify --short=12 "$1^{commit}")
rounds=${2:-5}
other=build/bench-$commit
mkdir -p "$other"

build() { # source, build folder
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O2 -g1" >/dev/null
    cmake --build "$2" --target bench_model retrystorm >"$2/log" 2>&1 || { grep -E 'error|FAILED' "$2/log"; exit 1; }
}

if [ ! -e "$other/tree/CMakeLists.txt" ]; then
    git worktree prune
    git worktree add --quiet --detach "$PWD/$other/tree" "$commit"
fi
build "$other/tree" "$other/build"
build . build/bench-here

measure() { # side, program
    "$2" "$other"/tree/scenarios/*.yaml | sed "s/^/$1 /"
}

for round in $(seq "$rounds"); do
    # Who goes first changes from round to round.
    if [ $((round % 2)) = 1 ]; then
        measure there "$other/build/tests/bench/bench_model"
        measure here build/bench-here/tests/bench/bench_model
    else
        measure here build/bench-here/tests/bench/bench_model
        measure there "$other/build/tests/bench/bench_model"
    fi
done >"$other/rounds.txt"

# Each line: side, scenario, variant, count "events", rate "M events/s" ...; the ratio of a round, and their median.
awk -v commit="$commit" '
    function median(list, n,   i, j, t) {
        for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
        return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    {
        key = $2 " " $3
        if (!(key in seen)) { seen[key] = 1; order[++keys] = key }
        n = ++count[$1, key]
        rate[$1, key, n] = $6
        events[$1, key] = $4
    }
    END {
        printf "%-52s %12s %12s %9s\n", "M events/s of CPU time, median", commit, "this tree", "ratio"
        for (k = 1; k <= keys; k++) {
            key = order[k]
            n = count["here", key]
            for (i = 1; i <= n; i++) {
                ratios[i] = rate["here", key, i] / rate["there", key, i]
                a[i] = rate["there", key, i]; b[i] = rate["here", key, i]
            }
            middle = median(ratios, n)
            product += log(middle)
            note = events["here", key] == events["there", key] ? "" : "  (" events["there", key] " events, now " events["here", key] ")"
            printf "%-52s %12.2f %12.2f %9.3f%s\n", key, median(a, n), median(b, n), middle, note
        }
        printf "%-52s %35.3f\n", "geometric mean of the ratios", exp(product / keys)
    }' "$other/rounds.txt"

if ! command -v valgrind >/dev/null; then
    echo "no valgrind here: instructions are not counted"
    exit
fi
instructions() { # program, scenario
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" run "$2" --runs 1 --threads 1 --quiet 2>&1 >/dev/null |
        sed -n 's/^==[0-9]*== Collected : //p'
}
printf '%-52s %12s %12s %9s\n' "million instructions, one run" "$commit" "this tree" ratio
for scenario in "$other"/tree/scenarios/0[123]-*.yaml; do
    there=$(instructions "$other/build/retrystorm" "$scenario")
    here=$(instructions build/bench-here/retrystorm "$scenario")
    awk -v name="${scenario##*/}" -v there="$there" -v here="$here" \
        'BEGIN { printf "%-52s %12.1f %12.1f %9.3f\n", name, there / 1e6, here / 1e6, there / here }'
done
