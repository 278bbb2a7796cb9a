"""Types of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int32]
Booleans = NDArray[np.bool_]
Vector = tuple[float, ...]  # two numbers in the plane, three in space
