#!/usr/bin/env python3
"""Extracts what the controller's tests replay from recordings of real Flink Kubernetes Operators.

usage: extract-recordings.py RECORDINGS TARGET

RECORDINGS holds one folder per operator version with <scenario>.jsonl: one line per watch event,
{"tMs", "type", "object"}. Every recording of a FlinkDeployment is taken. Of each object only what a
controller reads is kept; events in which none of it changed are left out.
"""
import json
import pathlib
import sys

STATUS = [
    "conditions", "error", "jobManagerDeploymentStatus", "jobStatus", "lifecycleState",
    "observedGeneration", "reconciliationStatus",
]
METADATA = ["name", "namespace", "uid", "generation", "deletionTimestamp", "finalizers"]


def without(tree, *names):
    return {name: value for name, value in tree.items() if name not in names}


def configuration_owners(managed_fields):
    """Managers of spec.flinkConfiguration; the rest of managedFields is long and says nothing."""
    kept = []
    for entry in managed_fields:
        keys = entry.get("fieldsV1", {}).get("f:spec", {}).get("f:flinkConfiguration")
        if keys is not None:
            kept.append({"manager": entry["manager"], "operation": entry["operation"],
                         "fieldsV1": {"f:spec": {"f:flinkConfiguration": keys}}})
    return kept


def essence(thing):
    metadata = {name: thing["metadata"][name] for name in METADATA if name in thing["metadata"]}
    metadata["managedFields"] = configuration_owners(thing["metadata"].get("managedFields", []))
    status = {name: thing["status"][name] for name in STATUS if name in thing.get("status", {})}
    if "reconciliationStatus" in status:
        status["reconciliationStatus"] = without(
            status["reconciliationStatus"], "lastStableSpec", "reconciliationTimestamp")
    if "jobStatus" in status:
        status["jobStatus"] = without(
            status["jobStatus"], "savepointInfo", "checkpointInfo", "updateTime")
    return {"apiVersion": thing["apiVersion"], "kind": thing["kind"], "metadata": metadata,
            "spec": thing["spec"], "status": status}


def extract(source, target):
    previous = None
    lines = []
    for line in source.read_text().splitlines():
        event = json.loads(line)
        if event.get("object", {}).get("kind") != "FlinkDeployment":
            continue
        kept = {"type": event["type"], "object": essence(event["object"])}
        if kept != previous:
            lines.append(json.dumps({"tMs": event["tMs"], **kept}, sort_keys=True))
        previous = kept
    if lines:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n")


def main():
    recordings, target = map(pathlib.Path, sys.argv[1:])
    for version in sorted(folder for folder in recordings.iterdir() if folder.is_dir()):
        for source in sorted(version.glob("*.jsonl")):
            extract(source, target / version.name / source.name)


if __name__ == "__main__":
    main()
