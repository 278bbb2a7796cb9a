"""Rules by which arrays with slopes go through NumPy's functions: the derivative of each, or that it is linear."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _power_slope(x: Any, n: Any) -> Any:
    """d(xⁿ)/dx, without the term 0 · x^(−1) of n = 0."""
    return np.where(n == 0, 0.0, n * x ** np.where(n == 0, 1.0, n - 1))


Partials = Callable[..., tuple[Any, ...]]  # of the operands and the result: the derivative by each operand

PARTIALS: dict[Any, Partials] = {
    np.add: lambda x, y, r: (1.0, 1.0),
    np.subtract: lambda x, y, r: (1.0, -1.0),
    np.multiply: lambda x, y, r: (y, x),
    np.true_divide: lambda x, y, r: (1 / y, -r / y),
    np.power: lambda x, n, r: (_power_slope(x, n), r * np.log(x)),
    np.negative: lambda x, r: (-1.0,),
    np.positive: lambda x, r: (1.0,),
    np.square: lambda x, r: (2 * x,),
    np.sqrt: lambda x, r: (0.5 / r,),
    np.exp: lambda x, r: (r,),
    np.log: lambda x, r: (1 / x,),
    np.sin: lambda x, r: (np.cos(x),),
    np.cos: lambda x, r: (-np.sin(x),),
    np.tan: lambda x, r: (1 + r**2,),
    np.arctan: lambda x, r: (1 / (1 + x**2),),
    np.arctan2: lambda y, x, r: (x / (x**2 + y**2), -y / (x**2 + y**2)),
    np.hypot: lambda x, y, r: (x / r, y / r),
    np.absolute: lambda x, r: (np.sign(x),),
    np.maximum: lambda x, y, r: (x >= y, x < y),
    np.minimum: lambda x, y, r: (x <= y, x > y),
    np.sign: lambda x, r: (0.0,),
    np.rint: lambda x, r: (0.0,),
}

# What only asks is answered by the values.
JUDGING = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.isfinite, np.isnan)
LINEAR = (
    *(np.stack, np.concatenate, np.column_stack, np.sum, np.moveaxis, np.swapaxes, np.transpose, np.broadcast_to),
    *(np.tile, np.reshape, np.diff, np.cumsum, np.trace, np.squeeze, np.repeat),
)
# What is told of an array without its slopes: sizes, places, arrays like it.
SIZES = (np.shape, np.ndim, np.size, np.ones_like, np.zeros_like, np.argmax, np.argmin, np.all, np.any)
