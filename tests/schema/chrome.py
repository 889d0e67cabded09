#!/usr/bin/env python3
# chrome.py: what `trace --format chrome` writes is a trace in the Trace Event Format.
# SPDX-License-Identifier: GPL-3.0-or-later
"""chrome.py PROGRAM SOURCE_DIR [FILE...]

There is no public schema of the format; these are the rules of its public description (the document "Trace
Event Format", docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU) for the phases used
here (B, E, i, C, s, f, M), and what our own page (docs/trace.md) promises beyond them:

1. The JSON object form: traceEvents, displayTimeUnit ms or ns, otherData.
2. Each phase has its fields, of their types; nothing else.
3. Times never go back in the file; they are microseconds that keep whole nanoseconds.
4. In each thread B and E nest, and all that begins ends.
5. Each f has one s of the same id before it, and each id is used once; s lies within an attempt that is
   open, f at the beginning of a visit of the service that the attempt names.
6. Each process and each thread in use has a name, and only those.
7. A counter's values are numbers that are not negative.
8. There are no more events than the limit, names aside.

With FILEs: only these are looked at.
"""

import collections
import decimal
import json
import subprocess
import sys

PROGRAM, SOURCE = sys.argv[1:3]
FIELDS = {
    "B": {"name": str, "cat": str, "ts": None, "pid": int, "tid": int, "args": dict},
    "E": {"cat": str, "ts": None, "pid": int, "tid": int, "args": dict},
    "i": {"name": str, "cat": str, "ts": None, "pid": int, "tid": int, "s": str, "args": dict},
    "C": {"name": str, "cat": str, "ts": None, "pid": int, "tid": int, "args": dict},
    "s": {"name": str, "cat": str, "ts": None, "pid": int, "tid": int, "id": int},
    "f": {"name": str, "cat": str, "ts": None, "pid": int, "tid": int, "id": int, "bp": str},
    "M": {"name": str, "cat": str, "pid": int, "tid": int, "args": dict},
}
INSIDE = {  # what a slice may lie in; None: nothing
    "request": {None}, "message": {None}, "delivery": {None}, "visit": {None},
    "attempt": {"request", "service", "visit", "delivery", None}, "back-off": {"request", "service", "visit", "delivery", None},
    "queue": {"visit", "message"}, "service": {"visit", "message"},
}


class Trace:
    def __init__(self, text, name):
        self.name = name
        self.wrong = []
        self.seen = collections.Counter()
        document = json.loads(text, parse_float=decimal.Decimal)
        self.check(set(document) == {"traceEvents", "displayTimeUnit", "otherData"}, "keys", sorted(document))
        self.check(document["displayTimeUnit"] in ("ms", "ns"), "displayTimeUnit", document["displayTimeUnit"])
        self.other = document["otherData"]
        self.events = document["traceEvents"]

    def check(self, good, *what):
        if not good and len(self.wrong) < 20:
            self.wrong.append(self.name + ": " + " ".join(str(word) for word in what))
        return good

    def check_fields(self, event):
        phase = event.get("ph")
        if not self.check(phase in FIELDS, "phase", phase):
            return False
        fields = FIELDS[phase]
        self.check(set(event) == set(fields) | {"ph"}, "fields", event)
        for key, kind in fields.items():
            self.check(kind is None or type(event.get(key)) is kind, "type of", key, event)
        if phase == "i":
            self.check(event["s"] in ("g", "p", "t"), "scope", event)
        if phase == "C":
            for value in event["args"].values():
                self.check(isinstance(value, (int, decimal.Decimal)) and value >= 0, "counter", event)
            self.check(len(event["args"]) > 0, "counter", event)
        return True

    def check_time(self, event, now):
        time = event["ts"]
        self.check(isinstance(time, (int, decimal.Decimal)) and time >= 0, "time", event)
        self.check(time >= now, "time goes back", event)
        self.check(time * 1000 == int(time * 1000), "a part of a nanosecond", event)
        return max(now, time)

    def check_all(self):
        stacks = collections.defaultdict(list)
        flows, now = {}, decimal.Decimal(0)
        names, used = {}, set()
        for event in self.events:
            if not self.check_fields(event):
                continue
            phase, thread = event["ph"], (event["pid"], event["tid"])
            self.seen[phase] += 1
            if phase == "M":
                names[(event["name"],) + (thread if event["name"].startswith("thread") else thread[:1])] = event["args"]
                continue
            self.check(not names, "an event after the names", event)
            used.add(thread)
            now = self.check_time(event, now)
            stack = stacks[thread]
            if phase == "B":
                top = stack[-1]["cat"] if stack else None
                self.check(top in INSIDE.get(event["cat"], ()), event["cat"], "lies in", top, event)
                self.seen[event["cat"]] += 1
                stack.append(event)
            elif phase == "E" and self.check(stack, "an end without a beginning", event):
                self.check(stack.pop()["cat"] == event["cat"], "an end of another slice", event)
            elif phase == "s":
                self.check(event["id"] not in flows, "an id twice", event)
                if self.check(stack and stack[-1]["cat"] == "attempt" and stack[-1]["ts"] == event["ts"], "s lies in", stack[-1:]):
                    flows[event["id"]] = stack[-1]["name"]
            elif phase == "f":
                callee = flows.pop(event["id"], None)
                if self.check(callee is not None, "f without its s", event):
                    self.check(stack and stack[-1]["cat"] == "visit" and stack[-1]["ts"] == event["ts"], "f lies in", stack[-1:])
                    self.arrivals.append((event["pid"], callee.rsplit(", try ", 1)[0]))
        self.check(not any(stacks.values()), "slices that never end", [s for s in stacks.values() if s][:3])
        self.check_names(names, used)
        self.unfinished = len(flows)

    arrivals = []

    def check_names(self, names, used):
        processes = {pid for pid, _ in used}
        for what in ("process_name", "process_sort_index"):
            self.check({key[1] for key in names if key[0] == what} == processes, what)
        for what in ("thread_name", "thread_sort_index"):
            named = {key[1:] for key in names if key[0] == what}
            self.check(used <= named, what, "misses", sorted(used - named)[:3])
            self.check(len(named - used) <= len(processes), what, "has more", sorted(named - used)[:3])
        for pid, callee in self.arrivals:
            name = names.get(("process_name", pid), {}).get("name", "")
            self.check(name.split(" ", 1)[-1] == callee, "the arrow to", callee, "ends at", name)
        self.arrivals = []


def look(text, name, limit=None):
    trace = Trace(text, name)
    trace.arrivals = []
    trace.check_all()
    events = len(trace.events) - trace.seen["M"]
    trace.check(limit is None or events <= limit, events, "events, more than", limit)
    return trace


# Windows with layers, queues of messages, breakers, budgets, bans, hedges, fan-outs, outages; each with what
# must be seen there.
CASES = [
    ("01-thundering-herd.yaml --from 59.9s --to 62s", "request attempt back-off visit service i C s f"),
    ("01-thundering-herd.yaml --from 79s --to 84s -v full-jitter", "request attempt back-off visit queue service i C s f"),
    ("01-thundering-herd.yaml --from 79s --to 82s --service api", "visit queue service C"),
    ("01-thundering-herd.yaml --from 75s --to 90s --clients sessions --limit 3000", "request"),
    ("01-thundering-herd.yaml --request dead", "request attempt back-off C s"),
    ("02-layers-4x4x4.yaml", "request attempt visit service s f"),
    ("02b-layers-recovering.yaml --from 50s --to 70s", "request attempt visit service s f"),
    ("03-metastable-hotos21.yaml --from 55s --to 62s", "request attempt visit queue service s f"),
    ("04-kubernetes-reconnect.yaml --from 0s --to 30s --limit 20000", "request attempt"),
    ("09-poison-message.yaml --from 0s --to 120s", "message delivery attempt visit queue service"),
    ("10-sleeping-workers.yaml --from 0s --to 120s --limit 30000", "message delivery attempt visit queue"),
    ("11-broker-memory.yaml --from 0s --to 200s --limit 50000", "message delivery attempt visit i"),
    ("12-auto-replay-loop.yaml --from 0s --to 60s --limit 30000", "request visit"),
    ("14-ban-for-ignoring-429.yaml --from 0s --to 100s --limit 50000", "request attempt visit i"),
    ("16-breaker-inside-outside.yaml --from 55s --to 70s", "request attempt visit i"),
    ("17-four-duplicates.yaml --from 0s --to 300s --limit 30000", "visit"),
    ("18-long-countdown.yaml --from 0s --to 100s --limit 20000", "message delivery"),
]


def run(words):
    done = subprocess.run([PROGRAM, "trace"] + ["scenarios/" + words[0]] + words[1:] + ["--format", "chrome"],
                          cwd=SOURCE, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def main():
    wrong, total = [], collections.Counter()
    if len(sys.argv) > 3:
        cases = [(open(file, encoding="utf-8").read(), file, None, "") for file in sys.argv[3:]]
    else:
        cases = ((run(case.split()), case, None, needed) for case, needed in CASES)
    for text, name, _, needed in cases:
        words = name.split()
        limit = int(words[words.index("--limit") + 1]) if "--limit" in words else 300000
        trace = look(text, name, limit)
        missing = [word for word in needed.split() if trace.seen[word] == 0]
        trace.check(not missing, "shows no", missing)
        wrong += trace.wrong
        total += trace.seen
    print("\n".join(wrong) or "all traces are as the format says: " +
          ", ".join(f"{count} {word}" for word, count in sorted(total.items())))
    return 1 if wrong else 0


sys.exit(main())
