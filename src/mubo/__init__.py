"""mubo: mechanisms and multibody systems. How they move, what forces that takes, where they lock, with proof.

Read a model from a file, or build it by words; ask it; look at the answer:

>>> model = mubo.load("four_bar.toml")              # or mubo.Model("four bar") and its words: body, joint, driver ...
>>> run = model.kinematics(0, 1, step=0.025)
>>> run["P.x"].shape, run.summary["status"]
((41,), 'ok')

To build      ground, body, joint, revolute, translational, driver, force, point, measure, initial, event, parameter,
              set_tolerance; replace, derivatives, copy, save; surface, contact for contact; pin, section, material,
              strut, outline, keepout for strength; set_subject, markers, plate for gait
To ask        check, loops, modes, kinematics, inverse, statics, simulate, simulate_many, linearize, equations,
              strength, gait, wittenburg
To design     batch, live, sweep, sensitivity, tolerance, optimize, pareto, motor
To prove      verify; to control: stepper, save_fmu; to cut: parts, save_parts; in a notebook: studio
To find       mubo.synthesize.function, .motion, .path, .swing, .quick_return, .dwell …; mubo.synthesize("task.toml")
At a state    constraints, constraint_jacobian, nu, gamma (in absolute coordinates);
              mass_matrix, bias, inverse_dynamics, forward_dynamics, jacobian, forward_kinematics, loop_jacobian,
              energy, inverse_dynamics_derivatives, forward_dynamics_derivatives (in joint coordinates), and all of
              these compiled for many calls: equations_of_motion
Of a run      run["P.x"], table, summary, events; plot, animate, report, export, save; mubo.compare
Of recordings mubo.gait_trials: many walks by one model file

A quantity is a number in the model's units, or text with a unit: "30 deg", "1500 rpm", "2 N/mm". Every mistake is a
mubo.MuboError that names the element and the cure. help(mubo.Model.kinematics) has the details and an example; so has
every other method. docs/python.md builds models step by step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    from mubo.api import compare, gait_trials, load
    from mubo.api.models import Model
    from mubo.api.synthesized import synthesize
    from mubo.design.batch import Batch
    from mubo.design.optimize.optimum import Optimum
    from mubo.design.sensitivity import Sensitivity
    from mubo.design.sweep import Sweep
    from mubo.design.synthesis.result import Synthesis
    from mubo.design.tolerance_result import Tolerances
    from mubo.results.many_runs import ManyRuns
    from mubo.results.run import Run

# The module of each public name that takes time to load; it is imported when the name is first used.
_MODULES = {
    "Batch": "mubo.design.batch",
    "ManyRuns": "mubo.results.many_runs",
    "Model": "mubo.api.models",
    "Optimum": "mubo.design.optimize.optimum",
    "Run": "mubo.results.run",
    "Sensitivity": "mubo.design.sensitivity",
    "Sweep": "mubo.design.sweep",
    "Synthesis": "mubo.design.synthesis.result",
    "Tolerances": "mubo.design.tolerance_result",
    "compare": "mubo.api",
    "gait_trials": "mubo.api",
    "load": "mubo.api",
    "synthesize": "mubo.api.synthesized",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used; `mubo.laws` is the public module of motion laws."""
    from importlib import import_module

    if name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
    elif name == "laws":
        value = import_module("mubo.laws")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("mubo")
    else:
        raise AttributeError(f"module 'mubo' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, and nothing that this module needs for itself."""
    return __all__


__all__ = [
    "AssemblyError",
    "Batch",
    "DesignError",
    "ManyRuns",
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
    "gait_trials",
    "load",
    "synthesize",
]
