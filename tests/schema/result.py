#!/usr/bin/env python3
# result.py: result files are as `retrystorm schema result` says, and it says all that is in them.
# SPDX-License-Identifier: GPL-3.0-or-later
"""result.py PROGRAM SOURCE_DIR

1. Results of runs and comparisons of every scenario are valid by the schema.
2. Every member that is in one of them is in the schema, and every member of the schema is in one of them.
3. A file without one of its members, or with another type, is not valid.
"""

import copy
import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError as error:
    print(f"skipped: {error}; install python3-jsonschema")
    sys.exit(77)

PROGRAM, SOURCE = sys.argv[1:]
wrong, seen = [], set()


def results_of(words):
    done = subprocess.run([PROGRAM] + words + ["--format", "json", "--quiet", "--no-progress"], cwd=SOURCE,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def walk(schema, part, value, where):
    """Notes which members of the schema there are, and blames what it does not know."""
    part = schema["$defs"][part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
    if isinstance(value, list) and "items" in part:
        for item in value:
            walk(schema, part["items"], item, where)
    elif isinstance(value, dict) and "properties" in part:
        for key, inner in value.items():
            if key not in part["properties"]:
                wrong.append(f"{where}: the schema does not know '{key}'")
            else:
                seen.add((id(part), key))
                walk(schema, part["properties"][key], inner, f"{where}.{key}")
    elif isinstance(value, dict) and isinstance(part.get("additionalProperties"), dict):
        for inner in value.values():
            walk(schema, part["additionalProperties"], inner, where)


def main():
    text = subprocess.run([PROGRAM, "schema", "result"], check=True, capture_output=True).stdout
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    files = sorted(name for name in os.listdir(os.path.join(SOURCE, "scenarios")) if name.endswith(".yaml"))
    cases = [["run", "scenarios/" + name, "-n", "2"] for name in files[::2]]
    cases += [["compare", "scenarios/01-thundering-herd.yaml", "-n", "5"], ["compare", "scenarios/labs/dead-letters.yaml", "-n", "2"]]
    for words in cases:
        result = results_of(words)
        error = jsonschema.exceptions.best_match(validator.iter_errors(result))
        if error is not None:
            wrong.append(f"{' '.join(words)}: {error.json_path}: {error.message[:200]}")
        walk(schema, schema, result, words[1])
    for name, part in [("result", schema)] + list(schema["$defs"].items()):
        wrong.extend(f"no {name} has '{key}'" for key in part["properties"] if (id(part), key) not in seen)
    for key in schema["required"]:
        for change in ("missing", "of another type"):
            broken = copy.deepcopy(result)
            broken[key] = [[]]
            if change == "missing":
                del broken[key]
            if validator.is_valid(broken):
                wrong.append(f"a result is valid though '{key}' is {change}")
    print("\n".join(sorted(set(wrong))[:40]) or f"{len(cases)} results are as the schema says")
    return 1 if wrong else 0


sys.exit(main())
