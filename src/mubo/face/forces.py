"""What can be asked of a model about forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mubo.face.asking import Asking, Time, settings_of
from mubo.face.runs import Run


class Forces(Asking):
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
        from mubo.studies.forces.inverse import inverse

        settings = settings_of(
            tolerance, max_iterations, progress=progress, formulation=formulation, branch=branch, mode=mode
        )
        times, scale = self._times(start, end, step), _length(self, length_scale)
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

        Where joints and drivers leave freedoms, every row is an equilibrium, with the drivers where they are at `start`
        (default: as [analysis] says, else 0), the nearest to the estimates first; `summary["equilibria"]` tells their
        stability. `starts` positions are searched from besides (40, fewer of many freedoms); `release` names drivers to
        let go of. Where every freedom is driven, rows are positions from `start` to `end`, with the effort of every
        driver as if the mechanism stood there. `balance` names numbers, such as "spring.stiffness" or "weight.mass",
        to be chosen so that the efforts are least.

        >>> run = mubo.load("loaded_four_bar.toml").statics(release="hold")
        >>> [entry["stability"] for entry in run.summary["equilibria"]].count("stable")
        4
        """
        from mubo.studies.forces.statics.statics import statics

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
            length_scale=_length(self, length_scale),
        )
        return self._answer(run)


def _names(given: Sequence[str] | str) -> Sequence[str]:
    return [given] if isinstance(given, str) else given


def _length(model: Forces, given: float | str | None) -> float | None:
    return None if given is None else model.units.read(given, "length")
