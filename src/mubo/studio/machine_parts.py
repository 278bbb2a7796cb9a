"""Gestures that add machine parts: welds, slots in links, rams, gears, belts, cams, dampers and torques.

Sizes that a gesture does not give are taken from the drawing (distances of pins and pivots) and stand in the file as
plain numbers, to be typed over.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mubo.elements import BODY_TORQUE, FIXED, REVOLUTE, TRANSLATIONAL
from mubo.errors import ModelError
from mubo.model import GROUND, ModelDefinition
from mubo.studio.construction import Draft, lines, revolute
from mubo.studio.edits import add_table, literal, put_inline, remove_entry, replace_value

ROLLER = 0.15  # of the distance from a cam's centre to its follower: the roller
RISE = 0.2  # of that distance: the lift
BARREL = 0.6  # of the distance of a ram's ends: its cylinder, and its rod


def weld(draft: Draft, joint: str) -> str:
    """A hinge made stiff, or a weld made a hinge again: the kind of the joint changes, its ends stay."""
    model = draft.known
    if joint not in model.joints or model.joints[joint].kind not in (REVOLUTE, FIXED):
        raise ModelError("a weld takes the place of a hinge: select one")
    new = FIXED if model.joints[joint].kind == REVOLUTE else REVOLUTE
    path = ("joint", joint)
    draft = draft.after(replace_value(draft.spans, (*path, "type"), literal(new)))
    if new == REVOLUTE and (*path, "angle") in draft.spans.entries:
        draft = draft.after(remove_entry(draft.spans, (*path, "angle")))
    for name, driver in model.drivers.items():
        if new == FIXED and driver.of == joint:
            raise ModelError(f"driver {name} moves this joint", suggestion="Delete the driver first.")
    return draft.text


def pull_apart(draft: Draft, joint: str) -> str:
    """The joint away, and what names it; both pins stay."""
    from mubo.studio.references import delete

    return delete(draft, "joint", joint)


def add_slot(draft: Draft, reference: str, body: str) -> str:
    """A pin led along a straight slot of another link, parallel to the line of that link's first two points."""
    own, _ = draft.point(reference)
    if own == body:
        raise ModelError("a pin cannot slide along its own link")
    points = [at[:2] for at in draft.known.bodies[body].points.values()]
    along = (points[1][0] - points[0][0], points[1][1] - points[0][1]) if len(points) > 1 else (1.0, 0.0)
    size = math.hypot(*along) or 1.0
    name = draft.free_letter()
    at = draft.local(body, draft.place(reference))
    draft = draft.after(put_inline(draft.spans, ("body", body, "points"), name, at))
    axis = [float(f"{x / size:.6g}") for x in along]
    return _joint(draft, "slot", [f"{body}.{name}", reference], {"axis": axis}, name).text


def add_ram(draft: Draft, first: str, second: str) -> str:
    """A cylinder and its rod between two pins, driven by a slow stroke from the length that is drawn."""
    a, b = draft.place(first), draft.place(second)
    length = draft.rounded(math.dist(a, b))
    if not length > 0:
        raise ModelError("a ram needs two pins that are apart")
    factor = draft.known.units.angle_factor()
    angle = float(f"{math.atan2(b[1] - a[1], b[0] - a[0]) / factor:.4f}")
    part = draft.rounded(BARREL * length)
    names = [draft.free_name("cylinder", "cylinder"), draft.free_name("rod", "rod")]
    letters = [draft.free_letter()]
    letters.append(draft.free_letter(letters))
    for body, at, points in (
        (names[0], a, {letters[0]: [0, 0], "end": [part, 0]}),
        (names[1], b, {letters[1]: [0, 0], "end": [-part, 0]}),
    ):
        entries = {"position": [draft.rounded(x) for x in at], "angle": angle, "points": points}
        draft = draft.after(add_table(draft.spans, ("body", body), lines(entries)))
    draft = revolute(draft, first, f"{names[0]}.{letters[0]}", letters[0])
    draft = revolute(draft, second, f"{names[1]}.{letters[1]}", letters[1])
    ends = [f"{names[0]}.{letters[0]}", f"{names[1]}.{letters[1]}"]
    draft = _joint(draft, TRANSLATIONAL, ends, {"axis": [1, 0], "angle": 0}, draft.free_name("ram", "ram"))
    ram = _last(draft, "joint")
    rate = draft.rounded(0.1 * length)
    entries = {"of": ram, "motion": {"rate": rate}, "start": "as drawn"}
    return draft.after(add_table(draft.spans, ("driver", draft.free_name("stroke", "stroke")), lines(entries))).text


def add_gears(draft: Draft, first: str, second: str) -> str:
    """Two links that turn about pivots of one carrier as a gear pair; both wheels have half the distance as radius."""
    carrier, distance = _pivots(draft, first, second)
    radius = draft.rounded(distance / 2)
    given: dict[str, Any] = {"radii": [radius, radius]}
    return _joint(draft, "gears", [first, second], given | _on(carrier), draft.free_name("gears", "gears")).text


def add_belt(draft: Draft, first: str, second: str) -> str:
    """An open belt between two links that turn about pivots of one carrier; wheels of a fifth of their distance."""
    carrier, distance = _pivots(draft, first, second)
    radius = draft.rounded(distance / 5)
    given: dict[str, Any] = {"radii": [radius, radius]}
    return _joint(draft, "belt", [first, second], given | _on(carrier), draft.free_name("belt", "belt")).text


def add_cam(draft: Draft, body: str, reference: str) -> str:
    """A cam that is a link: it lifts a pin of another one; base circle from the distance, a smooth rise each turn."""
    own, _ = draft.point(reference)
    if own == body:
        raise ModelError("a cam moves a pin of another link")
    pivot = _pivot(draft, body)
    distance = math.dist(draft.place(pivot), draft.place(reference))
    roller, rise = draft.rounded(ROLLER * distance), draft.rounded(RISE * distance)
    base = draft.rounded(distance - roller)
    if not base > 0:
        raise ModelError("the follower's pin lies on the cam's centre")
    lift = f"{rise / 2:g}*(1 - cos(t))"
    given = {"base": base, "roller": roller, "lift": lift}
    return _joint(draft, "cam_roller", [pivot, reference], given, draft.free_name("cam", "cam")).text


def add_damper(draft: Draft, first: str, second: str) -> str:
    """A damper of 100 N s/m between two pins."""
    draft.point(first), draft.point(second)
    size: Any = "100 N s/m" if draft.known.units.declared else 100
    entries = {"type": "spring", "between": [first, second], "damping": size}
    return draft.after(add_table(draft.spans, ("force", draft.free_name("damper")), lines(entries))).text


def add_torque(draft: Draft, body: str) -> str:
    """A constant torque of 1 N m on a link, counter-clockwise."""
    if body not in draft.known.bodies or body == GROUND:
        raise ModelError("a torque acts on a link")
    size: Any = "1 N m" if draft.known.units.declared else 1
    entries = {"type": BODY_TORQUE, "body": body, "torque": size}
    return draft.after(add_table(draft.spans, ("force", draft.free_name("torque")), lines(entries))).text


def _on(carrier: str) -> dict[str, str]:
    return {} if carrier == GROUND else {"carrier": carrier}


def _joint(draft: Draft, kind: str, ends: list[str], given: Mapping[str, Any], name: str) -> Draft:
    entries = {"type": kind, "between": ends, **given}
    return draft.after(add_table(draft.spans, ("joint", name), lines(entries)))


def _last(draft: Draft, section: str) -> str:
    """The name of the table of a section that was added last."""
    return str([header[1] for header in draft.spans.headers if header[0] == section][-1])


def _hinges(model: ModelDefinition, body: str) -> dict[str, str]:
    """The points about which a link turns, by the body that it is hinged to."""
    out: dict[str, str] = {}
    for joint in model.joints.values():
        bodies = [end.partition(".")[0] for end in joint.between]
        if joint.kind == REVOLUTE and len(bodies) == 2 and body in bodies:
            out[bodies[1 - bodies.index(body)]] = joint.between[bodies.index(body)]
    return out


def _pivot(draft: Draft, body: str) -> str:
    """The point about which a link turns against the ground."""
    found = _hinges(draft.known, body)
    if GROUND not in found:
        raise ModelError(f"{body} has no hinge on the ground", suggestion="Ground one of its pins first.")
    return found[GROUND]


def _pivots(draft: Draft, first: str, second: str) -> tuple[str, float]:
    """The carrier of two wheels, and the distance of their pivots."""
    one, other = (_hinges(draft.known, body) for body in (first, second))
    shared = [body for body in one if body in other and body not in (first, second)]
    if first == second or not shared:
        raise ModelError(
            f"{first} and {second} have no hinges on one body", suggestion="Ground a pin of each of them first."
        )
    carrier = GROUND if GROUND in shared else shared[0]
    distance = math.dist(draft.place(one[carrier]), draft.place(other[carrier]))
    if not distance > 0:
        raise ModelError(f"{first} and {second} turn about one pivot: wheels need two")
    return carrier, distance
