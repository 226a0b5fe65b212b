#!/usr/bin/env python3
"""Cuts recordings of a real operator down to what the contract test reads.

Usage: trim.py RECORDINGS TARGET SCENARIO...

RECORDINGS holds <scenario>.jsonl and <scenario>.events.jsonl as recorded; TARGET gets the same names. Of each object stay
generation and status, without managedFields, spec and what no controller reads; of the recorded specs within the status stay
the job's state and upgrade mode and our own options; of the Events those about the FlinkDeployment, without stack traces.
"""
import json
import pathlib
import sys


def spec(text):
    full = json.loads(text)
    job = {key: full["spec"]["job"][key] for key in ("state", "upgradeMode")}
    options = {key: value for key, value in full["spec"]["flinkConfiguration"].items() if key.startswith("tidekeeper.")}
    kept = {"job": job, "flinkConfiguration": options}
    return json.dumps({"spec": kept, "resource_metadata": full["resource_metadata"]}, separators=(",", ":"))


def status(full):
    kept = {key: value for key, value in full.items() if key not in ("clusterInfo", "taskManager")}
    reconciliation = kept.get("reconciliationStatus", {})
    for key in ("lastReconciledSpec", "lastStableSpec"):
        if key in reconciliation:
            reconciliation[key] = spec(reconciliation[key])
    job = kept.get("jobStatus", {})
    for key in ("checkpointInfo", "savepointInfo"):
        job.pop(key, None)
    return kept


def look(line):
    event = json.loads(line)
    whole = event["object"]
    metadata = {key: whole["metadata"][key] for key in ("generation", "finalizers") if key in whole["metadata"]}
    kept = {"metadata": metadata}
    if "status" in whole:
        kept["status"] = status(whole["status"])
    return {"tMs": event["tMs"], "type": event["type"], "object": kept}


def news(line):
    event = json.loads(line)
    if event["involvedKind"] != "FlinkDeployment":
        return None
    kept = {key: event[key] for key in ("tMs", "reason", "type", "component", "count")}
    kept["message"] = event["message"].split("\n")[0]
    return kept


def copy(source, target, convert):
    with source.open() as lines, target.open("w") as out:
        for line in lines:
            kept = convert(line)
            if kept is not None:
                out.write(json.dumps(kept, separators=(",", ":")) + "\n")


def main(recordings, target, *scenarios):
    source, target = pathlib.Path(recordings), pathlib.Path(target)
    target.mkdir(parents=True, exist_ok=True)
    for scenario in scenarios:
        copy(source / f"{scenario}.jsonl", target / f"{scenario}.jsonl", look)
        copy(source / f"{scenario}.events.jsonl", target / f"{scenario}.events.jsonl", news)


if __name__ == "__main__":
    main(*sys.argv[1:])
