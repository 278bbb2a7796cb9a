"""[optimize] from what users write: the form of its keys, whatever the model may be."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.model.optimization import GOALS, METHODS, Optimization, number_in


def optimization_of(given: Mapping[str, Any]) -> Optimization:
    """What the keys of [optimize] say, its form alone."""
    goals = [key for key in GOALS if given.get(key)]
    if len(goals) != 1:
        found = f"found {' and '.join(goals)}" if goals else "found none of them"
        raise ModelError(f"say what is wanted by one of {', '.join(GOALS)}; {found}")
    vary = given.get("vary") or {}
    if not isinstance(vary, Mapping) or not vary:
        raise ModelError("say what varies, such as vary = { a = [0.02, 0.06] }: parameters with two bounds each")
    pairs = {str(name): _pair(str(name), bounds) for name, bounds in vary.items()}
    constraints = given.get("constraints") or ()
    if isinstance(constraints, str) or not all(isinstance(text, str) for text in constraints):
        raise ModelError('constraints are a list of texts such as ["transmission >= 40 deg"]')
    goal = goals[0]
    of = _targets(given[goal]) if goal == "fit" else {given[goal]: None}
    counts = {key: _whole(key, given[key], least) for key, least in (("starts", 1), ("seed", 0)) if key in given}
    method = str(given.get("method", METHODS[0]))
    if method not in METHODS:
        raise ModelError(f'there is no method "{method}". {nearest(method, METHODS)}')
    return Optimization(pairs, goal, of, tuple(constraints), **counts, method=method)


def _pair(name: str, bounds: Any) -> tuple[Any, Any]:
    held = bounds.split(":") if isinstance(bounds, str) else bounds
    if not isinstance(held, list | tuple) or len(held) != 2:
        raise ModelError(f"{name}: write two bounds, {name} = [0.02, 0.06]; found {bounds!r}", names=[name])
    low, high = (_bound(name, one) for one in held)
    return low, high


def _bound(name: str, value: Any) -> float | str:
    number = number_in(value.strip()) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, Real | str):
        raise ModelError(f'{name}: a bound is a number, or text such as "20 mm"; found {value!r}', names=[name])
    return number if isinstance(number, str) else float(number)


def _targets(given: Any) -> dict[str, Any]:
    """What is to be met: a table of measures with targets, or paths, whose error is to vanish."""
    if isinstance(given, Mapping):
        for text, target in given.items():
            if isinstance(target, bool) or not isinstance(target, Real | str):
                raise ModelError(f'fit: the target of "{text}" is a number, or text with a unit; found {target!r}')
        return {str(text): target for text, target in given.items()}
    texts = [given] if isinstance(given, str) else list(given)
    if not all(isinstance(text, str) and "path error of " in text for text in texts):
        raise ModelError(
            'fit is a table of targets, { "stroke of D" = "60 deg" }, or "path error of P from curve.csv"; '
            f"found {given!r}"
        )
    return dict.fromkeys(texts, 0.0)


def _whole(key: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ModelError(f"{key} is a whole number, at least {least}; found {value!r}")
    return value
