"""Arrays that know how they change with parameters: a formula over arrays gives its exact slopes when given these.

A `Tangent` stands where an array may stand. What NumPy's functions make of it by the rules below is a Tangent again;
what has no rule here is refused, so that no slope is lost in silence. Numbers that depend on parameters (`Dependent`)
bring their slopes along when they meet one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from mubo.arrays import Array


# Rules by which arrays with slopes go through functions of NumPy: the derivative of each, or that it is linear.
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
# Functions whose result has no derivatives: sizes, positions, arrays of the same shape.
SIZES = (np.shape, np.ndim, np.size, np.ones_like, np.zeros_like, np.argmax, np.argmin, np.all, np.any)


class Tangent(NDArrayOperatorsMixin):
    """An array `v` and its slopes `d` by the parameters `names`: one array of the same shape for each."""

    __slots__ = ("d", "names", "v")

    def __init__(self, v: Any, d: Any, names: tuple[str, ...]) -> None:
        self.v, self.names = np.asarray(v, float), names
        self.d = np.array(np.broadcast_to(d, (len(names), *self.v.shape)), float)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        raise TypeError("a plain array would lose the slopes by the parameters")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        if method != "__call__" or options:
            raise _unknown(ufunc)
        values = [_value(x) for x in inputs]
        with np.errstate(all="ignore"):  # what has no slope shows it as one that is not finite
            if ufunc in JUDGING:
                return ufunc(*values)
            if ufunc is np.matmul:
                return self._product(np.matmul, *inputs)
            if ufunc not in PARTIALS or (out is not None and not isinstance(out[0], Tangent)):
                raise _unknown(ufunc)
            result = np.asarray(ufunc(*values))
            slopes = np.zeros((len(self.names), *result.shape))
            slopes_in = [slopes_of(x, self.names) for x in inputs]
            for slope, partial in zip(slopes_in, PARTIALS[ufunc](*values, result), strict=True):
                if slope is not None:
                    wide = slope.reshape(len(self.names), *(1,) * (result.ndim + 1 - slope.ndim), *slope.shape[1:])
                    slopes += np.where(
                        wide == 0, 0.0, partial * wide
                    )  # what does not change has no slope, even at a pole
        if out is not None:
            return out[0]._become(result, slopes)
        return Tangent(result, slopes, self.names)

    def __array_function__(self, function: Any, types: Any, given: Any, options: Any) -> Any:
        if function in SIZES:
            return function(*(_values(x) for x in given), **options)
        if function is np.cross:
            return self._product(np.cross, *given)
        if function is np.where:
            return self._where(*given)
        if function is np.linalg.solve:
            return self._solved(*given)
        if function not in LINEAR:
            raise _unknown(function)
        value = function(*(_values(x) for x in given), **options)
        slopes = [function(*(_slope(x, k, self.names) for x in given), **options) for k in range(len(self.names))]
        return Tangent(value, slopes, self.names)

    def _product(self, multiply: Callable[[Array, Array], Array], a: Any, b: Any) -> Tangent:
        """The derivative of a product of two factors is a′ b + a b′."""
        x, y = _value(a), _value(b)
        value = multiply(x, y)
        slopes = np.zeros((len(self.names), *np.shape(value)))
        dx, dy = slopes_of(a, self.names), slopes_of(b, self.names)
        for k in range(len(self.names)):
            if dx is not None:
                slopes[k] += multiply(dx[k], y)
            if dy is not None:
                slopes[k] += multiply(x, dy[k])
        return Tangent(value, slopes, self.names)

    def _solved(self, A: Any, b: Any) -> Tangent:
        """x of A x = b: A x′ = b′ − A′ x."""
        matrix = _value(A)
        x = np.linalg.solve(matrix, _value(b))
        by_A, by_b = slopes_of(A, self.names), slopes_of(b, self.names)
        right = np.zeros((len(self.names), *x.shape)) if by_b is None else by_b
        right = right if by_A is None else right - by_A @ x
        return Tangent(x, [np.linalg.solve(matrix, line) for line in right], self.names)

    def _where(self, condition: Any, yes: Any, no: Any) -> Tangent:
        value = np.where(condition, _value(yes), _value(no))
        one, two = (slopes_of(x, self.names) for x in (yes, no))
        slopes = np.where(condition, 0.0 if one is None else one, 0.0 if two is None else two)
        return Tangent(value, slopes, self.names)

    def _become(self, value: Array, slopes: Array) -> Tangent:
        self.v[...], self.d[...] = value, slopes
        return self

    def __getitem__(self, key: Any) -> Tangent:
        return _kept(self.v[key], self.d[(slice(None), *_tuple(key))], self.names)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.v[key] = _value(value)
        slopes = slopes_of(value, self.names)
        for k, own in enumerate(self.d):
            own[key] = 0.0 * _value(value) if slopes is None else slopes[k]  # what is not finite has no slope

    def __len__(self) -> int:
        return len(self.v)

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.v.shape

    @property
    def ndim(self) -> int:
        return self.v.ndim

    @property
    def T(self) -> Tangent:
        return _kept(self.v.T, self.d.transpose(0, *range(self.d.ndim - 1, 0, -1)), self.names)

    def copy(self) -> Tangent:
        """Another one that may be changed."""
        return Tangent(self.v.copy(), self.d, self.names)

    def reshape(self, *shape: int) -> Tangent:
        """Returns the numbers in another shape."""
        v = self.v.reshape(*shape)
        return Tangent(v, self.d.reshape(len(self.names), *v.shape), self.names)


def promote(values: Any, slopes: Any, names: Sequence[str]) -> Array:
    """Returns an array that carries its derivatives by parameters; it is used as an array."""
    return cast(Array, Tangent(values, slopes, tuple(names)))


def beside(like: Any, values: Any) -> Array:
    """Numbers as an array, to be used with `like`: with their slopes where that has some."""
    if isinstance(values, Tangent):
        return cast(Array, values)
    if not isinstance(like, Tangent):
        return np.array(values, float)
    if isinstance(values, np.ndarray) and values.dtype != object:
        return cast(Array, Tangent(values.astype(float), np.zeros((len(like.names), *values.shape)), like.names))
    numbers = np.empty(np.shape(values), object)
    numbers[...] = values
    return cast(Array, Tangent(numbers.astype(float), slopes_of(numbers, like.names), like.names))


def as_array(x: Any) -> Array:
    """An array of anything; one with slopes as it is."""
    return cast(Array, x) if isinstance(x, Tangent) else np.asarray(x, float)


def listed(array: Array) -> list[Any]:
    """The numbers of a vector one by one, each with its slopes where the vector has some."""
    return [*array] if isinstance(array, Tangent) else list(array.tolist())


def names_of(arrays: Iterable[Any]) -> tuple[str, ...]:
    """The parameters by which some of the arrays have slopes; none where they have not."""
    return next((array.names for array in arrays if isinstance(array, Tangent)), ())


def value_of(array: Any) -> Array:
    """An array without its slopes."""
    return array.v if isinstance(array, Tangent) else np.asarray(array, float)


def slopes_of(x: Any, names: Sequence[str]) -> Array | None:
    """The slopes of an array, of a number, or of numbers that depend on parameters; None where there are none."""
    if isinstance(x, Tangent):
        return x.d
    if hasattr(x, "slope"):
        return np.array([x.slope(name) for name in names])
    numbers = np.asarray(x)
    if numbers.dtype != object:
        return None
    each = [slopes_of(number, names) for number in numbers.ravel()]
    zero = np.zeros(len(names))
    return np.array([zero if one is None else one for one in each]).T.reshape(len(names), *numbers.shape)


def all_derivatives(x: Any, names: Sequence[str]) -> Array:
    """The derivatives of an array or number as an array; zero where there are none."""
    found = slopes_of(x, names)
    return np.zeros((len(names), *np.shape(x))) if found is None else found


def _kept(v: Any, d: Any, names: tuple[str, ...]) -> Tangent:
    """A view: what is written into it is written into what it shows."""
    new = Tangent.__new__(Tangent)
    new.v, new.d, new.names = np.asarray(v), np.asarray(d), names
    return new


def _value(x: Any) -> Any:
    if isinstance(x, Tangent):
        return x.v
    numbers = np.asarray(x)
    return numbers.astype(float) if numbers.dtype == object else numbers


def _values(x: Any) -> Any:
    """Returns an argument of a function (array, list of arrays or option) without derivatives."""
    return [_values(item) for item in x] if isinstance(x, list | tuple) else x.v if isinstance(x, Tangent) else x


def _slope(x: Any, k: int, names: Sequence[str]) -> Any:
    """The k-th slopes of what a linear function is given; options, which are whole numbers, as they are."""
    if isinstance(x, list | tuple) and any(isinstance(item, Tangent) for item in x):
        return [all_derivatives(item, names)[k] for item in x]
    if isinstance(x, Tangent):
        return x.d[k]
    return np.zeros_like(x) if isinstance(x, np.ndarray) else x


def _unknown(function: Any) -> TypeError:
    return TypeError(f"numpy.{function.__name__} has no rule for slopes by parameters here")


def _tuple(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)
