"""A card deck and what can be asked of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING

from mubo.errors import ModelError
from mubo.face.models import settings_of
from mubo.face.runs import LinkageRun
from mubo.model import linkage

if TYPE_CHECKING:
    from mubo.studies.history import ClosureReport

SCHEMES = ("exact", "1964")


class Linkage(linkage.Linkage):
    """A card deck of O'Kins' programs: vectors and closed loops of them, and what can be asked of it."""

    def kinematics(
        self,
        start: float | None = None,
        end: float | None = None,
        step: float | None = None,
        *,
        tolerance: float | None = None,
        max_iterations: int = 20,
        predictor: str = "taylor",
        formulation: str = "auto",
        branch: str = "smooth",
        scheme: str = "exact",
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> LinkageRun:
        """Lengths, angles, angular velocities and accelerations of all vectors (default: where the deck asks for them).

        The loops are first closed exactly by turning the links. `scheme` "1964" is the predictor-corrector of the
        thesis instead; its `cards` are the punched listing, its summary tells how far it is off.
        """
        from mubo.studies.history import historic_kinematics, linkage_kinematics

        if scheme not in SCHEMES:
            raise ModelError(f'the scheme is {" or ".join(SCHEMES)}; found "{scheme}"')
        settings = settings_of(
            tolerance, max_iterations, predictor=predictor, progress=progress, formulation=formulation, branch=branch
        )
        solve = historic_kinematics if scheme == "1964" else linkage_kinematics
        result = solve(self, start, end, step, settings)
        if result.summary["status"] != "ok":
            warnings.warn(result.events[-1].message, stacklevel=2)
        return LinkageRun(**{f.name: getattr(result, f.name) for f in fields(result)})

    def check(self) -> ClosureReport:
        """The closure table of the deck: the error of every loop, and the vectors that could absorb it."""
        from mubo.studies.history import check_linkage

        return check_linkage(self)
