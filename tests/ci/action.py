#!/usr/bin/env python3
# action.py: carries out the steps of .github/actions/check as a runner would, and looks at what they leave.
# SPDX-License-Identifier: GPL-3.0-or-later
"""action.py PROGRAM SOURCE_DIR

Also: the workflows use inputs that the action has, and the fields that the documentation of
actions and workflows names (docs.github.com, "Metadata syntax" and "Workflow syntax").
"""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import yaml

STEP_FIELDS = {"name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory"}
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")

SCENARIO = """\
version: 1
duration: 60s
clients: {web: {count: 50, arrivals: {poisson: 20/s}, calls: {to: api, timeout: 1s, retry: app}}}
services: {api: {workers: 4, service_time: {exponential: 100ms}}}
policies: {app: {delay: full-jitter, base: 200ms, attempts: 3}}
faults: [{service: api, kind: down, at: 20s, for: 5s}]
expect:
  - {metric: dead_letters, at_least: 1}
"""


def read(path):
    """YAML in which `on` is a word, as GitHub reads it."""
    with open(path, encoding="utf-8") as text:
        tree = yaml.safe_load(text)
    if True in tree:
        tree["on"] = tree.pop(True)
    return tree


class Runner:
    """What a runner has: folders, inputs, and what the steps have said so far."""

    def __init__(self, action, source, folder, inputs):
        self.action, self.source, self.folder = action, source, folder
        self.values = {"runner.temp": os.path.join(folder, "temp"),
                       "github.action_path": os.path.join(source, ".github", "actions", "check")}
        for name, declared in action["inputs"].items():
            self.values[f"inputs.{name}"] = inputs.get(name, declared["default"])
        os.makedirs(self.values["runner.temp"], exist_ok=True)
        self.said = ""

    def fill(self, text):
        return EXPRESSION.sub(lambda match: self.values[match[1]], str(text))

    def take_outputs(self, step, path):
        with open(path, encoding="utf-8") as text:
            for line in text:
                name, value = line.rstrip("\n").split("=", 1)
                self.values[f"steps.{step['id']}.outputs.{name}"] = value

    def run(self):
        """Runs the steps until one fails; returns its exit code."""
        output = os.path.join(self.folder, "output")
        for step in self.action["runs"]["steps"]:
            if "uses" in step:
                for value in step["with"].values():
                    self.fill(value)  # every expression means something
                continue
            assert step["shell"] == "sh" and "${{" not in step["run"], "inputs belong into env"
            open(output, "w", encoding="utf-8").close()
            env = os.environ | {name: self.fill(value) for name, value in step.get("env", {}).items()}
            env |= {"GITHUB_OUTPUT": output, "GITHUB_ACTIONS": "true", "CI": "true",
                    "GITHUB_STEP_SUMMARY": os.path.join(self.folder, "summary.md")}
            script = os.path.join(self.folder, "script.sh")
            with open(script, "w", encoding="utf-8") as text:
                text.write(step["run"])
            place = os.path.join(self.folder, self.fill(step.get("working-directory", ".")))
            done = subprocess.run(["sh", "-e", script], cwd=place, env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            self.said += done.stdout
            if done.returncode != 0:
                return done.returncode
            if "id" in step:
                self.take_outputs(step, output)
        return 0


def check_steps(steps):
    for step in steps:
        assert step.keys() <= STEP_FIELDS, f"unknown: {step.keys() - STEP_FIELDS}"
        assert ("run" in step) != ("uses" in step), f"a step runs or uses: {step}"


def check_workflow(path, action):
    workflow = read(path)
    assert workflow.keys() <= {"name", "on", "permissions", "jobs", "env", "concurrency"}
    for job in workflow["jobs"].values():
        assert job.keys() <= {"name", "runs-on", "container", "timeout-minutes", "steps", "needs", "permissions"}
        check_steps(job["steps"])
        for step in job["steps"]:
            if "/actions/check@" in step.get("uses", ""):
                assert step.get("with", {}).keys() <= action["inputs"].keys(), "an input that is not there"


def read_text(*path):
    with open(os.path.join(*path), encoding="utf-8") as text:
        return text.read()


def write_text(text, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    action = read(os.path.join(source, ".github", "actions", "check", "action.yml"))
    assert action.keys() == {"name", "description", "inputs", "outputs", "runs"}
    assert action["runs"].keys() == {"using", "steps"} and action["runs"]["using"] == "composite"
    check_steps(action["runs"]["steps"])
    check_workflow(os.path.join(source, ".github", "workflows", "test.yml"), action)
    check_workflow(os.path.join(source, "docs", "ci", "github-workflow.yml"), action)

    with tempfile.TemporaryDirectory() as folder:
        inputs = {"program": program, "working-directory": "mine", "options": "--runs 20 --no-progress"}
        os.makedirs(os.path.join(folder, "mine", "scenarios"))

        def runner():
            return Runner(action, source, folder, inputs)

        def expect(code, what):
            one = runner()
            got = one.run()
            assert got == code, f"{what}: exit {got}, not {code}:\n{one.said}"
            assert one.values["steps.check.outputs.exit-code"] == str(code)
            return one.said

        scenario = (folder, "mine", "scenarios", "calls.yaml")
        write_text(SCENARIO, *scenario)
        assert "--update" in expect(3, "no baseline")
        subprocess.run([program, "check", "--update", "--runs", "20", "-q"], check=True,
                       env=os.environ | {"CI": ""}, cwd=os.path.join(folder, "mine"), stdout=subprocess.DEVNULL)
        assert "::error" not in expect(0, "nothing has changed")
        assert "passed" in read_text(folder, "summary.md")

        write_text(SCENARIO.replace("attempts: 3", "attempts: 6"), *scenario)
        said = expect(1, "more attempts")
        assert "::error file=scenarios/calls.yaml" in said, said
        assert "passed" in read_text(folder, "summary.md"), "a summary is added to"
        assert "failed" in read_text(folder, "summary.md")
        suites = xml.etree.ElementTree.parse(os.path.join(folder, "mine", "retrystorm-check.xml")).getroot()
        assert suites.tag == "testsuites" and suites.findall("testsuite/testcase/failure")

        write_text(SCENARIO.replace("at_least: 1", "at_least: one"), *scenario)
        assert "at_least" in expect(3, "a wrong scenario")
        inputs["options"] = "--runz 20"
        expect(2, "a wrong option")
    print("action: passes, fails, cannot check: five runs of its steps, with summary, annotations and JUnit")


if __name__ == "__main__":
    main()
