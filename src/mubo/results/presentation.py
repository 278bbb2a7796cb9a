"""Registry of the functions that draw, film, report, explain or verify a result, loaded at first use.

Results are below the rooms that present them, so that every result is one type: its methods find their functions here
by its type. "TYPE.text" is what it prints, "TYPE.tables" are the cells of its tables, "TYPE.plot" draws it.
A house test checks that every entry exists.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from mubo.docstrings import documented

REGISTERED = {
    "Run.plot": "mubo.view.plot:plot",
    "Run.animate": "mubo.view.encode:film_of_run",
    "Run.report": "mubo.view.report:write_report",
    "Run.export": "mubo.view.export:export",
    "Run.show": "mubo.view.report.page:inline_report",
    "Run.reaction": "mubo.solvers.forces.reaction:joint_reaction",
    "Run.verify": "mubo.analyses.verify.verify:verify",
    "Sweep.plot": "mubo.view.sweep:plot_sweep",
    "Sweep.report": "mubo.view.report.designs:write_sweep_page",
    "Synthesis.report": "mubo.view.report.designs:write_synthesis_page",
    "Optimum.report": "mubo.view.report.designs:write_optimum_page",
    "Tolerances.report": "mubo.view.report.designs:write_tolerance_page",
    "Linearization.report": "mubo.view.report.modes:write_mode_page",
    "Sensitivity.text": "mubo.describe.design:describe_sensitivity",
    "Tolerances.text": "mubo.describe.design:describe_tolerances",
    "ParetoFront.text": "mubo.describe.design:describe_front",
    "ParetoFront.tables": "mubo.describe.cells:front_cells",
    "ParetoFront.plot": "mubo.view.pareto:plot_front",
    "ParetoFront.report": "mubo.view.report.fronts:write_front_page",
    "Optimum.text": "mubo.describe.design:describe_optimum",
    "MotorSizing.text": "mubo.describe.motor:describe_motor",
    "MotorSizing.tables": "mubo.describe.motor:motor_cells",
    "MotorSizing.plot": "mubo.view.motor:plot_motor",
    "MotorSizing.report": "mubo.view.report.motor:write_motor_page",
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
    "Comparison.save": "mubo.describe.comparison:save_comparison",
    "Comparison.text": "mubo.describe.comparison:describe_comparison",
    "Strength.text": "mubo.describe.strength:describe_strength",
    "Strength.as_dict": "mubo.describe.strength:strength_entries",
    "Strength.table": "mubo.describe.strength:strength_table",
    "Strength.save": "mubo.describe.strength:save_strength",
    "CutParts.text": "mubo.describe.parts:describe_parts",
    "CutParts.tables": "mubo.describe.parts:part_cells",
    "CutParts.plot": "mubo.view.part_sheet:plot_parts",
    "Gait.text": "mubo.describe.gait:describe_gait",
    "Gait.as_dict": "mubo.describe.gait:gait_entries",
    "Gait.table": "mubo.describe.gait:cycle_table",
    "Gait.save": "mubo.describe.gait:save_gait",
    "Trials.text": "mubo.describe.trials:describe_trials",
    "Trials.as_dict": "mubo.describe.trials:trial_entries",
    "Trials.table": "mubo.describe.trials:trial_table",
    "Trials.save": "mubo.describe.trials:save_trials",
    "ClosureReport.text": "mubo.describe.closure:describe_closure",
    "WittenburgReport.save": "mubo.describe.wittenburg:save_wittenburg",
    "WittenburgReport.text": "mubo.describe.wittenburg:describe_wittenburg",
    "Model.of": "mubo.api.models:model_of",
    "Model.plot": "mubo.view.first_position:plot_model",
    "Model.studio": "mubo.studio.notebook:studio_widget",
    "Batch.plot": "mubo.view.batch:plot_batch",
    "Linearization.plot": "mubo.view.mode_shapes:draw_mode_shapes",
    "LoopReport.plot": "mubo.view.polygons:draw_polygons",
    "ModeReport.plot": "mubo.view.panels:draw_modes",
    "CheckReport.plot": "mubo.view.first_position:plot_check",
    "Comparison.plot": "mubo.view.compare:draw_comparison",
    "Strength.plot": "mubo.view.notebook:plot_strength",
    "Gait.plot": "mubo.view.notebook:plot_gait",
    "Trials.plot": "mubo.view.gait:plot_trials",
    "WittenburgReport.plot": "mubo.view.directed_graph:draw_report",
    "Shown.html": "mubo.view.notebook:result_html",
    "Run.tables": "mubo.describe.cells:run_cells",
    "Model.tables": "mubo.describe.cells:model_cells",
    "Sweep.tables": "mubo.describe.cells:sweep_cells",
    "Batch.tables": "mubo.describe.cells:batch_cells",
    "Sensitivity.tables": "mubo.describe.cells:sensitivity_cells",
    "Tolerances.tables": "mubo.describe.cells:tolerance_cells",
    "Optimum.tables": "mubo.describe.cells:optimum_cells",
    "Synthesis.tables": "mubo.describe.cells:synthesis_cells",
    "Linearization.tables": "mubo.describe.linearization:linearization_cells",
    "CheckReport.tables": "mubo.describe.check:check_cells",
    "Verification.tables": "mubo.describe.verification:verification_cells",
    "Comparison.tables": "mubo.describe.comparison:comparison_cells",
    "ModeReport.tables": "mubo.describe.assembly_modes:mode_cells",
    "Strength.tables": "mubo.describe.strength:strength_cells",
    "Gait.tables": "mubo.describe.gait:gait_cells",
    "Trials.tables": "mubo.describe.trials:trial_cells",
}
MOST_LINES = 40  # of a result that a prompt echoes; print() shows all


@cache
def presented_by(name: str) -> Any:
    """Return the function that is registered under "TYPE.METHOD"."""
    module, function = REGISTERED[name].split(":")
    return getattr(import_module(module), function)


class Shown:
    """Whatever a notebook shows as tables with a picture."""

    def _repr_html_(self) -> str:
        return str(presented_by("Shown.html")(self))


class Presented(Shown):
    """A result that prints itself, and that a notebook shows."""

    def __str__(self) -> str:
        return str(presented_by(f"{type(self).__name__}.text")(self))

    def __repr__(self) -> str:
        lines = str(self).splitlines()
        more = len(lines) - MOST_LINES
        return "\n".join(lines if more <= 1 else [*lines[:MOST_LINES], f"… {more} more lines: print() shows them"])


class DrawnResult(Presented):
    """A result with one picture."""

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.", returns="The matplotlib figure."
    )
    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the result; a notebook shows the figure.

        >>> figure = mubo.load("four_bar.toml").loops().plot("loops.png")
        """
        return presented_by(f"{type(self).__name__}.plot")(self, path)
