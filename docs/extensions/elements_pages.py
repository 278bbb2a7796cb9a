"""One page an element of the model file: joints, couplings, drivers and loads, from their declarations."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mubo.cli.examples import example_files
from mubo.elements import DRIVERS, JOINTS, LOADS, PLANE_LOADS, SPATIAL_DRIVERS, SPATIAL_JOINTS, Element, Option
from mubo.mappings import Registry

GROUPS: tuple[tuple[str, str, Registry[Element], int], ...] = (
    ("joints_plane", "Joints and couplings of the plane", JOINTS, 2),
    ("joints_space", "Joints of space", SPATIAL_JOINTS, 3),
    ("drivers_plane", "Drivers of the plane", DRIVERS, 2),
    ("drivers_space", "Drivers of space", SPATIAL_DRIVERS, 3),
    ("loads_plane", "Loads of the plane", PLANE_LOADS, 2),
    ("loads_space", "Loads of space", LOADS, 3),
)
_LABELS = (
    "What moves",
    "What acts",
    "Zero",
    "Positive",
    "DOF",
    "Formula",
    "Energy",
    "Degenerate",
    "Checked in",
    "Source",
)


def write_elements(folder: Path) -> None:
    """Write an index and a page an element below `folder`."""
    listed = ["# Elements", "", "Every joint, coupling, driver and load of the model file, from its declaration.", ""]
    pages = []
    for key, title, registry, dimension in GROUPS:
        listed += [f"## {title}", "", "| element | meaning |", "|---|---|"]
        for name in registry:
            element = registry[name]
            page = f"{key}_{name}"
            pages.append(page)
            listed.append(f"| [{name}]({page}.md) | {element.summary} |")
            (folder / f"{page}.md").write_text(_page(name, title, element, registry, dimension))
        listed.append("")
    toc = "\n".join(pages)
    (folder / "index.md").write_text("\n".join(listed) + f"\n```{{toctree}}\n:hidden:\n\n{toc}\n```\n")


def _page(name: str, title: str, element: Element, registry: Registry[Element], dimension: int) -> str:
    text = _docstring(registry, name)
    parts = [f"# {name}", f"*{title}.* {_sentence(element.summary)}", _facts(text), _example(text)]
    if element.options:
        parts += ["## Keys", _options(element.options)]
    uses = _uses(name, dimension)
    if uses:
        parts += ["## In the gallery", uses]
    return "\n\n".join(part for part in parts if part) + "\n"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _docstring(registry: Registry[Element], name: str) -> str:
    registry[name]
    place = registry._places[name].partition(":")[0]
    return sys.modules[place].__doc__ or ""


def _facts(text: str) -> str:
    """Return the labelled lines of a declaration's docstring as a table."""
    found = re.findall(r"^(\w[\w ]*?):[ ]+(.*(?:\n {10,}\S.*)*)", text, re.MULTILINE)
    rows = []
    for label, value in found:
        value = " ".join(value.split()).replace("|", "\\|")
        shown = f"`{value}`" if label == "Formula" else value
        rows.append(f"| {label} | {shown} |")
    return "\n".join(["| | |", "|---|---|", *rows]) if rows else ""


def _example(text: str) -> str:
    block = re.search(r"\n\n((?:    .*\n?)+)\s*$", text)
    if not block:
        return ""
    lines = "\n".join(line[4:] for line in block.group(1).rstrip().splitlines())
    return f"```toml\n{lines}\n```"


def _options(options: tuple[Option, ...]) -> str:
    rows = ["| key | measures | meaning | default |", "|---|---|---|---|"]
    for option in options:
        kind = ", ".join(f"`{word}`" for word in option.holds) if isinstance(option.holds, tuple) else option.measures
        default = "required" if option.required else "" if option.default is None else f"`{option.default}`"
        rows.append(f"| `{option.name}` | {kind if kind != 'number' else ''} | {option.meaning} | {default} |")
    return "\n".join(rows)


def _uses(name: str, dimension: int) -> str:
    tiles = []
    for stem, path in example_files().items():
        text = path.read_text() if path.suffix == ".toml" else ""
        in_space = bool(re.search(r"^dimension = 3", text, re.MULTILINE))
        if re.search(rf'^type = "{name}"', text, re.MULTILINE) and in_space == (dimension == 3):
            picture = f'<img src="../../gallery/{stem}.gif" alt="Film of {stem}" loading="lazy">'
            tiles.append(f'<a class="tile" href="../gallery/{stem}.html">{picture}<strong>{stem}</strong></a>')
    return f'<div class="gallery">{"".join(tiles[:3])}</div>' if tiles else ""
