"""What can be asked of a model about forces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mubo.api.asking import Time, settings_of
from mubo.api.strengths import Strengths
from mubo.errors import ModelError, nearest
from mubo.results import Run

if TYPE_CHECKING:
    from mubo.analyses.linearize.linearization import Linearization


class Forces(Strengths):
    """Efforts, reactions and equilibria."""

    def inverse(
        self,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        length_scale: float | str | None = None,
        tolerance: float | None = None,
        max_iterations: int = 20,
        formulation: str = "auto",
        branch: str = "smooth",
        mode: int = 1,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Run:
        """Inverse dynamics: what the prescribed motion takes of its drivers, and what every joint carries.

        Adds to the columns of `kinematics` the effort and power of drivers, reactions (`A.on_crank.fx`: by the other
        body on crank, at the joint point, ground axes), loads, what shakes the frame, and energies. `length_scale`
        weighs moments against forces where constraints are redundant (default one metre).

        >>> run = mubo.load("engine.toml").inverse()
        >>> bool(run["A.on_crank.f"].max() > 0), run.summary["power_residual"] < 1e-10
        (True, True)
        """
        from mubo.analyses.inverse import inverse

        settings = settings_of(
            tolerance, max_iterations, progress=progress, formulation=formulation, branch=branch, mode=mode
        )
        times, scale = self._times(start, end, step), read_length(self, length_scale)
        return self._answer(inverse(self.build(), *times, settings, scale))

    def statics(
        self,
        start: Time = None,
        end: Time = None,
        step: Time = None,
        *,
        release: Sequence[str] | str = (),
        starts: int | None = None,
        balance: Sequence[str] | str = (),
        length_scale: float | str | None = None,
        tolerance: float | None = None,
        max_iterations: int = 20,
        formulation: str = "auto",
        branch: str = "smooth",
        mode: int = 1,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Run:
        """Equilibria of what nothing drives, or the efforts that hold a driven mechanism at rest.

        Where joints and drivers leave degrees of freedom, every row is an equilibrium, with the drivers where they are
        at `start` (default: as [analysis] says, else 0), the nearest to the estimates first; `summary["equilibria"]`
        tells their stability. `starts` positions are searched from besides (40, fewer of many degrees of freedom);
        `release` names drivers to let go of. Where every degree of freedom is driven, rows are positions from `start`
        to `end`, with the effort of every driver as if the mechanism stood there. `balance` names numbers, such as
        "spring.stiffness" or "weight.mass", to be chosen so that the efforts are least.

        >>> run = mubo.load("loaded_four_bar.toml").statics(release="hold")
        >>> [entry["stability"] for entry in run.summary["equilibria"]].count("stable")
        4
        """
        from mubo.analyses.statics.statics import statics

        settings = settings_of(
            tolerance, max_iterations, progress=progress, formulation=formulation, branch=branch, mode=mode
        )
        run = statics(
            self.build(),
            self._static_times(start, end, step),
            settings,
            release=_names(release),
            starts=starts,
            balanced_by=_names(balance),
            length_scale=read_length(self, length_scale),
        )
        return self._answer(run)

    def linearize(
        self,
        start: Time = None,
        *,
        about: str = "equilibrium",
        equilibrium: int | None = None,
        release: Sequence[str] | str = (),
        at: Mapping[str, float | str] | None = None,
        dofs: Sequence[str] | str = (),
        tolerance: float | None = None,
    ) -> Linearization:
        """Small motions: M, C, K on the degrees of freedom, frequencies, damping, mode shapes, and the state space from
        loads to measures.

        `about` is "equilibrium" (the nearest to the estimates, or the one that statics give the number `equilibrium`),
        "position" (as drawn, in balance or not) or "steady" (drivers and [initial] rates of joints go on, the rest is
        found so that nothing accelerates). Drivers are where they are at `start` (default: as [analysis] says, else 0)
        or `at` given values; `release` lets go of some there, in a steady motion at their rate. `dofs` are
        coordinates to take first, such as "crank.phi"; else joints, then bodies.

        >>> linear = mubo.load("loaded_four_bar.toml").linearize(release="hold", at={"hold": "200 deg"})
        >>> linear.dofs, bool(linear.natural_frequencies[0] > 10)
        (('A.q',), True)
        """
        from mubo.analyses.linearize.linearize import linearize

        model = self
        for name, value in (at or {}).items():
            if name not in self.drivers:
                raise ModelError(f'there is no driver "{name}". {nearest(name, self.drivers)}', names=[name])
            model = model.replace(name, value)
        settings = settings_of(tolerance, 20)
        given = self.analysis.start if start is None and self.analysis is not None else start or 0.0
        return linearize(
            model.build(),
            self.units.read(given, "time"),
            about=about,
            equilibrium=equilibrium,
            release=_names(release),
            dofs=_names(dofs),
            tolerance=settings.tolerance,
            answer=self._answer,
        )


def _names(given: Sequence[str] | str) -> Sequence[str]:
    return [given] if isinstance(given, str) else given


def read_length(model: Forces, given: float | str | None) -> float | None:
    """A length scale in the model's unit."""
    return None if given is None else model.units.read(given, "length")
