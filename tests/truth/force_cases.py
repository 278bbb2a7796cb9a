"""Reference forces and the model files that they belong to, in tests/data/forces."""

import json

import numpy as np
from conftest import DATA

import mubo

FOLDER = DATA / "forces"


def reference(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def model(name):
    return mubo.load(FOLDER / f"{name}.toml")


def solved(name, **options):
    """The run of a model file over the times that it asks for."""
    found = model(name)
    a = found.build().output_times()
    return found, found.inverse(a.start, a.end, step=a.step, **options)


def largest(columns):
    """The largest reaction and the largest effort of a case."""
    parts = ([v for k, v in columns.items() if k.endswith(".effort")], [v for k, v in columns.items() if ".on_" in k])
    return tuple(max((np.max(np.abs(v)) for v in part), default=0.0) for part in parts)


def compare(run, expected):
    """Every stored column, relative to the largest reaction or effort of the case."""
    effort, reaction = largest(expected["columns"])
    limits = expected["tolerances"]
    each = limits.get("reaction_relative_to_largest", limits.get("relative_to_largest"))
    worst = {}
    np.testing.assert_allclose(run["t"], expected["times"], rtol=0, atol=1e-12)
    for name, values in expected["columns"].items():
        if name.endswith(".effort") or ".on_" in name:
            size = effort if name.endswith(".effort") and effort > 1e-12 * reaction else reaction
            worst[name] = float(np.max(np.abs(run[name] - np.array(values)))) / size
    over = {name: off for name, off in worst.items() if not off <= each}
    assert worst
    assert not over, over


def wrench(run, joint, on, **options):
    """Force and moment of a reaction side by side, rows × 3 or × 6."""
    told = run.reaction(joint, on=on, **options)
    return np.hstack([told.force, told.moment])
