#!/bin/sh
# endurance.sh: the program is killed at twenty moments, and no output may be half a file; then ten million clients at once.
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
