"""Small pieces of HTML: text that is safe, numbers as people read them, tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from mubo.elements import Option
from mubo.laws.number_text import number, with_prefix
from mubo.laws.number_text import unit_text as unit_text
from mubo.model import Units
from mubo.model.options import measured
from mubo.results import Run
from mubo.results.rounding import clear_number

MOST_ROWS = 1_000  # of a table; more are not read on a page
CLOSED = ("model", "mobility", "equations", "reproduce")
_SECTION = re.compile(r'<section id="(\w+)">.*?<h2>(.*?)</h2>')


def player_markup(pane: str) -> str:
    """The player of a stage: time, speed, and buttons of its panes; `pane` is the word for the right one."""
    text = (files("mubo.view.report") / "player.html").read_text(encoding="utf-8")
    return text.replace("$pane", pane)


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def html(value: Any) -> str:
    """The text of a cell: markup as it is, numbers shortened, everything else escaped."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, bool) or value is None:
        return "" if value is None else ("yes" if value else "no")
    if isinstance(value, int | float):
        return number(value)
    return escape(str(value))


def zero_rounding(values: Iterable[float], scale: float = 0.0) -> list[float]:
    """Numbers with zeros where only rounding is left, against the largest of them or a larger scale."""
    known = list(values)
    return [clear_number(value, scale, *known) for value in known]


def vector(values: Iterable[float], scale: float = 0.0) -> str:
    """(1, 0); what is rounding against the others, or against a larger scale, is zero."""
    return "(" + ", ".join(number(value) for value in zero_rounding(values, scale)) + ")"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], numeric: Iterable[int] = ()) -> Markup:
    """A table with a head; columns in `numeric` stand right. Empty for no rows; columns that are empty are left out,
    and rows that nobody reads, which a sentence below it states."""
    right, rows = set(numeric), list(rows)
    more = f"{len(rows):,} rows, of which the first {MOST_ROWS:,} are shown." if len(rows) > MOST_ROWS else ""
    rows = rows[:MOST_ROWS]
    columns = [_zero_column(cells) if k in right else cells for k, cells in enumerate(zip(*rows, strict=True))]
    cells_of_rows = [[html(cell) for cell in row] for row in zip(*columns, strict=True)]
    if not cells_of_rows:
        return Markup("")
    kept = [k for k in range(len(head)) if any(row[k] for row in cells_of_rows)]

    def line(tag: str, cells: Sequence[str]) -> str:
        parts = []
        for k in kept:
            name = "th" if cells[k] and (tag == "th" or k == kept[0]) else "td"
            scope = "" if name == "td" else ' scope="col"' if tag == "th" else ' scope="row"'
            kind = ' class="number"' if k in right else ""
            parts.append(f"<{name}{scope}{kind}>{cells[k]}</{name}>")
        return "<tr>" + "".join(parts) + "</tr>"

    body = "\n".join(line("td", row) for row in cells_of_rows)
    head_line = line("th", [html(cell) for cell in head])
    shown = f'<div class="wide"><table><thead>{head_line}</thead>\n<tbody>{body}</tbody></table></div>'
    return Markup(shown + paragraph(more))


def _zero_column(cells: Sequence[Any]) -> list[Any]:
    """A column of numbers, in which rounding against the largest is zero."""
    known = [cell for cell in cells if isinstance(cell, float)]
    zeros = iter(zero_rounding(known))
    return [next(zeros) if isinstance(cell, float) else cell for cell in cells]


def facts(rows: Iterable[tuple[str, Any]]) -> Markup:
    """A list of terms with their descriptions."""
    entries = [f"<div><dt>{html(term)}</dt><dd>{html(text)}</dd></div>" for term, text in rows]
    return Markup(f'<dl class="facts">{"".join(entries)}</dl>') if entries else Markup("")


def prefixed(values: Sequence[float], unit: str, scale: float = 0.0) -> tuple[list[float], str]:
    """Values of one unit with the SI prefix of the largest, and that unit.

    What is rounding against the largest, or against a larger scale, is zero.
    """
    known = zero_rounding(values, scale)
    largest = max((abs(value) for value in known if math.isfinite(value)), default=0.0)
    factor, shown = with_prefix(largest, unit)
    return [value / factor for value in known], unit_text(shown)


def instant(t: float, digits: int = 4) -> Markup:
    """A time that leads to its instant."""
    return Markup(f'<a href="#t={t:.9g}" data-t="{t!r}">{number(t, digits)}</a>')


def part_link(kind: str, name: str, text: str = "") -> Markup:
    """A name that lights up its "body", "joint", "point" or "driver" in the drawing."""
    part = html(f"{kind}:{name}")
    return Markup(f'<a href="#part={part}" data-part="{part}">{html(text or name)}</a>')


def section(name: str, title: str, *parts: str) -> Markup:
    """A part of the page; empty if it holds nothing. Those that are CLOSED at first are opened by their heading, by a
    link to them, on paper and where no script runs."""
    filled = [part for part in parts if part]
    if not filled:
        return Markup("")
    inner = "\n".join(filled)
    first = " data-closed" if name in CLOSED else ""
    head = f'<section id="{name}"><details open{first}><summary><h2>{html(title)}</h2></summary>'
    return Markup(f'{head}\n<div class="blocks">{inner}</div>\n</details></section>')


def contents(sections: Iterable[str]) -> Markup:
    """A list of links to the sections."""
    found = [match for part in sections for match in _SECTION.findall(part)]
    return Markup("".join(f'<li><a href="#{name}">{title}</a></li>' for name, title in found))


def heading(title: str, part: str) -> Markup:
    """A part under a smaller heading, which may stand beside others; empty if the part is."""
    return Markup(f'<div class="block"><h3>{html(title)}</h3>\n{part}</div>') if part else Markup("")


def paragraph(text: str) -> Markup:
    return Markup(f"<p>{html(text)}</p>") if text else Markup("")


def unit_of(units: Units, holds: str, order: int = 0) -> str:
    """Unit of a quantity, as it is printed."""
    return unit_text(units.unit_of(holds, order))


def unit_bracket(units: Units, holds: str, order: int = 0) -> str:
    """ " [m]", to follow the head of a column."""
    unit = unit_of(units, holds, order)
    return f" [{unit}]" if unit else ""


def residual_unit(units: Units, order: int = 0) -> str:
    """The unit of residuals: some are lengths, others angles, always in radians; none where lengths carry no unit."""
    if not units.declared or not units.unit_of("length"):
        return ""
    time = units.time or "s"
    per = ("", f"/{time}", f"/{time}^2")[order]
    return " or ".join(unit_text(word + per) for word in (units.length or "m", "rad"))


def residual_text(units: Units, value: float, order: int = 0) -> str:
    """A residual in two digits; zero needs no unit."""
    return with_unit(number(value, 2), residual_unit(units, order) if value else "")


def with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}" if unit else text


def option_unit(units: Units, option: Option, of: str) -> tuple[float, str]:
    """Factor and unit of an option of a joint or load; `of` is what the coordinate holds that it belongs to."""
    if option.holds in ("length", "lengths"):
        return 1.0, unit_of(units, "length")
    if option.holds == "coordinate":
        return 1.0, unit_of(units, of or "length")
    if option.holds not in ("number", "law"):
        return 1.0, ""
    factor, unit, _ = units.unit(measured(option, of))
    return factor, unit_text(unit)


def momentum_unit(units: Units, name: str) -> str:
    """Unit of a "linear_momentum" or an "angular_momentum"."""
    if not units.declared:
        return ""
    length, angular = units.length or "m", name == "angular_momentum"
    if units.force:
        return f"{units.force} {length + ' ' if angular else ''}{units.time or 's'}"
    return f"{units.mass or 'kg'} {length}{'²' * angular}/{units.time or 's'}"


def law_text(run: Run, driver: str) -> str:
    """The law of a driver, with its unit: "45 + 360*t, in deg"."""
    value = f"{driver}.value"
    unit = unit_text(run.unit(value)) if value in run.columns else ""
    words = run.model.drivers[driver].description
    return f"{words}, in {unit}" if unit else words
