"""Ten linkages to begin with, each by a few lengths: the text of a model file, drawn where its links close.

A linkage is a set of pins in ground axes and of links between them; a pin that two links share is a hinge. The text has
points, joints and a driver, as a hand would have drawn them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mubo.elements import REVOLUTE
from mubo.errors import ModelError
from mubo.model import GROUND
from mubo.studio.construction import NEW, lines
from mubo.studio.edits import spell

Place = tuple[float, float]
FIRST = math.radians(60)  # angle of the crank as drawn


@dataclass(frozen=True)
class LinkagePlan:
    """Pins of a linkage in ground axes, links by the letters of their pins, and what moves it."""

    pins: Mapping[str, Place]
    links: Mapping[str, str]
    ground: str  # pins on the ground
    driver: str = "A"  # a joint, or a coordinate such as "bar.phi"
    motion: Mapping[str, Any] | str = field(default_factory=lambda: {"rate": "60 rpm"})
    slides: Mapping[str, Place] = field(default_factory=dict)  # pins led along the ground, with the direction
    slots: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # pins led along a link: the link, its first pin
    traces: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # points of interest: the link, its pin


@dataclass(frozen=True)
class Linkage:
    """A linkage to begin with: what it is, and its lengths with their first values in mm."""

    title: str
    lengths: Mapping[str, float]
    plan: Callable[..., LinkagePlan]


def meet(a: Place, r: float, b: Place, s: float, side: float = 1.0) -> Place:
    """Where circles of radius r about a and s about b meet, left (side 1) or right of the line from a to b."""
    d = math.dist(a, b)
    if not abs(r - s) < d < r + s:
        raise ModelError(
            f"links of {r:g} and {s:g} do not meet over a distance of {d:.4g}", suggestion="Take other lengths."
        )
    along = (d * d + r * r - s * s) / (2 * d)
    across = side * math.sqrt(r * r - along * along)
    ux, uy = (b[0] - a[0]) / d, (b[1] - a[1]) / d
    return a[0] + along * ux - across * uy, a[1] + along * uy + across * ux


def _at(origin: Place, r: float, angle: float) -> Place:
    return origin[0] + r * math.cos(angle), origin[1] + r * math.sin(angle)


def _four_bar(crank: float, coupler: float, rocker: float, ground: float) -> LinkagePlan:
    a, d = (0.0, 0.0), (ground, 0.0)
    b = _at(a, crank, FIRST)
    c = meet(b, coupler, d, rocker)
    return LinkagePlan({"A": a, "B": b, "C": c, "D": d}, {"crank": "AB", "coupler": "BC", "rocker": "CD"}, "AD")


def _slider_crank(crank: float, rod: float, offset: float) -> LinkagePlan:
    b = _at((0, 0), crank, FIRST)
    if not abs(offset - b[1]) < rod:
        raise ModelError(f"a rod of {rod:g} does not reach the guide", suggestion="Take a longer rod.")
    c = (b[0] + math.sqrt(rod**2 - (offset - b[1]) ** 2), offset)
    pins = {"A": (0.0, 0.0), "B": b, "C": c}
    return LinkagePlan(pins, {"crank": "AB", "rod": "BC"}, "A", slides={"C": (1, 0)}, traces={"P": ("rod", "C")})


def _parallelogram(crank: float, ground: float) -> LinkagePlan:
    b = _at((0, 0), crank, FIRST)
    pins = {"A": (0.0, 0.0), "B": b, "C": (b[0] + ground, b[1]), "D": (ground, 0.0)}
    return LinkagePlan(pins, {"crank": "AB", "coupler": "BC", "rocker": "CD"}, "AD", motion="60 + 40*sin(2*pi*t)")


def _chebyshev(crank: float) -> LinkagePlan:
    a, d = (0.0, 0.0), (2 * crank, 0.0)
    b = _at(a, crank, math.radians(120))
    c = meet(b, 2.5 * crank, d, 2.5 * crank)
    p = (2 * c[0] - b[0], 2 * c[1] - b[1])
    pins = {"A": a, "B": b, "C": c, "D": d, "E": p}
    return LinkagePlan(pins, {"crank": "AB", "coupler": "BCE", "rocker": "CD"}, "AD", traces={"P": ("coupler", "E")})


def _watt(arm: float, coupler: float) -> LinkagePlan:
    b, c = (arm, coupler / 2), (arm, -coupler / 2)
    pins = {"A": (0.0, coupler / 2), "B": b, "C": c, "D": (2 * arm, -coupler / 2), "E": (arm, 0.0)}
    links = {"arm": "AB", "coupler": "BCE", "other_arm": "CD"}
    return LinkagePlan(pins, links, "AD", motion="20*sin(2*pi*t)", traces={"P": ("coupler", "E")})


def _quick_return(crank: float, ground: float, arm: float) -> LinkagePlan:
    d = (0.0, -ground)
    b = _at((0, 0), crank, FIRST)
    far = math.dist(d, b)
    end = (d[0] + (b[0] - d[0]) * arm / far, d[1] + (b[1] - d[1]) * arm / far)
    pins = {"A": (0.0, 0.0), "B": b, "D": d, "E": end}
    links = {"crank": "AB", "arm": "DE"}
    return LinkagePlan(pins, links, "AD", slots={"B": ("arm", "D")}, traces={"P": ("arm", "E")})


def _six_bar(crank: float, coupler: float, rocker: float, ground: float, link: float) -> LinkagePlan:
    plan = _four_bar(crank, coupler, rocker, ground)
    b, c = plan.pins["B"], plan.pins["C"]
    e = meet(b, coupler, c, coupler * 0.6)
    g = (ground * 1.6, ground * 0.4)
    f = meet(e, link, g, link)
    pins = {**plan.pins, "E": e, "F": f, "G": g}
    links = {"crank": "AB", "coupler": "BCE", "rocker": "CD", "link": "EF", "output": "FG"}
    return LinkagePlan(pins, links, "ADG", traces={"P": ("coupler", "E")})


def _peaucellier(crank: float, long_arm: float, short_arm: float) -> LinkagePlan:
    o, a = (0.0, 0.0), (crank, 0.0)
    b = _at(a, crank, math.radians(20))
    c, d = (meet(o, long_arm, b, short_arm, side) for side in (1, -1))
    p = (c[0] + d[0] - b[0], c[1] + d[1] - b[1])
    pins = {"O": o, "A": a, "B": b, "C": c, "D": d, "P": p}
    links = {"crank": "AB", "arm1": "OC", "arm2": "OD", "bar1": "BC", "bar2": "BD", "bar3": "CP", "bar4": "DP"}
    return LinkagePlan(pins, links, "OA", motion="30*sin(2*pi*t)", traces={"Q": ("bar3", "P")})


def _trammel(bar: float, handle: float) -> LinkagePlan:
    a, b = (bar * math.cos(FIRST), 0.0), (0.0, bar * math.sin(FIRST))
    part = handle / bar
    p = (a[0] + (a[0] - b[0]) * part, a[1] + (a[1] - b[1]) * part)
    pins = {"A": a, "B": b, "E": p}
    slides = {"A": (1.0, 0.0), "B": (0.0, 1.0)}
    return LinkagePlan(pins, {"bar": "ABE"}, "", driver="bar.phi", slides=slides, traces={"P": ("bar", "E")})


def _toggle_press(crank: float, rod: float, arm: float) -> LinkagePlan:
    top = (0.0, 0.0)
    pivot = (-(rod + 0.3 * arm), -arm)
    b = _at(pivot, crank, FIRST)
    c = meet(b, rod, top, arm, -1)
    ram = (0.0, c[1] - math.sqrt(max(arm**2 - c[0] ** 2, 1e-12)))
    pins = {"A": pivot, "B": b, "C": c, "D": top, "E": ram}
    links = {"crank": "AB", "rod": "BC", "upper": "CD", "lower": "CE"}
    return LinkagePlan(pins, links, "AD", slides={"E": (0.0, 1.0)}, traces={"P": ("lower", "E")})


LINKAGES: Mapping[str, Linkage] = {
    "four-bar": Linkage("Four-bar", {"crank": 40, "coupler": 120, "rocker": 80, "ground": 100}, _four_bar),
    "slider-crank": Linkage("Slider-crank", {"crank": 40, "rod": 120, "offset": 0}, _slider_crank),
    "parallelogram": Linkage("Parallelogram", {"crank": 60, "ground": 120}, _parallelogram),
    "chebyshev": Linkage("Chebyshev straight line", {"crank": 40}, _chebyshev),
    "watt": Linkage("Watt straight line", {"arm": 100, "coupler": 60}, _watt),
    "quick-return": Linkage("Quick return", {"crank": 40, "ground": 100, "arm": 180}, _quick_return),
    "six-bar": Linkage("Six-bar", {"crank": 40, "coupler": 120, "rocker": 80, "ground": 100, "link": 130}, _six_bar),
    "peaucellier": Linkage("Peaucellier straight line", {"crank": 50, "long arm": 160, "short arm": 70}, _peaucellier),
    "trammel": Linkage("Ellipse trammel", {"bar": 100, "handle": 60}, _trammel),
    "toggle-press": Linkage("Toggle press", {"crank": 25, "rod": 140, "arm": 100}, _toggle_press),
}


def linkage_text(kind: str, lengths: Sequence[float], title: str) -> str:
    """The model file of a linkage with these lengths in mm; those that do not close are refused."""
    if kind not in LINKAGES:
        raise ModelError(f'there is no linkage "{kind}"')
    known = LINKAGES[kind]
    given = list(lengths) or list(known.lengths.values())
    named = dict(zip(known.lengths, given, strict=False))
    if len(given) != len(known.lengths) or not all(x > 0 or name == "offset" for name, x in named.items()):
        raise ModelError(f"{known.title} takes positive lengths: {', '.join(known.lengths)}")
    plan = known.plan(*map(float, given))
    parts = [NEW.format(name=title)]
    parts += [f"\n[{table}]\n{lines(entries)}" for table, entries in _tables(plan)]
    return "".join(parts) + "\n[analysis]\nend = 1\nstep = 0.01\n"


def _tables(plan: LinkagePlan) -> list[tuple[str, dict[str, Any]]]:
    """All tables of a plan, in the order of a file."""
    fixed = {name: list(_rounded(plan.pins[name])) for name in (*plan.ground, *plan.slides)}
    bodies = [(f"body.{GROUND}", {"points": fixed})]
    joints: list[tuple[str, dict[str, Any]]] = []
    holders = dict.fromkeys(plan.ground, GROUND)
    for body, pins in plan.links.items():
        bodies.append((f"body.{body}", _body(plan, pins)))
        for pin in pins:
            if pin in holders:
                ends = [f"{holders[pin]}.{pin}", f"{body}.{pin}"]
                joints.append((f"joint.{_free(pin, joints)}", {"type": REVOLUTE, "between": ends}))
            holders.setdefault(pin, body)
    for pin, axis in plan.slides.items():
        ends = [f"{GROUND}.{pin}", f"{holders[pin]}.{pin}"]
        joints.append((f"joint.{_free(pin, joints)}", {"type": "slot", "between": ends, "axis": list(axis)}))
    for pin, (body, first) in plan.slots.items():
        ends = [f"{body}.{first}", f"{holders[pin]}.{pin}"]
        joints.append((f"joint.{_free(pin, joints)}", {"type": "slot", "between": ends, "axis": [1, 0]}))
    driver: dict[str, Any] = {"of": plan.driver, "motion": plan.motion}
    if not isinstance(plan.motion, str):
        driver["start"] = "as drawn"
    points = [(f"point.{name}", {"body": body, "at": pin}) for name, (body, pin) in plan.traces.items()]
    return [*bodies, *joints, ("driver.motor", driver), *points]


def _free(pin: str, joints: Sequence[tuple[str, Any]]) -> str:
    """A name of a joint at a pin: its letter, with a number where several links meet."""
    used = {name for name, _ in joints}
    names = (pin, *(f"{pin}{k}" for k in range(2, 9)))
    return next(name for name in names if f"joint.{name}" not in used)


def _body(plan: LinkagePlan, pins: str) -> dict[str, Any]:
    """A link with its first pin at its origin and its x axis towards the second."""
    (x, y), second = plan.pins[pins[0]], plan.pins[pins[1]]
    angle = math.atan2(second[1] - y, second[0] - x)
    c, s = math.cos(angle), math.sin(angle)
    points = {}
    for pin in pins:
        dx, dy = plan.pins[pin][0] - x, plan.pins[pin][1] - y
        points[pin] = list(_rounded((c * dx + s * dy, c * dy - s * dx)))
    return {"position": list(_rounded((x, y))), "angle": float(spell(math.degrees(angle), 4)), "points": points}


def _rounded(at: Place) -> Place:
    return float(spell(at[0], 6)), float(spell(at[1], 6))
