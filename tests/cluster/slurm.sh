#!/bin/sh
# slurm.sh: docs/cluster/sweep.slurm on a real Slurm of one node: one of its tasks is requeued while it runs, as one that
# is lost with its node, the program of another is killed, and the merged file must have the bytes of one machine's sweep.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/cluster/slurm.sh PROGRAM. Everything is private: munged, slurmctld and slurmd listen on the loopback
# interface alone, run from a folder of their own, and are ended, with all their files, whatever happens. At most ten
# minutes. KEEP=1 keeps the folder.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
RETRYSTORM=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
for tool in munged slurmctld slurmd; do
    [ -n "$(PATH=$PATH:/usr/sbin command -v $tool)" ] || { echo "slurm: $tool is missing (slurm-wlm, munge)"; exit 1; }
done
PATH=$PATH:/usr/sbin
room=$(mktemp -d)
ends=$(($(date +%s) + 600))
export RETRYSTORM SLURM_CONF="$room/slurm.conf"
export SBATCH_PARTITION=one

# Daemons are ended by the numbers of those that were started here; slurmstepd ends with its job.
daemons=
clean_up() {
    code=$?
    trap - EXIT
    scancel --quiet --user="$(id -un)" 2>/dev/null || true
    for daemon in $daemons; do kill "$daemon" 2>/dev/null || true; done
    for daemon in $daemons; do wait "$daemon" 2>/dev/null || true; done
    [ $code = 0 ] || tail -n 20 "$room"/*.log "$room"/work/*.log 2>/dev/null || true
    if [ "${KEEP:-0}" = 1 ]; then echo "slurm: kept in $room"; else rm -rf "$room"; fi
    exit $code
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
    echo "slurm: $*"
    exit 1
}

wait_for() { # what is waited for, command that says whether it is there
    what=$1
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt "$ends" ] || fail "no $what in time"
        sleep 0.2
    done
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# ---- one node ----
mkdir "$room/munge" "$room/state" "$room/spool" "$room/work"
chmod 755 "$room" "$room/work"
chmod 700 "$room/munge"
head -c 1024 /dev/urandom >"$room/munge/key"
chmod 400 "$room/munge/key"
cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$room/munge/socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=1,defer_batch
ReturnToService=2
KillWait=2
MinJobAge=600
SlurmctldPidFile=$room/slurmctld.pid
SlurmdPidFile=$room/slurmd.pid
StateSaveLocation=$room/state
SlurmdSpoolDir=$room/spool
SlurmctldLogFile=$room/slurmctld.log
SlurmdLogFile=$room/slurmd.log
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=one Nodes=$(hostname -s) Default=YES MaxTime=10 State=UP
CONF
munged --foreground --force --key-file="$room/munge/key" --socket="$room/munge/socket" --pid-file="$room/munge/pid" \
    --log-file="$room/munge.log" --seed-file="$room/munge/seed" 2>"$room/munge.log" &
daemons="$daemons $!"
wait_for "munge" test -S "$room/munge/socket"
slurmctld -D -c -f "$SLURM_CONF" 2>/dev/null &
daemons="$daemons $!"
wait_for "slurmctld" scontrol ping
slurmd -D -c -f "$SLURM_CONF" -N "$(hostname -s)" 2>/dev/null &
daemons="$daemons $!"
idle() { [ "$(sinfo --noheader --format=%t)" = idle ]; }
wait_for "node" idle

# ---- a sweep of 1,200 runs in four tasks ----
cd "$room/work"
runs=${RUNS:-60}
cp "$top/scenarios/08-queue-too-long.yaml" scenario.yaml
sweep="scenario.yaml --vary services.api.queue.limit=20..320/log/5 --vary policies.app.attempts=1,2,4,8 --runs $runs"
# shellcheck disable=SC2086
sh "$top/docs/cluster/sweep.slurm" 4 all.sqlite $sweep >submitted
cat submitted
array=$(sed 's/array \([0-9]*\),.*/\1/' submitted)
merge=$(sed 's/.*merge //' submitted)

state_of() { scontrol show job "$1" --oneliner | sed 's/.* JobState=\([A-Z]*\).*/\1/'; }
is_running() { # task
    [ "$(state_of "${array}_$1")" = RUNNING ] && process=$(pgrep -f -- "--shard $1/4 -o all.$1-of-4.sqlite")
}
wait_for "first task" is_running 1
wait_for "second task" is_running 2
sleep 2
{ is_running 1 && is_running 2; } || fail "a task ended before it could be killed: RUNS=$runs are too few"
scontrol requeue "${array}_1" || fail "a running task cannot be requeued"
kill -9 "$process"
echo "task 1 is requeued, the program of task 2 is killed"

is_over() { case "$(state_of "$1")" in COMPLETED | FAILED | CANCELLED | TIMEOUT | NODE_FAIL) return 0 ;; *) return 1 ;; esac }
wait_for "merge" is_over "$merge"
[ "$(state_of "$merge")" = COMPLETED ] || fail "the merge is $(state_of "$merge")"
for task in 1 2; do
    restarts=$(scontrol show job "${array}_$task" --oneliner | sed 's/.* Restarts=\([0-9]*\).*/\1/')
    [ "$restarts" -ge 1 ] || fail "task $task was not started again"
done

# shellcheck disable=SC2086
"$RETRYSTORM" sweep $sweep --quiet --no-progress -o one.sqlite >/dev/null
cmp one.sqlite all.sqlite || fail "the merged file is another"
echo "slurm: $((20 * runs)) runs in 4 tasks, one requeued and one killed in the midst: the bytes of one machine"
