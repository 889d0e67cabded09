#!/usr/bin/env python3
# sarif.py: what `lint --format sarif` and `--format json` write is what they promise.
# SPDX-License-Identifier: GPL-3.0-or-later
"""sarif.py PROGRAM SOURCE_DIR

1. Logs of all scenarios, and of files that are broken in every way, are valid by the schema of SARIF 2.1.0.
2. What a schema cannot say: a result's ruleIndex leads to its ruleId, places are relative and within the
   file, no two results of a file have the same fingerprint.
3. Fingerprints stay when lines are put before, places move with them.
4. Of every fifth file: exit codes are those of the text format, and the JSON format has as many results.
"""

import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError as error:
    print(f"skipped: {error}; install python3-jsonschema")
    sys.exit(77)

PROGRAM, SOURCE = sys.argv[1:]
VALIDATOR = None
wrong = []


def check(good, *what):
    if not good:
        wrong.append(" ".join(str(word) for word in what))


def lint(file, word, folder=SOURCE):
    done = subprocess.run([PROGRAM, "lint", file, "--format", word], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout


def results_of(file, folder=SOURCE):
    code, text = lint(file, "sarif", folder)
    log = json.loads(text)
    error = jsonschema.exceptions.best_match(VALIDATOR.iter_errors(log))
    check(error is None, file, "by the schema:", error and f"{error.json_path}: {error.message[:300]}")
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    check(len({rule["id"] for rule in rules}) == len(rules), "two rules have one id")
    check(len({rule["name"] for rule in rules}) == len(rules), "two rules have one name")
    check(run["invocations"][0]["executionSuccessful"] == (code in (0, 1)), file, "was it read?")
    for result in run["results"]:
        check(rules[result["ruleIndex"]]["id"] == result["ruleId"], file, "ruleIndex of", result["ruleId"])
        check(result["message"]["text"].strip() != "", file, "says nothing")
        place = result["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        check(uri == os.path.relpath(os.path.join(folder, file), folder), file, "is at", uri)
        if "region" in place:
            with open(os.path.join(folder, file), "rb") as source:
                lines = source.read().count(b"\n") + 1
            check(place["region"]["startLine"] <= lines, file, "has no line", place["region"]["startLine"])
    prints = [result["partialFingerprints"]["retrystormSetting/v1"] for result in run["results"]]
    check(len(set(prints)) == len(prints), file, "has one fingerprint twice:", sorted(prints))
    return code, run["results"]


def check_file(file, whole):
    code, results = results_of(file)
    if not whole:
        return len(results)
    text_code, _ = lint(file, "text")
    json_code, text = lint(file, "json")
    check(code == text_code == json_code, file, "ends with", code, text_code, json_code)
    log = json.loads(text)
    counts = log["errors"] + log["warnings"] + log["notes"]
    check(counts == len(results) or log["errors"] > 20, file, "JSON counts", counts, "SARIF has", len(results))
    check(log["files"][0]["valid"] == (code in (0, 1)), file, "is it valid?")
    check(code < 3 or all(result["ruleId"] == "R000" for result in results), file, "which rule says that?")
    return len(results)


def check_moved_lines(file):
    """The same file, three lines lower: the same fingerprints, each three lines lower."""
    with open(os.path.join(SOURCE, file), encoding="utf-8") as source:
        text = source.read()
    with tempfile.TemporaryDirectory() as folder:
        for name, before in (("as-it-was.yaml", ""), ("lower.yaml", "# one\n# two\n\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(before + text)
        _, old = results_of("as-it-was.yaml", folder)
        _, new = results_of("lower.yaml", folder)
    check(len(old) > 0, file, "has no results to move")
    for a, b in zip(old, new):
        lines = [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in (a, b)]
        check(a["partialFingerprints"] == b["partialFingerprints"], file, a["partialFingerprints"], "has changed")
        check(lines[1] == lines[0] + 3, file, "was in line", lines[0], "and is in", lines[1])


def main():
    global VALIDATOR
    with open(os.path.join(SOURCE, "tests/data/sarif-2.1.0.json"), encoding="utf-8") as text:
        schema = json.load(text)
    VALIDATOR = jsonschema.Draft4Validator(schema)
    VALIDATOR.check_schema(schema)
    files = sorted(os.path.join(folder, name) for folder in ("scenarios", "scenarios/labs", "tests/cli/broken")
                   for name in os.listdir(os.path.join(SOURCE, folder)) if name.endswith(".yaml"))
    results = sum(check_file(file, i % 5 == 0) for i, file in enumerate(files))
    check_moved_lines("scenarios/22-half-migrated.yaml")
    check_moved_lines("tests/cli/broken/05-whole-number.yaml")
    check(len(files) > 60 and results > 100, "only", len(files), "files with", results, "results")
    print("\n".join(wrong) or f"{len(files)} logs with {results} results are valid by the schema of SARIF 2.1.0")
    return 1 if wrong else 0


sys.exit(main())
