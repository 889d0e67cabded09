#!/bin/sh
# bench.sh: the event queue against plain heaps, and the whole simulator on the scenarios. CPU time; quote ratios of one run.
set -eu
build=$1
"$build/tests/bench/bench_hold"
"$build/tests/bench/bench_model" scenarios/*.yaml
