"""The output times that a study or [analysis] asks for: times, or what a driver travels, as times of the rows.

Text with a unit of angle or length is what a driver travels from its value at t = 0: end = "1 rev" is one turn. The
driver is `over`, or the only one that moves so. Plain numbers are times, and with `over` the driver's travel. A step in
time gives rows at equal times, a step of travel rows at equal positions of the driver.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np

from mubo.errors import ModelError, nearest
from mubo.laws.law import asks_python
from mubo.model.instants import SPAN, Instant, read_times
from mubo.model.laws import driven_kind
from mubo.model.parts import Driver, Parts
from mubo.quantities.output_times import OutputTimes, TimesAsked, Travel

KEYS = ("start", "end", "step", "over", "at")
STEPS = 100  # from start to end, where no step is given
TURN, DEGREE = "1 rev", "1 deg"
PLAIN = {str, int, float}  # types that are compared


def output_times(
    model: Parts, given: Mapping[str, Any], without: str = "turn", free: Sequence[str] = ()
) -> OutputTimes:
    """The times of the rows from what was given and, for the rest, from the model's [analysis].

    `without` says what an end that nobody gives means: a "turn" of a driver of constant rate, the "start" alone, or
    "nothing", which is refused. The travel of drivers that are left `free` is not known.
    """
    asked = TimesAsked(tuple(given.items()), without, tuple(free))
    return replace(_output_times(model, asked), asked=asked)


def shared_output_times(
    model: Parts, shared: dict[str, Any], given: Mapping[str, Any], without: str, free: Sequence[str]
) -> OutputTimes:
    """The times of the rows, the last of which variants with the same drivers share where text or numbers ask for them;
    a law of a Python function may be another one at another time."""
    if not {*map(type, given.values())} <= PLAIN:
        return output_times(model, given, without, free)
    asked, parts = (given, without, free), (model.analysis, model.drivers, model.units)
    kept = shared.get("output times")
    if kept is None or kept[0] != asked or not all(map(is_, kept[1], parts)):
        kept = asked, parts, output_times(model, given, without, free)
        if not any(asks_python(driver.motion) for driver in model.drivers.values()):
            shared["output times"] = kept
    found: OutputTimes = kept[2]
    return found


def times_of_variant(model: Parts, times: OutputTimes) -> OutputTimes:
    """The output times of a variant of the model that they were asked of: a driver may be faster in it."""
    asked = times.asked
    return times if asked is None else output_times(model, dict(asked.given), asked.without_end, asked.free)


def follow_driver(model: Parts, times: OutputTimes) -> bool:
    """Whether the output times follow the motion of a driver, and so may differ in a variant of the model."""
    request = times.asked
    if request is None:
        return False
    asked = _asked(model, dict(request.given))
    return _driver(model, asked, request.free) is not None or not asked.keys() & {"end", "at"}


def _output_times(model: Parts, request: TimesAsked) -> OutputTimes:
    asked, without = _asked(model, dict(request.given)), request.without_end
    driver = _driver(model, asked, request.free)
    if "at" in asked:
        return _listed(model, driver, asked["at"])
    start = _time(model, driver, asked.get("start", 0.0))
    if "end" not in asked and without == "start":
        return OutputTimes.single(start)
    if "end" not in asked:
        driver, end = _one_turn(model, driver, without)
        end = Travel(end.value + _travel(model, driver, start), end.kind)
    else:
        end = asked["end"]
    step = asked.get("step", _step(model, driver, end))
    if isinstance(step, Travel):
        assert driver is not None
        return _over_driver(model, driver, start, end, step.value)
    last = _time(model, driver, end)
    return OutputTimes(start, last, (last - start) / STEPS or 1.0 if step is None else step)


def time_problems(model: Parts) -> Iterator[tuple[tuple[str, str], str]]:
    """Steps of [analysis] that are not positive, and an end before the start, as place and text."""
    stated = model.analysis.options if model.analysis is not None else {}
    asked = {key: stated[key] for key in SPAN if isinstance(stated.get(key), float)}
    if "step" in asked and not asked["step"] > 0:
        yield ("analysis", "step"), f"the time step must be positive; found {asked['step']:g}"
    if "end" in asked and asked["end"] < asked.get("start", 0.0):
        yield ("analysis", "end"), f"the end {asked['end']:g} is before the start {asked.get('start', 0.0):g}"


def _asked(model: Parts, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that were given, before those of [analysis]: a list there is no answer to an end given here."""
    stated = {} if model.analysis is None else {k: v for k, v in model.analysis.options.items() if k in KEYS}
    read = read_times(model.units, given, stated.get("over", ""))
    if "at" in given:
        stated = {key: value for key, value in stated.items() if key not in SPAN}
    elif any(key in given for key in SPAN):
        stated.pop("at", None)
    return stated | read


def _driver(model: Parts, asked: Mapping[str, Any], free: Sequence[str] = ()) -> Driver | None:
    """The driver whose travel is meant, None where times alone are given."""
    instants = [asked[key] for key in SPAN if key in asked] + list(asked.get("at", ()))
    kinds = {one.kind: one for one in reversed(instants) if isinstance(one, Travel) and one.kind}  # the first of each
    name = asked.get("over", "")
    if name:
        if name not in model.drivers:
            raise ModelError(f'over: there is no driver "{name}". {nearest(name, model.drivers)}', names=[name])
        if name in free:
            raise _undriven(name, "over")
        driver = model.drivers[name]
        moves = driven_kind(model, driver.of)
        for kind, one in kinds.items():
            if kind != moves:
                raise ModelError(f'"{one.text}" is {_article(kind)}, but driver {name} moves by {_article(moves)}')
        return driver
    for kind, one in kinds.items():
        movers = [driver for driver in model.drivers.values() if driven_kind(model, driver.of) == kind]
        left = [driver.name for driver in movers if driver.name in free]
        movers = [driver for driver in movers if driver.name not in free]
        if left and not movers:
            raise _undriven(left[0], f'"{one.text}"')
        if len(movers) == 1 and len(kinds) == 1:
            return movers[0]
        if not movers:
            raise ModelError(f'"{one.text}" is what a driver moves, but no driver moves by {_article(kind)}')
        names = ", ".join(driver.name for driver in movers)
        raise ModelError(
            f'"{one.text}" is what a driver moves, and there are {len(movers)}: {names}',
            suggestion=f'Name it: over = "{movers[0].name}".',
        )
    return None


def _undriven(name: str, asked: str) -> ModelError:
    """The error that the travel of a driver is asked for which is left undriven."""
    return ModelError(
        f"{asked} is what driver {name} moves, but it is left undriven (free): its motion is not prescribed",
        names=[name],
        suggestion="Give a time, such as --end 1; an event can end the run where a coordinate reaches a value.",
    )


def _article(kind: str) -> str:
    return "an angle" if kind == "angle" else f"a {kind}"


def _reference(driver: Driver) -> float:
    """The time from which travel is counted: t = 0, or where the data of the law begins."""
    first, last = driver.motion.domain
    return 0.0 if first <= 0.0 <= last else first


def _time(model: Parts, driver: Driver | None, instant: Instant) -> float:
    """The time of an instant."""
    if not isinstance(instant, Travel):
        return instant
    assert driver is not None
    return float(_times(model, driver, np.array([instant.value]))[0])


def _times(model: Parts, driver: Driver, travels: Any) -> Any:
    """The times at which a driver has travelled so far."""
    if np.any(travels < 0):
        raise ModelError(
            f"travel of driver {driver.name} is counted in the sense of its motion; found {float(np.min(travels)):g}",
            suggestion="Write it without a minus sign.",
        )
    kind = driven_kind(model, driver.of)
    unit, time = model.units.unit_of(kind), model.units.unit_of("time")

    def describe(travel: float, at: float) -> str:
        moved = f"{travel:.4g} {unit}".strip()
        return moved if math.isnan(at) else f"{at:.4g} {time}".strip() + f", after {moved},"

    from mubo.laws.inversion import times_of_travel

    try:
        return times_of_travel(driver.motion, _reference(driver), travels, describe)
    except ModelError as error:
        raise ModelError(f"driver {driver.name}: {error}", names=[driver.name]) from None


def _travel(model: Parts, driver: Driver, instant: Instant) -> float:
    """The travel of a driver at an instant."""
    from mubo.laws.inversion import travel_at

    return instant.value if isinstance(instant, Travel) else travel_at(driver.motion, _reference(driver), instant)


def _listed(model: Parts, driver: Driver | None, instants: Sequence[Instant]) -> OutputTimes:
    """Rows at a list of times or positions, which must follow each other."""
    times = np.array([_time(model, driver, instant) for instant in instants], float)
    back = np.flatnonzero(np.diff(times) <= 0)
    if len(back):
        early, late = (model.units.time_text(float(times[back[0] + k])) for k in (1, 0))
        raise ModelError(f"at must increase, but t = {early} comes after t = {late}")
    if not np.all(np.isfinite(times)):
        raise ModelError("at must be finite numbers")
    return OutputTimes.listed(times)


def _over_driver(model: Parts, driver: Driver, start: float, end: Instant, step: float) -> OutputTimes:
    """Rows at equal travel of a driver, from a time to an instant; equal times where its rate is constant."""
    from mubo.laws.inversion import constant_rate

    travels = OutputTimes(_travel(model, driver, start), _travel(model, driver, end), step).grid()
    last = _time(model, driver, end)
    rate = constant_rate(driver.motion, min(start, _reference(driver)), max(last, start))
    if rate:
        return OutputTimes(start, last, step / abs(rate))
    times = _times(model, driver, travels)
    times[0], times[-1] = start, last
    return OutputTimes.listed(times)


def _one_turn(model: Parts, driver: Driver | None, without: str) -> tuple[Driver, Travel]:
    """One turn of the driver that is named, or of those that turn at a constant rate; refused where these differ."""
    from mubo.laws.inversion import constant_rate

    turn = Travel(model.units.in_own(TURN, "angle"), "angle")
    if driver is not None and driven_kind(model, driver.of) == "angle":
        return driver, turn
    turning = {
        one.name: rate
        for one in model.drivers.values()
        if driven_kind(model, one.of) == "angle"
        and (rate := constant_rate(one.motion, _reference(one), _reference(one) + 1.0))
    }
    rates = {round(abs(rate), 12) for rate in turning.values()}
    if without == "nothing" or len(rates) != 1:
        raise _missing(model, without, list(turning))
    return model.drivers[next(iter(turning))], turn


def _missing(model: Parts, without: str, turning: Sequence[str]) -> ModelError:
    """The error that nobody gave an end."""
    if model.origin is not None and model.origin.problems:
        return ModelError("\n".join(model.origin.problems))
    why = ""
    if without == "turn":
        why = f"; {', '.join(turning)} turn at different rates" if turning else "; no driver turns at a constant rate"
    return ModelError(
        f"end is missing, and the model has no [analysis] that gives it{why}",
        suggestion=command_of_analysis(model)
        or 'Give an end, such as --end 1, or over a driver: --end "1 rev" --over NAME.',
    )


def command_of_analysis(model: Parts) -> str:
    """The cure where the motion by drivers is asked of a model whose [analysis] asks for another study; else ""."""
    return {
        "simulate": "Use `mubo simulate` or `mubo run`: the model asks for a simulation.",
        "statics": "Use `mubo statics`: the model asks for its static equilibria.",
    }.get(model.analysis.type if model.analysis is not None else "", "")


def _step(model: Parts, driver: Driver | None, end: Instant) -> Travel | None:
    """The step where none is given: a degree of a driver that turns, else None for a hundredth of the time."""
    if driver is None or not isinstance(end, Travel) or driven_kind(model, driver.of) != "angle":
        return None
    return Travel(model.units.in_own(DEGREE, "angle"), "angle")
