#!/usr/bin/env python3
# agrees.py: the schema that the program prints and its reader say the same of the same files.
# SPDX-License-Identifier: GPL-3.0-or-later
"""agrees.py PROGRAM READER SOURCE_DIR

1. Good files (scenarios, those of the tests, the starter) are accepted by both.
2. Broken files (tests/cli/broken) are refused by both, but for those of beyond.txt, which says of
   each what a schema cannot say. A file that stands there and is refused must be taken out.
3. Every setting of good files gets texts of a list of values: a third of them, another one from
   setting to setting, and all with STORM_FULL=1. What the reader takes, the schema takes. (The
   other way round the reader may know more: bounds, names, other settings.)

How a text becomes a value. PyYAML follows YAML 1.1, where `on` is true, 010 is 8 and a date is an
object; neither the reader nor an editor thinks so. So the tree of PyYAML is taken before it gives
scalars a type: an unquoted true, false, null or JSON number (10, 1.5, not 010) becomes that, as
in YAML 1.2, and all else stays the text it is, keys always. An editor that makes 10 of 010 is
kinder than the reader, which refuses it; for `~` it is the other way round: the reader knows no
null and takes it for a text.
"""

import copy
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}; install python3-jsonschema and python3-yaml")
    sys.exit(77)

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")

VALUES = [
    "1", "0", "2.5", "010", "1e3", "7k", "1.5k", "1000000000000", "10%", "100%", "0%", "150%",
    "12.5%", "250ms", "0s", "1.5s", "2m", "1e3s", "5 s", "45/s", "0/s", "1.2k/s", "4x", "0x", "0.5x",
    "true", "false", "yes", "none", "unlimited", "until_idle", "drop", "all", "once", "personal",
    "queue_full", "full-jitter", "no-retry", "fifo", "lifo", "down", "network", "api", "503", "200",
    "timeout", "'10'", "'true'", "'10%'", "''", "{}", "[]", "[1]", "[503]", "[503, timeout]",
    "[[0s, 1/s], [1s, 0/s]]", "[[0s, 1/s, 2]]", "{exponential: 50ms}", "{exponential: 0s}",
    "{constant: 1ms, plus: {exponential: 5ms}}", "{exponential: 5ms, plus: {constant: 3ms}}",
    "{constant: 1ms, exponential: 50ms}", "{uniform: {low: 1s, high: 2s}}", "{erlang: {mean: 1s}}",
    "{empirical: {0%: 1ms, 100%: 2ms}}", "{empirical: {0%: 1ms}}", "{503: 10%}", "{200: 10%}",
    "{limit: 10}", "{at: 1s}", "{at: 1s, every: 2s}", "{every: 1s, spread: 100ms}", "{to: api}",
    "{delay: full-jitter}", "{preset: envoy-default}", "{preset: envoy-default, delay: fixed}",
    "envoy-default", "{kind: cost, capacity: 9}", "{kind: time}", "{after: 1s, attempts: 2}", "-1", "409",
    "at_once", "wait", "orders", "orders.dead", "reject_409", "{mode: none}", "[{depth: 0}]",
    "[{growth: 1, within: 1s}]", "[{age: 1h, within: 1s}]", "{strikes: 1, length: 1s}", "{from: orders}",
    "{retention: 1d}", "{archive: true}", "{a: {}}", "{a.b: 1}", "2024-03-01T09:30:00Z", "2024-13-01T09:30:00Z",
]


def value_of(node, above=()):
    """The value of a node of PyYAML's tree, as an editor has it."""
    if node in above:
        raise yaml.YAMLError("a node inside itself")
    above += (node,)
    if isinstance(node, yaml.MappingNode):
        return {key.value: value_of(value, above) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [value_of(value, above) for value in node.value]
    if node.style is None and node.value in ("true", "false"):
        return node.value == "true"
    if node.style is None and node.value in ("", "~", "null"):
        return None
    if node.style is None and NUMBER.match(node.value):
        return json.loads(node.value)
    return node.value


def parse(text):
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    return None if node is None else value_of(node)


def paths_of(value, up=()):
    """The path of everything in a tree."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield up + (str(key),)
        yield from paths_of(inner, up + (str(key),))


def about(tree, path):
    """A smaller tree for the same question: what the path does not lead through is left out."""
    small = {key: value for key, value in tree.items() if not isinstance(value, (dict, list))}
    for key in ("clients", "services"):
        small[key] = dict(list(tree[key].items())[:1])
    section = tree[path[0]]
    if len(path) > 1 and isinstance(section, dict):
        section = {path[1]: section[path[1]]}
    small[path[0]] = section
    return small


def kind_of(path):
    """The same for settings that differ only in names and places in lists."""
    named = path[:1] in ((key,) for key in ("clients", "consumers", "services", "queues", "policies",
                                           "dead_letters", "variants"))
    return tuple("*" if key.isdigit() or (named and i == 1) else key for i, key in enumerate(path))


def with_value(tree, path, value):
    tree = copy.deepcopy(tree)
    inner = tree
    for key in path[:-1]:
        inner = inner[int(key) if isinstance(inner, list) else key]
    inner[int(path[-1]) if isinstance(inner, list) else path[-1]] = value
    return tree


class Judge:
    def __init__(self, program, reader):
        self.reader = reader
        text = subprocess.run([program, "schema"], check=True, capture_output=True).stdout
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def schema_complaint(self, value):
        """What the schema has against a value, or None."""
        error = jsonschema.exceptions.best_match(self.validator.iter_errors(value))
        return None if error is None else f"{error.json_path}: {error.message[:200]}"

    def reader_accepts(self, file, changes):
        """Whether the reader takes the file with each of the changes "path=value" ("": none)."""
        done = subprocess.run([self.reader, file], input="".join(change + "\n" for change in changes),
                              capture_output=True, text=True)
        said = [letter == "1" for letter in done.stdout]
        if done.returncode != 0 or len(said) != len(changes):
            raise RuntimeError(f"{file} with {changes[len(said)]}: exit {done.returncode}: {done.stderr}")
        return said


def check_good(judge, files):
    wrong = []
    for file in files:
        with open(file, encoding="utf-8") as text:
            complaint = judge.schema_complaint(parse(text.read()))
        if complaint is not None:
            wrong.append(f"{file}: the schema refuses it: {complaint}")
        if not judge.reader_accepts(file, [""])[0]:
            wrong.append(f"{file}: the reader refuses it")
    return wrong


def check_broken(judge, folder, beyond):
    wrong, refused = [], 0
    names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                complaint = judge.schema_complaint(parse(text.read()))
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            complaint = f"no YAML: {error}"
        refused += complaint is not None
        if complaint is None and name not in beyond:
            wrong.append(f"{name}: the schema accepts it; the reader does not")
        elif complaint is not None and name in beyond:
            wrong.append(f"{name}: the schema refuses it, too; take it out of beyond.txt: {complaint}")
    wrong += [f"{name} of beyond.txt is no file" for name in beyond if name not in names]
    print(f"{refused} of {len(names)} broken files are refused by the schema, too")
    return wrong


def check_values(judge, file):
    """Every setting of a file with every value; returns what the schema wrongly refuses."""
    with open(file, encoding="utf-8") as text:
        tree = parse(text.read())
    values = [(text, parse(text)) for text in VALUES]
    cases, kinds = [], set()
    step = 1 if os.environ.get("STORM_FULL", "0") == "1" else 3
    for path in paths_of(tree):
        if any("." in key for key in path) or path[0] == "variants" or kind_of(path) in kinds:
            continue  # no path of names, or like one before it
        kinds.add(kind_of(path))
        cases += [(path, text, value) for text, value in values[len(kinds) % step::step]]
    refused = [case for case in cases
               if not judge.validator.is_valid(with_value(about(tree, case[0]), case[0], case[2]))]

    seen = {(path, text) for path, text, _ in refused}
    accepted = judge.reader_accepts(file, [f"{'.'.join(path)}={text}" for path, text, _ in refused])
    wrong = [case for case, is_accepted in zip(refused, accepted) if is_accepted]
    changes = [f"{'.'.join(path)}={text}" for path, text, _ in cases if (path, text) not in seen]
    more = [change for change, good in zip(changes, judge.reader_accepts(file, changes)) if not good]
    print(f"{os.path.basename(file)}: {len(cases)} changes, {len(refused)} refused by the schema, "
          f"{len(wrong)} of them wrongly; {len(more)} more refused by the reader alone")
    if os.environ.get("VERBOSE"):
        print("\n".join(more))
    return [f"{file} with {'.'.join(path)}={text}: the reader takes it; the schema does not: "
            f"{judge.schema_complaint(with_value(tree, path, value))}" for path, text, value in wrong]


def main():
    program, reader, source = sys.argv[1:]
    judge = Judge(program, reader)
    here = os.path.join(source, "tests", "schema")
    folder = os.path.join(source, "scenarios")
    good = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".yaml")]
    good.append(os.path.join(source, "tests", "cli", "transcripts", "small.yaml"))
    good.append(os.path.join(here, "everything.yaml"))
    with open(os.path.join(here, "beyond.txt"), encoding="utf-8") as text:
        lines = [line for line in text.read().splitlines() if line and line[0] != "#"]
    beyond = dict(line.split(": ", 1) for line in lines)
    with tempfile.TemporaryDirectory() as scratch:
        starter = os.path.join(scratch, "starter.yaml")
        subprocess.run([program, "init", "-q", starter], check=True)
        wrong = check_good(judge, [*good, starter])
        wrong += check_broken(judge, os.path.join(source, "tests", "cli", "broken"), beyond)
        wrong += check_values(judge, os.path.join(here, "everything.yaml"))
    for line in wrong:
        print(line)
    print(f"{len(good) + 1} good files, {len(beyond)} broken ones beyond a schema, {len(wrong)} disagreements")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
