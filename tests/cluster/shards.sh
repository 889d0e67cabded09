#!/bin/sh
# shards.sh: what docs/cluster.md and docs/cluster tell others to do is done on this machine: its line for xargs, the
# commands of the Slurm script as a scheduler would start them, and those of the containers. All give one machine's bytes.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/cluster/shards.sh PROGRAM. (tests/cluster/slurm.sh has a real Slurm.)
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(cd "$(dirname "$1")" && pwd)
PATH=$bin:$PATH
export PATH
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"

fail() {
    echo "shards: $*"
    exit 1
}

same() { # file, what made it
    cmp -s one/sweep.sqlite "$1" || fail "$2 makes another file than one machine"
}

vary="--vary services.api.queue.limit=20..320/log/5 --vary policies.app.attempts=1,2,4,8"
for place in one xargs slurm kubernetes; do
    mkdir $place
    cp "$top/scenarios/08-queue-too-long.yaml" $place/scenario.yaml
done
# shellcheck disable=SC2086
(cd one && retrystorm sweep scenario.yaml $vary --runs 2 --quiet -o sweep.sqlite >/dev/null)

# The first block of the page after the word for this test.
awk '/^<!-- tested: xargs -->/ { here = 1 } here && /^```$/ { exit } here && text { print } here && /^```sh/ { text = 1 }' \
    "$top/docs/cluster.md" >xargs.sh
grep -q -- '--shard' xargs.sh || fail "docs/cluster.md has no line for xargs"
(cd xargs && sh ../xargs.sh >/dev/null)
same xargs/sweep.sqlite "the line for xargs"

# A task is told its number by its environment; the job without one merges.
slurm() { # variables...
    # shellcheck disable=SC2086
    (cd slurm && env SLURM_JOB_ID=1 "$@" sh "$top/docs/cluster/sweep.slurm" 3 sweep.sqlite scenario.yaml $vary --runs 2 >/dev/null)
}
for task in 1 2; do slurm SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=2; done
if slurm 2>said; then fail "two shards of three are merged"; fi
slurm SLURM_ARRAY_TASK_ID=3
slurm
same slurm/sweep.sqlite "the script for Slurm"

# Each line: the environment and the command of a container, as shell.
python3 "$top/tests/cluster/kubernetes.py" "$top/docs/cluster/kubernetes-sweep.yaml" "$top/docs/cluster/kubernetes-merge.yaml" \
    >kubernetes.sh || { cat kubernetes.sh; fail "the manifests are not what they should be"; }
(cd kubernetes && sh ../kubernetes.sh >/dev/null)
same kubernetes/sweep.sqlite "the containers"
echo "shards: one machine, xargs, Slurm's tasks and Kubernetes' containers: the same bytes"
