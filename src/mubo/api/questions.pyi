"""The questions that a model can be asked. Written by tools/write_stubs.py from mubo.studies; do not edit."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mubo.analyses.equations import EquationReport
from mubo.analyses.linearize.linearization import Linearization
from mubo.analyses.verify.table import Verification
from mubo.applications.drives.result import MotorSizing
from mubo.applications.gait.report import Gait
from mubo.applications.strength.report import Strength
from mubo.design.optimize.optimum import Optimum
from mubo.design.sensitivity import Sensitivity
from mubo.design.sweep import Sweep
from mubo.design.tolerance_result import Tolerances
from mubo.results import Run
from mubo.studies import Study

def answer(study: Study, definition: Any, given: Mapping[str, Any]) -> Any: ...

class Questions:
    def kinematics(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        tolerance: float | None = ...,
        max_iterations: int = ...,
        formulation: str = ...,
        branch: str = ...,
        mode: int = ...,
        predictor: str = ...,
        transmission: bool = ...,
        advantage: str = ...,
        reverse: bool | None = ...,
        scheme: str = ...,
        key: bool = ...,
        arrays: bool = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Run: ...
    def inverse(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        length_scale: float | str | None = ...,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        tolerance: float | None = ...,
        max_iterations: int = ...,
        formulation: str = ...,
        branch: str = ...,
        mode: int = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Run: ...
    def statics(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        length_scale: float | str | None = ...,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        tolerance: float | None = ...,
        max_iterations: int = ...,
        formulation: str = ...,
        branch: str = ...,
        mode: int = ...,
        free: Sequence[str] | str = ...,
        starts: int | None = ...,
        within: Mapping[str, Any] | None = ...,
        revolutions: int = ...,
        balance: Sequence[str] | str = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Run: ...
    def simulate(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        length_scale: float | str | None = ...,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        free: Sequence[str] | str = ...,
        rtol: float | None = ...,
        atol: float | None = ...,
        method: str | None = ...,
        formulation: str = ...,
        reactions: bool = ...,
        force: Callable[[float, Any, Any], Any] | None = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Run: ...
    def linearize(
        self,
        start: float | str | None = ...,
        *,
        about: str = ...,
        equilibrium: int | None = ...,
        free: Sequence[str] | str = ...,
        at: Mapping[str, float | str] | None = ...,
        dofs: Sequence[str] | str = ...,
        tolerance: float | None = ...,
    ) -> Linearization: ...
    def equations(
        self,
        at: float | str | None = ...,
        *,
        analysis: str | None = ...,
    ) -> EquationReport: ...
    def strength(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        length_scale: float | str | None = ...,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        tolerance: float | None = ...,
        max_iterations: int = ...,
        formulation: str = ...,
        branch: str = ...,
        mode: int = ...,
        deflection: Sequence[str] | str = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Strength: ...
    def gait(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        tolerance: float | None = ...,
        max_iterations: int = ...,
        formulation: str = ...,
        branch: str = ...,
        mode: int = ...,
        threshold: float | str | None = ...,
        events: str | None = ...,
        normative: str | None = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Gait: ...
    def verify(
        self,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        analysis: str | None = ...,
        free: Sequence[str] | str = ...,
        tolerance: float | None = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Verification: ...
    def sweep(
        self,
        vary: Mapping[str, Any] | str | Path,
        measures: Sequence[str] = ...,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        analysis: str | None = ...,
        method: str = ...,
        samples: int | None = ...,
        seed: int = ...,
        output: str | Path | None = ...,
        resume: bool = ...,
        cluster: Any = ...,
        workers: int | None = ...,
        yes: bool = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Sweep: ...
    def sensitivity(
        self,
        measures: Sequence[str] = ...,
        parameters: Sequence[str] = ...,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        analysis: str | None = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Sensitivity: ...
    def tolerance(
        self,
        measures: Sequence[str] = ...,
        of: Mapping[str, Any] | None = ...,
        clearance: Mapping[str, Any] | None = ...,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        analysis: str | None = ...,
        samples: int = ...,
        seed: int = ...,
        linear: Callable[[Any], None] = ...,
        workers: int | None = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Tolerances: ...
    def optimize(
        self,
        vary: Mapping[str, Any] | None = ...,
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        analysis: str | None = ...,
        minimize: str | None = ...,
        maximize: str | None = ...,
        fit: Mapping[str, Any] | Sequence[str] | str | None = ...,
        constraints: Sequence[str] | None = ...,
        cases: Mapping[str, Any] | str | None = ...,
        starts: int | None = ...,
        method: str | None = ...,
        seed: int | None = ...,
        workers: int | None = ...,
        progress: Callable[[float, float], None] = ...,
    ) -> Optimum: ...
    def motor(
        self,
        catalogue: str | Path | Mapping[str, Any],
        start: float | str | None = ...,
        end: float | str | None = ...,
        step: float | str | None = ...,
        *,
        over: str | None = ...,
        at: Sequence[float | str] | float | str | None = ...,
        driver: str = ...,
        ratio: Sequence[float] | float | str | None = ...,
        efficiency: float = ...,
        fluctuation: float | None = ...,
    ) -> MotorSizing: ...
