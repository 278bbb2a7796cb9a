"""Many variants of one model, each of which can be looked at with all its proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mubo.studies.design import batch

if TYPE_CHECKING:
    from mubo.face.models import Model


@dataclass(frozen=True)
class Batch(batch.Batch):
    """The motions of all variants. `batch["P.x"]` is variants × times; rows that were not reached are NaN."""

    kind: Any = None  # the class of a variant

    def variant(self, number: int) -> Model:  # type: ignore[override]
        """The model of one variant, to look at it with all its proof: batch.variant(7).kinematics(0, 1, 0.01)."""
        variant: Model = self.kind.of(super().variant(number))
        return variant
