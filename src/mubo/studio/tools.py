"""The tools of the studio, declared once: what each changes, what it takes, and at which parts the page offers it.

`on` are the kinds of what is selected: "body", "joint", "pin" (a point of a body that may be joined), "point" (of
interest). `fill` says which arguments come from the selection: its "name", its "kind", or its "pin" ("crank.B", of a
joint the one on its moving body). `then` is what the page lets the hand choose next, "pin" or "body", for the argument
`for_`. A tool without `on` belongs to another gesture of the page. The page gets the table with the list of files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mubo.studio import bars
from mubo.studio import construction as build
from mubo.studio import machine_parts as parts
from mubo.studio import references as refer
from mubo.studio.checks import Check, is_name, is_names, is_number, is_pair, is_path, is_place

NAMED = ("body", "joint", "driver", "force", "point")


def _is_kind(value: Any) -> bool:
    return value in NAMED


@dataclass(frozen=True)
class Tool:
    """A gesture that changes the text: its function, the arguments with their forms, and where the page offers it."""

    function: Callable[..., str]
    keys: Mapping[str, Check]
    title: str = ""
    on: tuple[str, ...] = ()
    fill: Mapping[str, str] = field(default_factory=dict)
    then: str = ""
    for_: str = ""
    unless: str = ""  # a state of the selected joint in which it makes no sense: "driven" or "grounded"


def _at_pin(function: Callable[..., str], title: str, unless: str = "") -> Tool:
    return Tool(function, {"reference": is_name}, title, ("pin", "joint"), {"reference": "pin"}, unless=unless)


def _to_pin(function: Callable[..., str], title: str) -> Tool:
    keys = {"first": is_name, "second": is_name}
    return Tool(function, keys, title, ("pin", "joint"), {"first": "pin"}, "pin", "second")


def _to_body(function: Callable[..., str], title: str) -> Tool:
    keys = {"first": is_name, "second": is_name}
    return Tool(function, keys, title, ("body",), {"first": "name"}, "body", "second")


def _of_body(function: Callable[..., str], title: str) -> Tool:
    return Tool(function, {"body": is_name}, title, ("body",), {"body": "name"})


def _of_joint(function: Callable[..., str], title: str, unless: str = "") -> Tool:
    return Tool(function, {"joint": is_name}, title, ("joint",), {"joint": "name"}, unless=unless)


TOOLS: Mapping[str, Tool] = {
    "link": Tool(build.add_link, {"start": is_place, "end": is_place, "on": is_pair}),
    "pin": Tool(build.add_pin, {"body": is_name, "at": is_place}),
    "trace": Tool(build.add_trace, {"body": is_name, "at": is_place}),
    "length": Tool(build.set_length, {"body": is_name, "ends": is_pair, "length": is_number}),
    "parameter": Tool(refer.make_parameter, {"path": is_path, "name": is_name}),
    "masses": Tool(bars.add_masses, {"bodies": is_names}),
    "sections": Tool(bars.add_sections, {"bodies": is_names}),
    "driver": _of_joint(build.add_driver, "a motor of 60 rpm; of a slide, a slow stroke", "driven"),
    "ground": _at_pin(build.add_ground, "fix this pin to the ground", "grounded"),
    "slider": _at_pin(build.add_slider, "lead this pin along a straight slot of the ground", "grounded"),
    "join": _to_pin(build.join, "join it to another pin: click that one"),
    "pull apart": _of_joint(parts.pull_apart, "take the joint away; both pins stay"),
    "weld": _of_joint(parts.weld, "make the hinge stiff, or a weld a hinge again"),
    "slot": Tool(
        parts.add_slot,
        {"reference": is_name, "body": is_name},
        "lead this pin along another link: click that one",
        ("pin", "joint"),
        {"reference": "pin"},
        "body",
        "body",
    ),
    "ram": _to_pin(parts.add_ram, "a cylinder with its rod to another pin: click that one"),
    "spring": _to_pin(build.add_spring, "spring to another pin: click that one"),
    "damper": _to_pin(parts.add_damper, "damper to another pin: click that one"),
    "force": _at_pin(build.add_force, "a force of 10 N downwards"),
    "mass": _of_body(lambda draft, body: bars.add_masses(draft, [body]), "mass of a steel bar, and gravity"),
    "torque": _of_body(parts.add_torque, "a torque of 1 N m"),
    "gears": _to_body(parts.add_gears, "gear pair with another link: click that one"),
    "belt": _to_body(parts.add_belt, "belt to another link: click that one"),
    "cam": Tool(
        parts.add_cam,
        {"body": is_name, "reference": is_name},
        "make this link a cam that lifts a pin: click that one",
        ("body",),
        {"body": "name"},
        "pin",
        "reference",
    ),
    "duplicate": _of_body(refer.duplicate, "a copy beside it"),
    "mirror": _of_body(refer.mirror, "turn its shape over: y of all its points changes sign"),
    "rename": Tool(refer.rename, {"kind": _is_kind, "old": is_name, "new": is_name}),
    "delete": Tool(
        refer.delete,
        {"kind": _is_kind, "name": is_name},
        "delete (Del)",
        ("body", "joint", "pin", "point", "force", "driver"),
        {"kind": "kind", "name": "name"},
    ),
}


def tool_table() -> list[dict[str, Any]]:
    """The tools that the page offers at what is selected, in their order."""
    keys = ("title", "on", "fill", "then", "unless")
    return [
        {"name": name, **{key: getattr(tool, key) for key in keys}, "for": tool.for_}
        for name, tool in TOOLS.items()
        if tool.on
    ]
