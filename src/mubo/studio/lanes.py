"""Requests of which only the newest is answered, each in a thread of its own kind: what they ask of an open model.

`hand` answers what follows a hand, within a picture; `solver` answers what takes longer. `windows` orders the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.model.coordinates import grounded
from mubo.studies import STUDIES
from mubo.studio.designing import designs_message, influence_message, synthesized
from mubo.studio.following import followed
from mubo.studio.released import Hold, ReleasedMechanism
from mubo.studio.replies import modes_message
from mubo.studio.session import Session

Message = Mapping[str, Any]
MOST_EQUILIBRIA = 12


@dataclass(frozen=True)
class Lane:
    """A kind of requests: the thread that answers them, and the answer."""

    thread: str  # "hand" or "solver"
    answer: Callable[[Session, Message], dict[str, Any]]


def solve_slide(session: Session, message: Message) -> dict[str, Any]:
    """The motion with another value of a parameter, not written."""
    return _tried(session, message, session.set_value(message), brief=True)


def solve_rest(session: Session, message: Message) -> dict[str, Any]:
    """The whole answer to a drag that rests, not written."""
    text = session.tried(message["gesture"])
    return {"is": "nothing"} if text is None else _tried(session, message, text, brief=False)


def _tried(session: Session, message: Message, text: str, brief: bool) -> dict[str, Any]:
    answer = session.solve(text, session.document.version, brief)
    return {**answer, **{key: message[key] for key in ("gesture", "number") if key in message}}


def find_modes(session: Session, message: Message) -> dict[str, Any]:
    """The assembly modes, each with the poses of its bodies."""
    return modes_message(session.known_model)


def synthesize(session: Session, message: Message) -> dict[str, Any]:
    """Linkages for what a hand drew; `designs` keeps their texts."""
    model = session.answer.model if session.answer is not None else None
    found = synthesized(message["task"], message["rows"], model.units if model is not None else None)
    answer = designs_message(found, session.document.path)
    session.designs = [one.pop("text") for one in answer["designs"]]
    return answer


def find_influence(session: Session, message: Message) -> dict[str, Any]:
    """The lengths that move a point of interest, and its tolerance band."""
    return influence_message(session.known_model, message["point"], float(message["t"]))


def follow(session: Session, message: Message) -> dict[str, Any]:
    """The design whose path comes nearest to the targets; the page shows it, and `adopt` writes it."""
    places = (message["point"], message["targets"], min(message["decimals"], 9))
    text, words = followed(session.document.text, session.document.path, *places)
    session.proposal = (session.document.version, text)
    answer = session.solve(text, session.document.version, brief=True)
    return {**answer, "follows": words}


def advance(session: Session, message: Message) -> dict[str, Any]:
    """The released mechanism after the time that has passed; `begin` releases it from where it is shown."""
    if message["begin"] or session.released is None:
        model = session.known_model
        at = [pose for name, pose in session.poses(float(message["t"])).items() if name not in {*grounded(model)}]
        spread = max((abs(x) for body in model.bodies.values() for p in body.points.values() for x in p[:2]), default=1)
        if not at:
            raise ModelError("nothing can move: there is no link that is free")
        session.released = ReleasedMechanism(model, session.poses(float(message["t"])), spread or 1.0)
    body = message.get("body", "")
    hold = Hold(body, tuple(message["at"]), tuple(message["to"])) if body else None
    session.released.advance(float(message["seconds"]), hold)
    return session.released.frame()


def find_equilibria(session: Session, message: Message) -> dict[str, Any]:
    """The equilibria of the mechanism with its drivers left free, each with its stability and poses."""
    model = session.known_model
    if model.dimension != 2:
        raise ModelError("equilibria are drawn in the plane", suggestion="`mubo statics` lists them in space.")
    study = STUDIES["statics"]
    run = study.function(model, study.read(model, {"free": list(model.drivers)}))
    entries = run.summary.get("equilibria", [])
    out = [
        {"number": one["number"], "stability": one["stability"], "bodies": _poses(model, run, row), "at": _place(one)}
        for row, one in enumerate(entries[:MOST_EQUILIBRIA])
    ]
    session.equilibria = {one["number"]: one["bodies"] for one in out}
    return {"is": "equilibria", "equilibria": out, "free": list(model.drivers), "notes": run.summary["warnings"][:1]}


def _poses(model: ModelDefinition, run: Any, row: int) -> dict[str, list[float]]:
    factor = model.units.angle_factor()
    names = [name for name in model.bodies if f"{name}.x" in run.columns]
    return {
        name: [float(run[f"{name}.{word}"][row]) * (factor if word == "phi" else 1.0) for word in ("x", "y", "phi")]
        for name in names
    }


def _place(entry: Mapping[str, Any]) -> str:
    """The coordinates of an equilibrium in words."""
    units = entry["units"]
    texts = (f"{name} = {value:.4g} {units[name]}".rstrip() for name, value in entry["coordinates"].items())
    return ", ".join(texts).replace("-", "−")


LANES: Mapping[str, Lane] = {
    "drag": Lane("hand", lambda session, message: session.move(message)),
    "live": Lane("hand", advance),
    "slide": Lane("solver", solve_slide),
    "rest": Lane("solver", solve_rest),
    "modes": Lane("solver", find_modes),
    "synthesize": Lane("solver", synthesize),
    "influence": Lane("solver", find_influence),
    "follow": Lane("solver", follow),
    "equilibria": Lane("solver", find_equilibria),
}
