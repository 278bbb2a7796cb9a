"""Many variants of one model, each of which can be looked at with all its proof."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mubo.design import batch

if TYPE_CHECKING:
    from mubo.api.models import Model


@dataclass(frozen=True, repr=False)
class Batch(batch.Batch):
    """The motions of all variants. `batch["P.x"]` is variants × times; rows that were not reached are NaN.

    >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
    >>> batch
    2 variants of "four bar", 11 times: 2 ok
    """

    kind: Any = None  # the class of a variant

    def variant(self, number: int) -> Model:  # type: ignore[override]
        """The model of one variant, to look at it with all its proof.

        >>> batch = mubo.load("four_bar.toml").batch({"coupler.B": [(-2.1, 0), (-1.9, 0)]}, 0, 1, 0.1)
        >>> batch.variant(0).kinematics(0, 1, 0.1).summary["status"]
        'ok'
        """
        variant: Model = self.kind.of(super().variant(number))
        return variant
