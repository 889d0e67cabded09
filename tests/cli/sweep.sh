#!/bin/sh
# sweep.sh: a sweep that is killed at many moments and gone on with gives the bytes of one that was left in peace, and so
# do its shards, merged.
# Usage: tests/cli/sweep.sh PATH_OF_RETRYSTORM [full]
set -eu
program=$1
runs=10
kills=5
[ "${2:-}" != full ] || { runs=100; kills=20; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/small.yaml" <<'YAML'
version: 1
title: A small world
duration: 60s
policies:
  app: {delay: exponential, base: 200ms, attempts: 4}
clients:
  web: {count: 50, arrivals: {poisson: 30/s}, calls: {to: api, timeout: 1s, retry: app}}
services:
  api: {workers: 4, service_time: {exponential: 50ms}, queue: {limit: 40}}
faults:
  - {service: api, kind: hang, at: 20s, for: 5s}
YAML
fail() {
    echo "sweep.sh: $1"
    exit 1
}
become_sweep() { # FILE [option]...
    file=$1
    shift
    exec "$program" sweep "$scratch/small.yaml" --vary policies.app.base=50ms..2s/log/10 \
        --vary clients.web.arrivals.poisson=20/s..90/s/10 -n "$runs" -o "$file" "$@"
}
sweep() {
    (become_sweep "$@")
}
expect() { # CODE WORDS FILE [option]...
    code=0
    wanted=$1
    words=$2
    shift 2
    sweep "$@" >/dev/null 2>"$scratch/said" || code=$?
    [ "$code" -eq "$wanted" ] || fail "exit $code, not $wanted: $(cat "$scratch/said")"
    grep -q -- "$words" "$scratch/said" || fail "'$words' was not said: $(cat "$scratch/said")"
}

begun=$(date +%s%N)
sweep "$scratch/whole.sqlite" --quiet >"$scratch/table"
took=$(($(date +%s%N) - begun))
grep -q '^100 points, ' "$scratch/table" || fail "there is no table"

# Every kill hits a program that lives; a sweep that gets to its end before is compared and begun anew.
dead=0
went_on=0
moment=7
while [ "$dead" -lt "$kills" ]; do
    moment=$(((moment * 37 + 11) % 101)) # some percent of the time that it takes in peace
    become_sweep "$scratch/killed.sqlite" --no-progress -j $((dead % 3 + 1)) >/dev/null 2>"$scratch/said" &
    victim=$!
    sleep "$(awk "BEGIN { print $took * $moment / 100 / 1e9 }")"
    if kill -9 "$victim" 2>/dev/null; then
        dead=$((dead + 1))
    fi
    wait "$victim" 2>/dev/null || true
    ! grep -q 'going on' "$scratch/said" || went_on=$((went_on + 1))
    if grep -q -v 'going on\|is finished\|^runs ' "$scratch/said"; then fail "$(cat "$scratch/said")"; fi
    if cmp -s "$scratch/whole.sqlite" "$scratch/killed.sqlite"; then rm "$scratch/killed.sqlite"; fi
done
[ "$went_on" -gt 0 ] || fail "no sweep was gone on with: the moments are wrong"
sweep "$scratch/killed.sqlite" --quiet >"$scratch/again"
cmp "$scratch/table" "$scratch/again" || fail "another table after $kills kills"
cmp "$scratch/whole.sqlite" "$scratch/killed.sqlite" || fail "other bytes after $kills kills"
[ ! -e "$scratch/killed.sqlite-journal" ] || fail "a journal is left"
echo "killed $kills times, gone on with $went_on times: the bytes of a sweep in peace"

# Shards, one of them killed; other threads; joined in another order.
for shard in 1 2 3 4; do
    if [ "$shard" = 3 ]; then
        become_sweep "$scratch/shard-3.sqlite" --shard 3/4 --quiet &
        victim=$!
        sleep "$(awk "BEGIN { print $took / 8 / 1e9 }")"
        kill -9 "$victim" 2>/dev/null || true
        wait "$victim" 2>/dev/null || true
    fi
    sweep "$scratch/shard-$shard.sqlite" --shard "$shard/4" --quiet -j "$shard"
done
"$program" merge "$scratch/shard-3.sqlite" "$scratch/shard-1.sqlite" "$scratch/shard-4.sqlite" \
    "$scratch/shard-2.sqlite" -o "$scratch/merged.sqlite" --quiet >"$scratch/again"
cmp "$scratch/whole.sqlite" "$scratch/merged.sqlite" || fail "other bytes after a merge"
cmp "$scratch/table" "$scratch/again" || fail "another table after a merge"
echo "4 shards, merged: the bytes of one machine"

# What else may happen to it.
expect 0 "is finished" "$scratch/whole.sqlite"
expect 3 "its seed is 1, not 2" "$scratch/whole.sqlite" --seed 2
expect 3 "it has nothing set, not .policies.app.attempts=5" "$scratch/whole.sqlite" --set policies.app.attempts=5
expect 3 "is a whole sweep, not shard 1/2" "$scratch/whole.sqlite" --shard 1/2
echo "This is no sweep, but a text that is longer than the head of a file of SQLite is: a hundred bytes, give or take some." \
    >"$scratch/text.sqlite"
expect 3 "no SQLite file" "$scratch/text.sqlite"
expect 4 "missing" "$scratch/missing/x.sqlite"
(
    ulimit -f 100
    expect 4 "full.sqlite" "$scratch/full.sqlite"
)
become_sweep "$scratch/stopped.sqlite" --quiet >/dev/null 2>&1 &
victim=$!
sleep "$(awk "BEGIN { print $took / 4 / 1e9 }")"
kill -STOP "$victim"
expect 4 "in use by another program" "$scratch/stopped.sqlite"
kill -CONT "$victim"
kill -INT "$victim"
code=0
wait "$victim" || code=$?
[ "$code" -eq 130 ] || fail "exit $code after Ctrl-C"
sweep "$scratch/stopped.sqlite" --quiet >/dev/null
cmp "$scratch/whole.sqlite" "$scratch/stopped.sqlite" || fail "other bytes after Ctrl-C"
echo "what is no sweep, another one, held by another program, or too large for the disk is said to be so"
