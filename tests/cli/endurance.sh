#!/bin/sh
# endurance.sh: the program is killed at many moments, and no output may be half a file; then ten million clients at once.
# Usage: tests/cli/endurance.sh PATH_OF_RETRYSTORM
set -eu
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for moment in 0.05 0.1 0.2 0.3 0.5 0.7 0.9 1.1 1.3 1.5 1.7 1.9 2.1 2.3 2.5 2.7 2.9 3.1 3.3 3.5; do
    rm -rf "$scratch/out"
    "$program" compare scenarios/01-thundering-herd.yaml --variant full-jitter --runs 4 --quiet \
        --out-dir "$scratch/out" >/dev/null 2>&1 &
    victim=$!
    sleep "$moment"
    kill -9 "$victim" 2>/dev/null || true
    wait "$victim" 2>/dev/null || true
    for file in "$scratch"/out/*.json; do
        [ -e "$file" ] || continue
        "$program" plot "$file" -o "$scratch/again.svg" || { echo "half a result after $moment s"; exit 1; }
    done
    for file in "$scratch"/out/*.jsonl "$scratch"/out/*.csv "$scratch"/out/*.svg; do
        [ -e "$file" ] && [ -s "$file" ] || continue
        [ "$(tail -c 1 "$file" | od -An -c | tr -d ' ')" = '\n' ] || { echo "half of $file after $moment s"; exit 1; }
    done
done
echo "killed 20 times: no half file"

# A replay of dead letters is killed at 200 moments from its start to its end. Whatever it has written is whole and says
# how far it came; a second replay then sends the rest, so that no letter is ever sent twice.
lab=scenarios/labs/dead-letters.yaml
letters=$scratch/letters.jsonl
audit=$letters.audit.jsonl
"$program" run "$lab" --variant incident --runs 1 --quiet --dead-letters "$letters" >/dev/null
set -- "$program" dlq replay "$letters" --scenario "$lab" --variant repaired --set 'services.db.errors={503: 40%}' \
    --set policies.booking.attempts=2 --rate 20/s --force --output "$scratch/again.jsonl"
fail() {
    echo "killed at moment $moment of 200: $1"
    cp "$audit" endurance.audit.jsonl
    exit 1
}
count() { # of a kind of line in the audit file
    grep -c "^{\"event\": \"$1\"" "$audit" || true
}
state() { # of the letters, from the statistics
    echo "$stats" | sed -n "s/.*\"by_state\": {.*\"$1\": \([0-9]*\).*/\1/p"
}
begun=$(date +%s%N)
"$@" >/dev/null 2>&1 || [ $? -eq 1 ] || { echo "the replay itself fails"; exit 1; }
took=$(($(date +%s%N) - begun))
cut=0
ended=0
moment=0
while [ "$moment" -lt 200 ]; do
    moment=$((moment + 1))
    rm -f "$audit" "$scratch"/again.jsonl*
    "$@" >/dev/null 2>&1 &
    victim=$!
    sleep "$(awk "BEGIN { print $took * $moment / 190 / 1e9 }")"
    kill -9 "$victim" 2>/dev/null || true
    wait "$victim" 2>/dev/null || true
    [ -e "$audit" ] || continue
    stats=$("$program" dlq stats "$letters" --format json) || fail "the audit file cannot be read"
    sent=$(count sent)
    known=$(($(count succeeded) + $(count dead)))
    doubt=$(state in_doubt)
    [ "${doubt:-0}" -eq $((sent - known)) ] || fail "$sent sent, $known ended, but ${doubt:-0} in doubt"
    if [ "$(count ended)" -eq 1 ]; then
        ended=$((ended + 1))
        [ "$(wc -l <"$scratch/again.jsonl")" -eq "$(count dead)" ] || fail "the letters that died again are not all there"
    elif [ "$(count begun)" -eq 1 ]; then
        cut=$((cut + 1))
        echo "$stats" | grep -q '"ended": false' || fail "it does not say that it was cut short"
    fi
    if [ -e "$scratch/again.jsonl" ]; then
        "$program" dlq ls "$scratch/again.jsonl" >/dev/null || fail "half a file of letters"
    fi
    "$@" >/dev/null 2>&1 || true
    [ -z "$(grep '^{"event": "sent"' "$audit" | grep -o '"trace_id": "[0-9a-f]*"' | sort | uniq -d)" ] ||
        fail "a letter was sent twice"
done
[ "$cut" -gt 0 ] || { echo "no replay was cut short: the moments are wrong"; exit 1; }
echo "a replay was killed 200 times: $cut were cut short, $ended had ended; every file is whole, no letter was sent twice"

cat >"$scratch/ten-million.yaml" <<'YAML'
version: 1
title: Ten million clients reconnect at once
question: Does the simulator hold them?
duration: 60s
policies:
  app: {delay: full-jitter, base: 1s, cap: 20s, attempts: 3}
clients:
  herd: {count: 10M, arrivals: {at: 1s}, calls: {to: api, timeout: 5s, network: {exponential: 30ms}, retry: app}}
services:
  api: {workers: 1000, service_time: {exponential: 1ms}, queue: {limit: 100k}}
YAML
"$program" run "$scratch/ten-million.yaml" --runs 1 --quiet --format json >"$scratch/ten.json"
grep -q '"requests": {' "$scratch/ten.json"
grep -A 12 '"requests": {' "$scratch/ten.json" | grep -q 10000000
echo "ten million clients: every one accounted for"
