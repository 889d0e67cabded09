#!/bin/sh
# fuzz.sh: builds the fuzzers in a build folder and runs each for some seconds, two at a time, from the files of the tree.
# Usage: tests/fuzz/fuzz.sh BUILD_DIR SECONDS. Findings stay in BUILD_DIR/findings.
set -eu
build=$1
seconds=$2
cmake --build "$build" --target fuzz_scenario fuzz_result_json fuzz_baseline fuzz_letters fuzz_queue fuzz_words >"$build/fuzz.log" 2>&1 || {
    tail -n 20 "$build/fuzz.log"
    exit 1
}
mkdir -p "$build/findings"

fuzz() { # fuzzer, folders of first inputs
    name=$1
    shift
    mkdir -p "$build/corpus/$name"
    if "$build/tests/fuzz/$name" -max_total_time="$seconds" -seed=1 -max_len=8192 -timeout=20 -rss_limit_mb=2048 \
        -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" "$@" >"$build/$name.log" 2>&1; then
        echo "$name: $seconds s, nothing found ($(tail -n 1 "$build/$name.log"))"
    else
        tail -n 30 "$build/$name.log"
        echo "$name: a finding; see $build/findings"
        exit 1
    fi
}

two() { # process...
    for process in "$@"; do
        wait "$process" || exit 1
    done
}

fuzz fuzz_scenario scenarios tests/cli/broken tests/fuzz/scenarios &
first=$!
fuzz fuzz_result_json tests/fuzz/results &
two $first $!
fuzz fuzz_letters tests/fuzz/letters &
first=$!
fuzz fuzz_queue tests/fuzz/results &
two $first $!
fuzz fuzz_baseline tests/fuzz/baselines &
first=$!
fuzz fuzz_words tests/fuzz/words &
two $first $!
