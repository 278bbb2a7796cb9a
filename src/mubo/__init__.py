"""mubo: mechanisms and multibody systems. How they move, what forces that takes, where they lock, with proof.

Read a model from a file, or build it by words; ask it; look at the answer:

>>> model = mubo.load("four_bar.toml")              # or mubo.Model("four bar") and its words: body, joint, drive ...
>>> run = model.kinematics(0, 1, step=0.025)
>>> run["P.x"].shape, run.summary["status"]
((41,), 'ok')

To build      ground, body, joint, revolute, translational, drive, force, point, measure, start, watch, parameter,
              allow; replace, slopes, copy, save; pin, section, material, outline, keepout for strength;
              of_subject, markers, plate for gait
To ask        check, loops, modes, kinematics, inverse, statics, linearize, strength, gait, simulate, wittenburg
To design     batch, sweep, sensitivity, tolerance, optimize
To prove      verify; to control: stepper, save_fmu
To find       mubo.synthesize.function, .motion, .path, .swing, .quick_return; mubo.synthesize("task.toml")
At a state    mass_matrix, bias, inverse_dynamics, forward_dynamics, jacobian, energy (of trees in space)
Of a run      run["P.x"], table, summary, events; plot, animate, report, export, save; mubo.compare

A quantity is a number in the model's units, or text with a unit: "30 deg", "1500 rpm", "2 N/mm". Every mistake is a
mubo.MuboError that names the element and the cure. help(mubo.Model.kinematics) has the details and an example; so has
every other method. docs/python.md builds models step by step.
"""

from __future__ import annotations

# ruff: noqa: E402
from mubo.interrupt import quiet_while_loading

quiet_while_loading()  # before the imports that take their time

from typing import TYPE_CHECKING, Any

from mubo.api import Linkage, Model, Run, compare, load
from mubo.errors import (
    AssemblyError,
    DesignError,
    ModelError,
    MuboError,
    RedundancyError,
    ResultError,
    SimulationError,
    SingularityError,
)

if TYPE_CHECKING:
    from mubo.api.batches import Batch
    from mubo.api.optimised import Optimum
    from mubo.api.sensitivities import Sensitivity
    from mubo.api.sweeps import Sweep
    from mubo.api.synthesis import Synthesis
    from mubo.api.synthesized import synthesize
    from mubo.api.tolerances import Tolerances

# What is found in the rooms of mubo.api, by its room.
_ROOMS = {
    "Batch": "batches",
    "Optimum": "optimised",
    "Sensitivity": "sensitivities",
    "Sweep": "sweeps",
    "Synthesis": "synthesis",
    "Tolerances": "tolerances",
    "synthesize": "synthesized",
}


def __getattr__(name: str) -> Any:
    """What would cost start-up time is looked up when asked for: the version, and what many designs answer."""
    if name in _ROOMS:
        from importlib import import_module

        return getattr(import_module(f"mubo.api.{_ROOMS[name]}"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("mubo")
    raise AttributeError(f"module 'mubo' has no attribute {name!r}")


__all__ = [
    "AssemblyError",
    "Batch",
    "DesignError",
    "Linkage",
    "Model",
    "ModelError",
    "MuboError",
    "Optimum",
    "RedundancyError",
    "ResultError",
    "Run",
    "Sensitivity",
    "SimulationError",
    "SingularityError",
    "Sweep",
    "Synthesis",
    "Tolerances",
    "compare",
    "load",
    "synthesize",
]
