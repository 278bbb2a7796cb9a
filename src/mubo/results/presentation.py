"""Registry of the functions that draw, film, report, explain or verify a result, loaded at first use.

Results are below the rooms that present them, so that every result is one type: its methods find their functions here.
A house test checks that every entry exists.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

REGISTERED = {
    "Run.plot": "mubo.view.plot:plot",
    "Run.animate": "mubo.view.encode:film_of_run",
    "Run.report": "mubo.view.report:write_report",
    "Run.export": "mubo.view.export:export",
    "Run.html": "mubo.view.encode:run_html",
    "Run.reaction": "mubo.solvers.forces.reaction:joint_reaction",
    "Run.verify": "mubo.analyses.verify.verify:verify",
    "Sweep.plot": "mubo.view.sweep:plot_sweep",
    "Sensitivity.text": "mubo.describe.design:describe_sensitivity",
    "Tolerances.text": "mubo.describe.design:describe_tolerances",
    "Optimum.text": "mubo.describe.design:describe_optimum",
    "Sensitivity.plot": "mubo.view.sensitivity:plot_sensitivity",
    "Tolerances.plot": "mubo.view.tolerance:plot_tolerances",
    "Optimum.plot": "mubo.view.optimum:draw_optimum",
    "Synthesis.plot": "mubo.view.panels:draw_designs",
    "Linearization.text": "mubo.describe.linearization:describe_linearization",
    "Linearization.as_dict": "mubo.describe.linearization:linearization_entries",
    "Linearization.save": "mubo.describe.linearization:save_linearization",
    "EquationReport.text": "mubo.describe.equations:describe_equations",
    "EquationReport.as_dict": "mubo.describe.equations:equation_entries",
    "EquationReport.save": "mubo.describe.equations:save_equations",
    "LoopReport.text": "mubo.describe.loops:describe_loops",
    "ModeReport.text": "mubo.describe.assembly_modes:describe_modes",
    "Verification.text": "mubo.describe.verification:describe_verification",
    "Verification.save": "mubo.describe.verification:save_verification",
    "CheckReport.text": "mubo.describe.check:describe_check",
    "Comparison.text": "mubo.describe.comparison:describe_comparison",
    "Strength.text": "mubo.describe.strength:describe_strength",
    "Strength.as_dict": "mubo.describe.strength:strength_entries",
    "Strength.table": "mubo.describe.strength:strength_table",
    "Strength.save": "mubo.describe.strength:save_strength",
    "Gait.text": "mubo.describe.gait:describe_gait",
    "Gait.as_dict": "mubo.describe.gait:gait_entries",
    "Gait.table": "mubo.describe.gait:cycle_table",
    "Gait.save": "mubo.describe.gait:save_gait",
    "ClosureReport.text": "mubo.describe.closure:describe_closure",
    "WittenburgReport.text": "mubo.describe.wittenburg:describe_wittenburg",
    "Model.of": "mubo.api.models:model_of",
}


@cache
def presented_by(name: str) -> Any:
    """Return the function that is registered under "TYPE.METHOD"."""
    module, function = REGISTERED[name].split(":")
    return getattr(import_module(module), function)
