#!/bin/sh
# adding.sh: what docs/adding.md tells a newcomer to do is done, on a copy of the tree: the blocks that name a file are
# carried out as they stand there, the copy is built, and what was added must work and show where it should.
# Usage: tests/adding/adding.sh BUILD_DIR PROGRAM, where PROGRAM is this tree's retrystorm, which must know none of it.
# A second call builds only what has changed since.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
program=$2
tree=$build/tree
new=$build/build/retrystorm

fail() {
    echo "adding: $*"
    exit 1
}

# `grep -q` would end the program before it has written everything.
says() { # file, text, what it is
    grep -F -e "$2" "$1" >/dev/null || { cat "$1"; fail "$3 does not show '$2'"; }
}

# Copies keep their times, so that only what differs is compiled.
rm -rf "$tree"
mkdir -p "$tree"
for part in CMakeLists.txt cmake include sim plots scenarios; do
    cp -Rp "$top/$part" "$tree/$part"
done

# The blocks: ```LANGUAGE append FILE | before "TEXT" FILE | file FILE
awk -v tree="$tree" '
    function put(path, text) { printf "%s", text >path; close(path) }
    function get(path,   text, line) {
        while ((getline line <path) > 0) text = text line "\n"
        close(path)
        if (text == "") { print "no file " path; exit 1 }
        return text
    }
    /^```$/ && verb != "" {
        path = tree "/" file
        if (verb == "append") put(path, get(path) block)
        if (verb == "file") put(path, block)
        if (verb == "before") {
            text = get(path)
            at = index(text, anchor)
            if (at == 0) { print file " has no " anchor; exit 1 }
            put(path, substr(text, 1, at - 1) block substr(text, at))
        }
        print verb, file
        verb = ""
        next
    }
    verb != "" { block = block $0 "\n" }
    /^```[a-z]+ (append|before|file) / {
        verb = $2; file = $NF; block = ""
        anchor = $0; sub(/^[^"]*"/, "", anchor); sub(/"[^"]*$/, "", anchor)
    }' "$top/docs/adding.md" >"$build/steps" || { cat "$build/steps"; fail "docs/adding.md cannot be carried out"; }
for step in "append sim/policy/policies.def" "append sim/policy/presets.def" "append sim/record/metrics.def" "before sim/record/metrics.c" \
    "file plots/chart_lost.c" "append plots/charts.def" "file scenarios/20-slow-half-minute.yaml"; do
    says "$build/steps" "$step" "docs/adding.md"
done

cmake -S "$tree" -B "$build/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0 -Wno-error=format-truncation" -DBUILD_TESTING=OFF \
    >"$build/log" 2>&1 || { tail -n 20 "$build/log"; fail "the copy cannot be configured"; }
cmake --build "$build/build" >"$build/log" 2>&1 || { grep -E 'error|FAILED' "$build/log"; fail "the copy does not build"; }

world=$tree/scenarios/20-slow-half-minute.yaml
run() { # program, arguments...
    "$@" >"$build/said" 2>&1
}

# The policy: this tree does not know it, the copy does, and says so.
if run "$program" run "$world" --runs 1 --set policies.app.delay=gentle; then fail "the policy is there already"; fi
run "$new" run "$world" --runs 1 --set policies.app.delay=gentle --format json || {
    cat "$build/said"
    fail "the policy is refused"
}
says "$build/said" '"policies.app.delay": "gentle"' "the list of settings"
if run "$new" run "$world" --runs 1 --set policies.app.delay=gentel; then fail "a misspelt policy is taken"; fi
says "$build/said" "gentle" "the error"
run "$new" explain gentle || fail "explain does not know the policy"
says "$build/said" "a quarter shorter" "explain"
run "$new" schema || fail "no schema"
says "$build/said" '"gentle"' "the schema"

# The preset.
if run "$program" run "$world" --runs 1 --set policies.app='{preset: acme-client}'; then fail "the preset is there already"; fi
run "$new" run "$world" --runs 1 --set policies.app='{preset: acme-client, attempts: 9}' --format json || {
    cat "$build/said"
    fail "the preset is refused"
}
says "$build/said" '"policies.app.preset": "acme-client"' "the list of settings"
run "$new" explain acme-client || fail "explain does not know the preset"
says "$build/said" "nothing in return" "explain"
run "$new" schema || fail "no schema"
says "$build/said" '"acme-client"' "the schema"

# The metric: in the table, in JSON, as something to expect, and explained.
run "$program" run "$world" --variant two-attempts --runs 1 || { cat "$build/said"; fail "this tree cannot run the scenario"; }
if grep -F dead_share "$build/said" >/dev/null; then fail "the metric is there already"; fi
run "$new" run "$world" --variant two-attempts --runs 1 || fail "no run"
says "$build/said" "dead_share" "the table"
run "$new" run "$world" --variant two-attempts --runs 1 --format json || fail "no run"
says "$build/said" '"dead_share"' "JSON"
run "$new" explain dead_share || fail "explain does not know the metric"
says "$build/said" "of the requests born" "explain"

# The scenario, and the chart of its result.
run "$new" compare "$world" --no-progress -o "$build/lost.json" || fail "no comparison"
run "$new" plot "$build/lost.json" --chart lost -o "$build/lost.svg" || { cat "$build/said"; fail "no chart"; }
says "$build/lost.svg" "Dead letters" "the chart"
if run "$new" plot "$build/lost.json" --chart lots -o "$build/lost.svg"; then fail "a misspelt chart is drawn"; fi
says "$build/said" "lost" "the error"
echo "adding: policy, preset, metric, chart and scenario added by $(wc -l <"$build/steps") steps of docs/adding.md"
