#!/bin/sh
# battery.sh: dieharder on our streams of chance, walked as the simulator walks them (draws.c). Nothing may be FAILED;
# what is WEAK, as one p-value in a hundred is, is run once more with the next seed and four times as long, and must not
# be WEAK again in the same row.
# Usage: tests/chance/battery.sh BUILD_DIR. Finished tests are kept there, so that a second call goes on where one was ended.
# The walk `tree`, which draws through every kind of name, takes all of dieharder -a but 27 of the 33 lags of one test;
# the others take what costs at most some seconds a test. WALKS="..." and ALL=1 choose otherwise (-a is 40 minutes a walk).
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)

one() { # folder, walk, test, ntuple or -, seed
    result=$1/$2.$3.$4.$5
    [ ! -e "$result" ] || return 0
    ntuple=""
    longer=""
    [ "$4" = - ] || ntuple="-n $4"
    [ "$5" = 1 ] || longer="-m 4"
    # shellcheck disable=SC2086
    "$1/../draws" "$2" "$5" | dieharder -g 200 -d "$3" $ntuple $longer -D test_name -D ntuple -D tsamples -D psamples \
        -D pvalues -D assessment >"$result.part"
    grep -q -E 'PASSED|WEAK|FAILED' "$result.part" || { echo "dieharder -d $3 $ntuple on $2 says nothing"; exit 1; }
    mv "$result.part" "$result"
}

if [ "${2:-}" = one ]; then
    one "$1" "$3" "$4" "$5" "$6"
    exit
fi

# Test numbers with their ntuples. Left out of both: 14 (diehard sums), which its authors mark "do not use".
short="0 1 3 4 5 6 8 9 10 11 12 13 15 16 100 101 102 200:1 200:2 200:3 200:4 200:5 201:2 201:3 202:2 202:3 202:4 202:5
203:0 203:1 204 205 206 207 208 209"
long="$short 2 7 17 200:6 200:7 200:8 200:9 200:10 200:11 200:12 201:4 201:5 203:3 203:7 203:15 203:31"
if [ "${ALL:-0}" = 1 ]; then
    long="$long $(seq -f 203:%g 0 32 | grep -v -x -E '203:(0|1|3|7|15|31)' | tr '\n' ' ')"
    short=$long
fi
walks=${WALKS:-tree births members ordinals purposes tries edges runs seeds}

mkdir -p "$1"
out=$(cd "$1" && pwd)
cc -std=c17 -O3 -Wall -Wextra -Werror -I"$top/sim" -o "$out/draws" "$top/tests/chance/draws.c"
# Results are those of one generator: another one has its own folder.
folder=$out/$(for walk in $walks; do "$out/draws" "$walk" 1 10000; done | cksum | cut -d ' ' -f 1)
mkdir -p "$folder"

jobs() { # seed
    for walk in $walks; do
        tests=$short
        [ "$walk" != tree ] || tests=$long
        for test in $tests; do
            ntuple=${test#*:}
            [ "$test" != "$ntuple" ] || ntuple=-
            echo "$walk ${test%:*} $ntuple $1"
        done
    done
}

run_jobs() { xargs -P "$(nproc)" -L 1 sh "$0" "$folder" one; }

jobs 1 >"$folder/jobs"
run_jobs <"$folder/jobs"
rm -f "$folder/again"
rows=0 passed=0 weak=0 bad=0
while read -r walk test ntuple seed; do
    result=$folder/$walk.$test.$ntuple.$seed
    rows=$((rows + $(grep -c -E 'PASSED|WEAK|FAILED' "$result")))
    passed=$((passed + $(grep -c PASSED "$result" || true)))
    weak=$((weak + $(grep -c WEAK "$result" || true)))
    if grep -q FAILED "$result"; then
        echo "$walk: $(grep FAILED "$result")"
        bad=$((bad + 1))
    elif grep -q WEAK "$result"; then
        echo "$walk $test $ntuple 2" >>"$folder/again"
    fi
done <"$folder/jobs"

if [ -e "$folder/again" ]; then
    run_jobs <"$folder/again"
    while read -r walk test ntuple seed; do
        first=$folder/$walk.$test.$ntuple.1
        second=$folder/$walk.$test.$ntuple.2
        # shellcheck disable=SC2013
        for row in $(grep -n WEAK "$first" | cut -d : -f 1); do
            before=$(sed -n "${row}p" "$first" | tr -s ' ')
            now=$(sed -n "${row}p" "$second" | tr -s ' ')
            echo "$walk: $before; with the next seed, longer: $now"
            case $now in *PASSED*) ;; *) bad=$((bad + 1)) ;; esac
        done
        ! grep -q FAILED "$second" || bad=$((bad + 1))
    done <"$folder/again"
fi
echo "dieharder on $(echo "$walks" | wc -w) walks: $rows p-values, $passed PASSED, $weak WEAK (each run once more, longer), $bad bad"
[ "$bad" = 0 ]
