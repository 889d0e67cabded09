# edit_scenario.py: scenarios as a colleague would change them: rewritten without a change, or with one that matters.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: edit_scenario.py same SEED FILE OUT       the same scenario: keys in another order, flow or block style, comments
          edit_scenario.py change KIND FILE OUT     a change of all policies or services; exit 1 when it changes nothing
KIND: cap (doubled), jitter (removed), attempts (one more), budget (removed), queue (bound x 10), server (2 % slower)"""
import random
import re
import sys

import yaml

NUMBER = re.compile(r"^([0-9]+(?:\.[0-9]+)?)(\D*)$")


def walk(node, seen):
    """Every map of a tree, once."""
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from walk(value, seen)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from walk(value, seen)


def scaled(node, factor):
    """Multiplies a number, keeping its unit; True when there was one."""
    found = isinstance(node, yaml.ScalarNode) and NUMBER.match(node.value)
    if not found:
        return False
    node.value = "%.6g%s" % (float(found.group(1)) * factor, found.group(2))
    return float(found.group(1)) > 0


def last(key):
    """A key, or the last step of a path of a variant."""
    return key.value.rsplit(".", 1)[-1]


def change_cap(top, key, value):
    return last(key) == "cap" and scaled(value, 2)


def change_jitter(top, key, value):
    if last(key) == "delay" and isinstance(value, yaml.ScalarNode) and value.value.endswith("-jitter"):
        value.value = "exponential"
        return True
    return False


def change_attempts(top, key, value):
    if last(key) != "attempts" or not value.value.isdigit() or value.value == "1":
        return False
    value.value = str(int(value.value) + 1)
    return True


def change_queue(top, key, value):
    if key.value.endswith("queue.limit"):
        return scaled(value, 10)
    if last(key) != "queue" or not isinstance(value, yaml.MappingNode):
        return False
    return any([k.value == "limit" and scaled(v, 10) for k, v in value.value])


def scale_times(node):
    if isinstance(node, yaml.ScalarNode):
        return scaled(node, 1.02)
    return any([scale_times(v) for k, v in node.value if k.value != "cv"])


def change_server(top, key, value):
    return last(key) == "service_time" and scale_times(value)


CHANGES = {"cap": change_cap, "jitter": change_jitter, "attempts": change_attempts, "queue": change_queue,
           "server": change_server}


def change(kind, root):
    changed = False
    for node in list(walk(root, set())):
        if kind == "budget":
            kept = [(k, v) for k, v in node.value if last(k) != "budget"]
            changed = changed or len(kept) < len(node.value)
            node.value = kept
        else:
            for key, value in node.value:
                changed = CHANGES[kind](root, key, value) or changed
    return changed


def shuffle(root, chance):
    for node in walk(root, set()):
        chance.shuffle(node.value)
        node.flow_style = chance.random() < 0.5
        for key, value in node.value:
            if isinstance(value, yaml.ScalarNode) and value.style in (">", "|"):
                value.style = '"'
            if isinstance(value, yaml.SequenceNode):
                value.flow_style = chance.random() < 0.5
    root.flow_style = chance.random() < 0.1


def comment(text, chance):
    lines = ["# a comment, seed %d" % chance.randrange(10 ** 9)]
    for line in text.splitlines():
        lines.append(line)
        if chance.random() < 0.2:
            lines.append(" " * chance.randrange(8) + "# another comment")
    return "\n".join(lines) + "\n"


def main():
    verb, how, source, target = sys.argv[1:]
    with open(source, encoding="utf-8") as stream:
        root = yaml.compose(stream, Loader=yaml.SafeLoader)
    changed = True
    if verb == "change":
        changed = change(how, root)
    else:
        chance = random.Random(int(how))
        shuffle(root, chance)
    text = yaml.serialize(root, Dumper=yaml.SafeDumper, width=10 ** 6, allow_unicode=True)
    if verb == "same":
        text = comment(text, chance)
    with open(target, "w", encoding="utf-8") as stream:
        stream.write(text)
    return 0 if changed else 1


sys.exit(main())
