"""Public robot descriptions against the numbers of Pinocchio, MuJoCo and Drake, read from a folder that is given.

The folder has `index.json` (a file, its kind and what others do with it) and `reference.json` (mass matrix, bias and
inverse dynamics at states); its README has the conventions. Printed is what stops a file and which numbers differ by
more than 1e-10 of the largest; the exit code is 1 if anything does.

    python tests/campaigns/robots.py FOLDER [--only TEXT] [--kind mjcf]
"""

import argparse
import collections
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import mubo

LARGEST = 1e-10  # relative to the largest entry of each array
EXPECTED_REFUSALS = ("needs meshes", "part", "may be refused")


def main():
    """Load every file, compare every state."""
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("folder", type=Path)
    words.add_argument("--only", default="", help="files whose name has this text")
    words.add_argument("--kind", default="", help="urdf, mjcf or sdf")
    asked = words.parse_args()
    warnings.simplefilter("ignore")
    index = json.loads((asked.folder / "index.json").read_text())["robots"]
    reference = json.loads((asked.folder / "reference.json").read_text())
    tally, wrong, begun = collections.Counter(), 0, time.process_time()
    for entry in index:
        if asked.only not in entry["file"] or asked.kind not in ("", entry["kind"]):
            continue
        outcome, detail = case(asked.folder, entry, reference[entry["kind"]])
        tally[entry["kind"], entry["loads"], outcome] += 1
        if outcome.startswith("WRONG") or (outcome == "refused" and entry["loads"] not in EXPECTED_REFUSALS):
            wrong += 1
        if detail:
            print(f"  {entry['file']} ({entry['loads']}): {outcome}: {detail}", flush=True)
    for (kind, loads, outcome), count in sorted(tally.items()):
        print(f"{kind:5} {loads:15} {outcome:24} {count}")
    print(f"{time.process_time() - begun:.1f} s of processor time")
    sys.exit(min(wrong, 1))


def case(folder, entry, reference):
    """Outcome of one file, and what was seen."""
    path = folder / entry["file"]
    numbers = reference.get(entry["file"])
    if numbers and "same_as" in numbers:
        numbers = reference[numbers["same_as"]]
    try:
        worst = differences(path, entry["kind"], numbers) if numbers else open_tree(path, gravity=(0, 0, -9.81))
    except mubo.MuboError as error:
        return "refused", str(error).replace("\n", "\n      ")[:600]
    if not numbers:
        return "loads, no numbers", ""
    bad = {name: f"{value:.1e}" for name, value in worst.items() if not value < LARGEST}
    return ("WRONG numbers", str(bad)) if bad else ("agrees", "")


class OpenTree:
    """A robot without the forces of its joints, which the reference leaves out too, and the names of its file."""

    def __init__(self, path, **options):
        self.model = mubo.load(path, **options)
        self.model.forces.clear()
        self.names = self.model.origin.data["joints"]
        self.order = self.model.state_names
        self.mobility_of_tree = len(self.order.v)

    def columns(self, joints, rates):
        """The place of every number of joints, by the names of the file, in the arrays of the model."""
        order = self.order.v if rates else self.order.q
        own = {}
        for place, name in enumerate(order):
            own.setdefault(name.rpartition(".")[0], []).append(place)
        return [place for joint in joints for place in own[self.names.get(joint, joint)]]


def open_tree(path, **options):
    """The robot of a file."""
    return OpenTree(path, **options)


def compare(tree, at, joints, state, names):
    """The largest difference of each array, relative to its largest entry."""
    q, v, a = np.zeros(len(tree.order.q)), np.zeros(len(tree.order.v)), np.zeros(len(tree.order.v))
    rates = tree.columns(joints, True)
    if sorted(rates) != list(range(len(tree.order.v))):
        return {"other degrees of freedom": np.inf}
    q[tree.columns(joints, False)] = at
    v[rates] = state[names["v"]]
    found = {
        "mass_matrix": tree.model.mass_matrix(q)[np.ix_(rates, rates)],
        names["bias"]: tree.model.bias(q, v)[rates],
    }
    if "tau" in state:
        a[rates] = state["a"]
        found["tau"] = tree.model.inverse_dynamics(q, v, a)[rates]
    out = {}
    for name, value in found.items():
        expected = np.array(state[name])
        like = (name,) if name == "mass_matrix" else found  # forces that cancel are as exact as those that do not
        size = max(np.max(np.abs(state[one]), initial=1e-300) for one in like)
        out[name] = float(np.max(np.abs(value - expected), initial=0.0) / size)
    return out


def differences(path, kind, numbers):
    """The largest difference of each array over all states of a file."""
    compared = {"urdf": urdf_states, "mjcf": mjcf_states, "sdf": sdf_states}[kind](path, numbers)
    out = collections.defaultdict(float)
    for found in compared:
        for name, value in found.items():
            out[name] = max(out[name], value)
    return dict(out)


def urdf_states(path, numbers):
    """States of a fixed base, and of a floating one where the reference has them."""
    down = (0, 0, -9.81)
    names = {"v": "v", "bias": "nle"}
    joints = [joint["name"] for joint in sorted(numbers["joints"], key=lambda one: one["idx_v"])]
    tree = open_tree(path, base="fixed", gravity=down)
    for state in numbers["states"]:
        yield compare(tree, state["position"], joints, state, names)
    if "mimic" in numbers:
        yield from mimic_states(tree, numbers["mimic"])
    if "free" in numbers:
        tree = open_tree(path, base="free", gravity=down)
        order = sorted(numbers["free"]["joints"], key=lambda one: one["idx_v"])
        joints = [
            base_joint(tree),
            *(joint["name"] for joint in order if joint["name"] in tree.names and joint["name"] != "root_joint"),
        ]
        for state in numbers["free"]["states"]:
            moved = state["position"][-(len(tree.order.v) - 6) or len(state["position"]) :]
            at = [*state["base_position"], *state["base_quaternion_wxyz"], *moved]
            yield compare(tree, at, joints, state, names)


def mimic_states(tree, numbers):
    """States in which the mimicking joints follow: accelerations without efforts, a = −M⁻¹ nle of the reference."""
    led = [joint["name"] for joint in sorted(numbers["joints"], key=lambda one: one["idx_v"])]
    couplers = [joint.options for joint in tree.model.joints.values() if joint.kind == "coupler"]
    for state in numbers["states"]:
        names = {tree.names[name]: k for k, name in enumerate(led)}
        q, v = ({name: state[key][k] for name, k in names.items()} for key in ("position", "v"))
        for given in couplers:
            leader, follower = given["of"]
            q[follower] = given.get("offset", 0.0) + given["ratio"] * q[leader]
            v[follower] = given["ratio"] * v[leader]
        order = [name.rpartition(".")[0] for name in tree.order.v]
        a = tree.model.forward_dynamics([q[n] for n in order], [v[n] for n in order], np.zeros(len(order)))
        expected = np.linalg.solve(np.array(state["mass_matrix"]), -np.array(state["nle"]))
        found = np.array([a[order.index(name)] for name in names])
        yield {"accelerations of mimicking joints": np.max(np.abs(found - expected)) / np.max(np.abs(expected))}


def base_joint(tree):
    """The joint on which the robot floats."""
    return next(name for name, joint in tree.model.joints.items() if joint.kind == "free")


def mjcf_states(path, numbers):
    """States of MuJoCo's coordinates."""
    tree = open_tree(path)
    joints = numbers["joints"]
    own = tree.model.origin.data["order"]
    if len(own) != len(joints):
        yield {"number of joints": np.inf}
        return
    if tuple(tree.model.gravity) != tuple(numbers["gravity"]):
        yield {"gravity": np.inf}
    for state in numbers["states"]:
        yield compare(tree, state["qpos"], own, state, {"v": "qvel", "bias": "qfrc_bias"})


def sdf_states(path, numbers):
    """States of Drake's coordinates."""
    tree = open_tree(path, gravity=(0, 0, -9.81))
    links = tree.model.origin.data["links"]
    floating = {
        joint.between[1].partition(".")[0]: name for name, joint in tree.model.joints.items() if joint.kind == "free"
    }
    joints = sorted(numbers["joints"], key=lambda one: one["idx_v"])
    for state in numbers["states"]:
        at, names = [], []
        for joint in joints:
            free, first = joint["type"] == "free", joint["idx_v"]
            names.append(floating[links[joint["body"]]] if free else joint["name"])
            at += state["position"][first : first + (3 if free else 1)]
            at += state["quaternions_wxyz"][joint["body"]] if free else []
        yield compare(tree, at, names, state, {"v": "v", "bias": "nle"})


if __name__ == "__main__":
    main()
