#!/bin/sh
# check.sh: check passes on itself, catches what a colleague may break, raises no false alarm, and its reports are read by those
# for whom they are written.
# Usage: tests/cli/check.sh PATH_OF_RETRYSTORM SOURCE_FOLDER [full]    (full: all numbered scenarios, a hundred repetitions)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$2
full=${3:-}
edit="python3 $source/tests/cli/edit_scenario.py"
python3 -c 'import yaml' 2>/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset CI
cd "$scratch"
mkdir scenarios changed

fail() {
    echo "check.sh: $*"
    [ ! -s said ] || tail -n 40 said
    exit 1
}

# What check says about something, in `said`; it must end with the code.
check() { # code, then check's words
    code=$1
    shift
    got=0
    "$program" check --quiet "$@" >said 2>&1 || got=$?
    [ "$got" = "$code" ] || fail "'check $*' ends with $got, not $code"
}

said() { # something that must have been said
    grep -qF -- "$1" said || fail "it does not say '$1'"
}

all() { # the files of the scenarios, below a folder
    for name in $names; do printf ' %s/%s.yaml' "$1" "$name"; done
}

# ---- the scenarios, and their baseline

if [ "$full" = full ]; then
    names=$(cd "$source/scenarios" && ls [0-9]*.yaml | sed 's/\.yaml$//')
    runs= rounds=100 refactors=100
else
    names="02-layers-4x4x4 05-sized-retries 15-budget-per-layer"
    runs="-n 14" rounds=2 refactors=2
fi
for name in $names; do
    cp "$source/scenarios/$name.yaml" scenarios/
    # Of a hundred repetitions one run of each variant must do; what was made worse is looked at with all of them.
    cp "$source/scenarios/$name.yaml" "changed/$name.yaml"
done
check 3 $runs
said "no baseline: "
# shellcheck disable=SC2086
check 0 --update $runs
check 0
said "passed: "
if grep -q ' worse' said; then fail "it is worse than itself"; fi
for name in $names; do grep -q "^scenarios/$name.yaml: .*identical to the baseline" said || fail "$name is not identical"; done
cp retrystorm.baseline.json first.json
check 0 --update
cmp -s first.json retrystorm.baseline.json || fail "the same runs give another baseline"

# ---- itself, again and again, on any number of threads

cp retrystorm.baseline.json whole.json
[ "$full" != full ] || check 0 --update -n 1
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    check 0 --threads $((round % 4 + 1))
    if grep '^scenarios/' said | grep -qv 'identical to the baseline'; then fail "round $round is not identical"; fi
done
echo "passes on itself $rounds of $rounds times"

# ---- no false alarms: comments, the order of keys, flow and block style

round=0
while [ "$round" -lt "$refactors" ]; do
    round=$((round + 1))
    for name in $names; do $edit same "$round" "scenarios/$name.yaml" "changed/$name.yaml"; done
    # shellcheck disable=SC2046
    check 0 $(all changed)
    if grep '^changed/' said | grep -qv 'identical to the baseline'; then fail "rewriting $round is an alarm"; fi
done
echo "no false alarm in $refactors rewritings"

# ---- what a colleague may break; a change of what a scenario never comes to is none

mv whole.json retrystorm.baseline.json
for kind in cap jitter attempts budget queue server; do
    caught=
    quiet=
    for name in $names; do
        $edit change "$kind" "scenarios/$name.yaml" "changed/$name.yaml" || continue
        got=0
        "$program" check --quiet "changed/$name.yaml" >said 2>&1 || got=$?
        if grep -q 'identical to the baseline' said; then
            [ "$got" = 0 ] || fail "$kind of $name: nothing changed, and it ends with $got"
            quiet="$quiet $name"
        elif [ "$got" = 1 ]; then
            said "failed: "
            said "settings are not the baseline's"
            grep -q -E '^(worse|crossed) ' said || fail "$kind of $name: it does not say what is worse"
            grep -q 'first difference: retrystorm trace ' said || fail "$kind of $name: it does not say where"
            caught="$caught $name"
        else # a change for the better, or too few runs to tell
            quiet="$quiet $name(exit $got)"
        fi
    done
    echo "$kind: caught in${caught:- none}; no regression in${quiet:- none}"
    [ -n "$caught" ] || [ "$full$kind" = queue ] || fail "$kind is not caught"
done
[ "$full" = full ] || check 0

# ---- where the first difference is

$edit change attempts "scenarios/05-sized-retries.yaml" "changed/05-sized-retries.yaml"
check 1 changed/05-sized-retries.yaml
window=$(sed -n 's/.*first difference: retrystorm trace \(.*\)/\1/p' said)
[ -n "$window" ] || fail "there is no first difference"
# shellcheck disable=SC2086
"$program" trace $window >now 2>&1 || fail "the command it names does not work: trace $window"
# shellcheck disable=SC2086
"$program" trace $(echo "$window" | sed 's/^changed/scenarios/') >then 2>&1
if cmp -s now then; then fail "the window shows no difference"; fi
echo "the first difference is where it says"

# ---- a variant that was renamed is not in the baseline, and its old name is told to be gone

sed 's/four-attempts/four-tries/g' scenarios/05-sized-retries.yaml >changed/05-sized-retries.yaml
check 3 changed/05-sized-retries.yaml
grep -q '^missing *four-tries ' said || fail "the new name is not missed"
grep -q '^gone *four-attempts ' said || fail "the old name is not gone"
$edit change attempts "scenarios/05-sized-retries.yaml" "changed/05-sized-retries.yaml"

# ---- reports, by their readers: of a file whose name is none of the simple ones

odd='odd, 100%: <a & "b"> #1.yaml'
cp scenarios/05-sized-retries.yaml "scenarios/$odd"
check 0 "scenarios/$odd" --update -n 14
sed 's/^expect:.*/expect:\n- {metric: peak_load, statistic: p95, at_most: 1, severity: warn}/' \
    "changed/05-sized-retries.yaml" >"changed/$odd"
mkdir reports
check 1 "changed/$odd" scenarios/02-layers-4x4x4.yaml --github --md reports/check.md --junit reports/check.xml \
    --tap reports/check.tap
eval "$(sed -n 's/.*first difference: retrystorm/"$program"/p' said) >now" || fail "the command cannot be given to a shell"
mv said reports/check.github
check 1 "changed/$odd" scenarios/02-layers-4x4x4.yaml --format json
mv said reports/check.json
check 1 "changed/$odd" scenarios/02-layers-4x4x4.yaml --format gh-benchmark
mv said reports/bench.json
python3 "$source/tests/cli/check_reports.py" reports || fail "the reports do not agree"
if command -v xmllint >/dev/null; then
    xmllint --noout --schema "$source/tests/data/junit.xsd" reports/check.xml 2>said || fail "no valid JUnit XML"
fi
if command -v prove >/dev/null; then
    if prove --exec cat reports/check.tap >said 2>&1; then fail "prove sees nothing wrong"; fi
    grep -q 'Failed:' said || fail "prove does not understand it"
    if grep -q -E 'Parse errors|Bad plan' said; then fail "no valid TAP"; fi
fi
check 1 "changed/$odd" --md -
said "### retrystorm check failed: "

# ---- names need not be UTF-8; reports are

folder=$(printf 'f\377older')
bad=$(printf 'b\377d.yaml')
mkdir "$folder"
cp "changed/05-sized-retries.yaml" "$folder/"
cp "changed/05-sized-retries.yaml" "$folder/$bad"
check 2 "$folder/$bad" --update
check 1 "$folder/05-sized-retries.yaml" "$folder/$bad" --github --md reports/bad.md --junit reports/bad.xml --tap reports/bad.tap
check 1 "$folder/05-sized-retries.yaml" --format json
mv said reports/bad.json
for report in md xml tap json; do
    iconv -f UTF-8 -t UTF-8 "reports/bad.$report" >/dev/null || fail "bad.$report is not UTF-8"
done

# ---- a disk that is full leaves no half report, and the baseline as it was

cp retrystorm.baseline.json before.json
(
    ulimit -f 1 # blocks of 512 bytes
    "$program" check scenarios/02-layers-4x4x4.yaml --quiet --update >/dev/null 2>&1 && exit 1
    "$program" check scenarios/02-layers-4x4x4.yaml --quiet --junit half.xml >/dev/null 2>&1 && exit 1
    exit 0
) || fail "a full disk is no error"
cmp -s before.json retrystorm.baseline.json || fail "half a baseline was written"
[ ! -e half.xml ] || fail "half a report was written"
echo "check: all good"
