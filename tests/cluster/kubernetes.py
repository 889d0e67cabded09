#!/usr/bin/env python3
# kubernetes.py: checks the manifests of a sweep and prints what their containers would do, as a shell script.
# SPDX-License-Identifier: GPL-3.0-or-later
"""kubernetes.py SWEEP.yaml MERGE.yaml

A field that the API does not know is refused by its server, so every field must be one of those
below, which are of batch/v1 (Job), as documented at kubernetes.io/docs/reference.
"""

import shlex
import sys

import yaml

# Every field that a manifest may have, with what may be below it; [] is a list, None any value.
CONTAINER = {"name": str, "image": str, "workingDir": str, "command": [str], "args": [str],
             "env": [{"name": str, "value": str}],
             "resources": {"requests": {"cpu": str, "memory": str}},
             "volumeMounts": [{"name": str, "mountPath": str}]}
JOB = {"apiVersion": str, "kind": str, "metadata": {"name": str},
       "spec": {"completionMode": str, "completions": int, "parallelism": int, "backoffLimit": int,
                "podFailurePolicy": {"rules": [{"action": str,
                                                "onExitCodes": {"operator": str, "values": [int]},
                                                "onPodConditions": [{"type": str}]}]},
                "template": {"spec": {"restartPolicy": str, "containers": [CONTAINER],
                                      "volumes": [{"name": str,
                                                   "persistentVolumeClaim": {"claimName": str}}]}}}}


def check_fields(value, form, path=""):
    if isinstance(form, type):
        assert type(value) is form, f"{path} is no {form.__name__}: {value!r}"
    elif isinstance(form, list):
        assert isinstance(value, list) and value, f"{path} is no list"
        for i, inner in enumerate(value):
            check_fields(inner, form[0], f"{path}[{i}]")
    else:
        assert isinstance(value, dict), f"{path} is no map"
        for key, inner in value.items():
            assert key in form, f"{path}.{key} is no field of a Job"
            check_fields(inner, form[key], f"{path}.{key}")


def read(path):
    with open(path, encoding="utf-8") as text:
        job = yaml.safe_load(text)
    check_fields(job, JOB)
    assert job["apiVersion"] == "batch/v1" and job["kind"] == "Job", "no Job of batch/v1"
    pod = job["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never", "a pod's failure policy asks for restartPolicy Never"
    (container,) = pod["containers"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounts.keys() == {volume["name"] for volume in pod["volumes"]}, "mounts are not the volumes"
    assert container["workingDir"] in mounts.values(), "files are not written to the volume"
    return job["spec"], pod, container


def shell_of(container, more):
    """The container's command with its variables, for a shell."""
    variables = {entry["name"]: entry["value"] for entry in container["env"]} | more
    words = ["env", *(f"{name}={value}" for name, value in variables.items()),
             *container["command"], *container["args"]]
    return shlex.join(words)


def main():
    spec, pod, container = read(sys.argv[1])
    merge_spec, merge_pod, merge = read(sys.argv[2])
    shards = {entry["name"]: entry["value"] for entry in container["env"]}["SHARDS"]
    assert spec["completionMode"] == "Indexed", "pods without a number"
    assert str(spec["completions"]) == shards, "not as many shards as pods"
    assert 0 < spec["parallelism"] <= spec["completions"]
    for rule in spec["podFailurePolicy"]["rules"]:
        assert rule["action"] in ("FailJob", "Ignore", "Count")
        assert ("onExitCodes" in rule) != ("onPodConditions" in rule), "a rule has one reason"
    assert pod["volumes"] == merge_pod["volumes"] and container["image"] == merge["image"]
    assert {"name": "SHARDS", "value": shards} in merge["env"] and "completionMode" not in merge_spec
    print("set -eu")
    for index in range(spec["completions"]):
        print(shell_of(container, {"JOB_COMPLETION_INDEX": str(index), "RUNS": "2"}))
    print(shell_of(merge, {}))


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, KeyError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
