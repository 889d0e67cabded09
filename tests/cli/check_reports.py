# check_reports.py: reads the reports of a check as those do for whom they are written, and compares what they say.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: check_reports.py FOLDER: with check.json, check.github, check.tap, check.xml, check.md and bench.json of one check"""
import json
import os
import re
import sys
import xml.etree.ElementTree as xml

folder = sys.argv[1]


def read(name):
    with open(os.path.join(folder, name), encoding="utf-8") as stream:
        return stream.read()


def level(row):
    """What a finding means when nothing else was asked for."""
    errors = ("crossed", "worse", "inconclusive", "missing")
    return "error" if row["finding"] in errors else "warning" if row["finding"] == "warning" else "fine"


def command(line):
    """A workflow command as the runner takes it apart: ::name key=value,key=value::message, each value escaped
    (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions; ActionCommand.cs of the runner)."""
    text = line.lstrip()
    assert text.startswith("::"), line
    end = text.index("::", 2)
    head, data = text[2:end], text[end + 2:]
    name, _, rest = head.partition(" ")
    properties = {}
    for pair in rest.strip().split(","):
        key, equals, value = pair.strip().partition("=")
        assert equals and key, line
        for escaped, plain in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            value = value.replace(escaped, plain)
        properties[key] = value
    for escaped, plain in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        data = data.replace(escaped, plain)
    return name, properties, data


check = json.loads(read("check.json"))
assert check["schema"] == "retrystorm.check/1"
rows = [(scenario, row) for scenario in check["scenarios"] for row in scenario["rows"]]
errors = [pair for pair in rows if level(pair[1]) == "error"]
warnings = [pair for pair in rows if level(pair[1]) == "warning"]
order = ["crossed", "worse", "inconclusive", "warning", "gone", "new", "different", "better", "kept", "same"]
for scenario in check["scenarios"]:
    places = [order.index(row["finding"]) for row in scenario["rows"]]
    assert places == sorted(places), "the worst does not stand first"
    for word in order:
        assert scenario["counts"][word] == sum(row["finding"] == word for row in scenario["rows"])

# GitHub: each of the first ten errors and ten warnings, the worst first, beside the line it is about.
told = [command(line) for line in read("check.github").splitlines() if line.startswith("::")]
for name, wanted in (("error", errors), ("warning", warnings)):
    shown = [entry for entry in told if entry[0] == name]
    assert len(shown) == min(10, len(wanted)), (name, len(shown), len(wanted))
    for (_, properties, data), (scenario, row) in zip(shown, wanted):
        assert set(properties) == {"file", "line", "title"}
        assert properties["file"] == scenario["file"]
        assert properties["line"] == str(row["line"] if row["of"] == "expect" else 1)
        assert properties["title"].startswith(row["variant"] + ": " + row["metric"])
        assert data.startswith(row["finding"] + ": " + row["metric"])
assert any(entry[0] == "notice" for entry in told) == (len(errors) > 10 or len(warnings) > 10)

# JUnit: a suite a scenario, a case a row.
suites = xml.fromstring(read("check.xml")).findall("testsuite")
assert len(suites) == len(check["scenarios"])
for suite, scenario in zip(suites, check["scenarios"]):
    cases = suite.findall("testcase")
    assert len(cases) == int(suite.get("tests")) == len(scenario["rows"])
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))
    for case, row in zip(cases, scenario["rows"]):
        failure = case.find("failure")
        assert (failure is not None) == (level(row) == "error")
        assert failure is None or failure.get("type") == row["finding"]
        assert (case.find("skipped") is not None) == (level(row) == "warning")
    names = [case.get("classname") + case.get("name") for case in cases]
    assert len(set(names)) == len(names), "two cases have one name"

# TAP: a test a row; what only warns is a TODO.
tap = read("check.tap").splitlines()
assert tap[0] == "TAP version 13" and tap[1] == "1..%d" % len(rows)
tests = [line for line in tap if re.match(r"(not )?ok ", line)]
assert len(tests) == len(rows)
for number, (line, (_, row)) in enumerate(zip(tests, rows), 1):
    assert re.match(r"(not )?ok %d - " % number, line)
    assert line.startswith("ok") == (level(row) == "fine")
    assert line.endswith("# TODO only a warning") == (level(row) == "warning")

# The list for dashboards, as the README of github-action-benchmark has it for customSmallerIsBetter.
bench = json.loads(read("bench.json"))
assert bench and isinstance(bench, list)
for entry in bench:
    assert set(entry) == {"name", "unit", "value", "range", "extra"}
    assert isinstance(entry["value"], (int, float)) and not isinstance(entry["value"], bool)
    assert all(isinstance(entry[key], str) and entry[key] for key in ("name", "unit", "range", "extra"))
assert len({entry["name"] for entry in bench}) == len(bench)

# Markdown: every row of a table has its cells.
table = [line for line in read("check.md").splitlines() if line.startswith("|")]
assert table and all(len(re.findall(r"(?<!\\)\|", line)) == 9 for line in table)
assert read("check.md").startswith("### retrystorm check " + check["answer"])
print("%d rows, %d errors, %d warnings: all reports say the same" % (len(rows), len(errors), len(warnings)))
