#!/bin/sh
# viewer.sh: a reader of traces that is not ours, from npm, reads traces of several scenarios.
# SPDX-License-Identifier: GPL-3.0-or-later
# viewer.sh PROGRAM FOLDER (where the reader is installed and the traces are written)
set -eu
program=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    echo "skipped: there is no npm"
    exit 0
fi
mkdir -p "$2"
cd "$2"
[ -d node_modules/@tracerbench/trace-model ] || npm install --prefix . --no-audit --no-fund --silent @tracerbench/trace-model@8.0.0
scenarios="$source/scenarios"
"$program" trace "$scenarios/01-thundering-herd.yaml" --from 79s --to 80.5s -o herd.json
"$program" trace "$scenarios/01-thundering-herd.yaml" --request dead --format chrome -o request.json
"$program" trace "$scenarios/02b-layers-recovering.yaml" --from 50s --to 60s -o layers.json
"$program" trace "$scenarios/09-poison-message.yaml" --from 0s --to 60s -o messages.json
"$program" trace "$scenarios/16-breaker-inside-outside.yaml" --from 55s --to 70s -o breakers.json
NODE_PATH=$PWD/node_modules node "$source/tests/schema/viewer.cjs" herd.json request.json layers.json messages.json breakers.json
