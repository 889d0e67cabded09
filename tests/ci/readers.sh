#!/bin/sh
# readers.sh: a validator that is not ours, from npm, takes the action and the workflows by the public JSON schemas.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/ci/readers.sh FOLDER (where the validator is installed; what is there is used again).
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    echo "skipped: there is no npm"
    exit 0
fi
mkdir -p "$1"
cd "$1"
validator=./node_modules/.bin/action-validator
# Without the prefix it would go to a folder above that has packages already.
[ -x $validator ] || npm install --prefix . --no-audit --no-fund --silent @action-validator/core@0.6.0 @action-validator/cli@0.6.0
for file in .github/actions/check/action.yml .github/workflows/test.yml docs/ci/github-workflow.yml; do
    $validator "$top/$file"
done
sed 's/using: composite/using: composites/' "$top/.github/actions/check/action.yml" >action.yml
if $validator action.yml >/dev/null 2>&1; then
    echo "readers: what is wrong is taken, too"
    exit 1
fi
echo "readers: the action and the workflows are what the public schemas say"
