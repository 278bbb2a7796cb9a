"""Strength on the page: what governs every part, the lines behind it, worst instants of links, and what is swept."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np

from mubo.applications.clearance.drawings import svg
from mubo.applications.gait.report import Gait
from mubo.applications.strength.checks import format_value
from mubo.applications.strength.links import WorstInstant
from mubo.applications.strength.report import Strength
from mubo.arrays import Array
from mubo.describe.gait import describe_subject, peak_lines, residual_lines, segment_lines, stride_lines
from mubo.describe.strength import ASSUMED, detail_lines, governing_lines, swept_lines, verdict
from mubo.results import Run
from mubo.view.gait import SIZE, draw_gait
from mubo.view.painters.style import figure_style
from mubo.view.report.markup import Markup, facts, heading, html, number, paragraph, section, table

WIDE, HIGH = 300.0, 74.0  # of a diagram, in units of its drawing
DIAGRAMS = (("N", "n", "force"), ("V", "v", "force"), ("M", "m", "torque"))


def strength_section(run: Run) -> Markup:
    """The section of pins, links and clearances; empty for a run without strength."""
    found: Strength | None = run.record.strength
    if found is None:
        return Markup("")
    governs, lines, room = governing_lines(found), detail_lines(found, run.units), swept_lines(found)
    notes = [("note", note) for note in (*found.notes, *found.clearance.notes)]
    swept = Markup(f'<figure class="envelope">{_envelope(found)}</figure>') if room else Markup("")
    return section(
        "strength",
        "Strength",
        Markup(paragraph(f"The mechanism is {verdict(found)}.") + _table(governs, (2, 3))),
        heading("Everything that was looked at", _table(_repeat_names(lines), (2, 3, 4, 5))),
        heading("Links when their stress is largest", Markup("".join(_links(found)))),
        heading("Swept area", Markup(_table(room, (1,)) + swept) if room else Markup("")),
        heading("To know", Markup(facts(notes) + paragraph(" ".join(ASSUMED)))),
    )


def _table(lines: list[tuple[str, ...]], right: tuple[int, ...]) -> Markup:
    return table(lines[0], lines[1:], numeric=right) if len(lines) > 1 else Markup("")


def _repeat_names(lines: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Lines of a part with its name on each."""
    out, name = [], ""
    for first, *rest in lines:
        name = first or name
        out.append((name, *rest))
    return out


def _envelope(found: Strength) -> str:
    drawn = svg(found.clearance.envelopes, found.clearance.keepouts, found.run.units.length)
    return drawn.replace("<svg ", '<svg role="img" aria-label="swept envelopes" style="max-width:34rem" ', 1)


def _links(found: Strength) -> Iterator[str]:
    """N, V, M along every link as small drawings."""
    units = found.run.units
    for name, worst in found.worst.items():
        if worst is None:
            continue
        points, check = found.links[name].beam.points, found.check(f"section {name}", "largest stress")
        stress, when = format_value(units, "stress", check.value), format_value(units, "time", worst.t, 6)
        words = (
            f"{name}, {points[0]} to {points[-1]}, t = {when}: {stress} at {format_value(units, 'length', worst.at)}"
        )
        parts = [
            _diagram(letter, worst, getattr(worst, word) / units.factor(holds), units.unit_of(holds))
            for letter, word, holds in DIAGRAMS
        ]
        yield f'<figure class="beam"><figcaption>{html(words)}</figcaption>{"".join(parts)}</figure>'


def _diagram(letter: str, worst: WorstInstant, values: Array, unit: str) -> str:
    """A filled curve over the length of the beam, with its least and greatest value."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    span = (high - low) or 1.0
    x = 8 + (WIDE - 16) * worst.s / (float(worst.s[-1]) or 1.0)
    y = 18 + (HIGH - 26) * (high - values) / span
    zero = 18 + (HIGH - 26) * high / span
    line = "L".join(f"{a:.1f},{b:.1f}" for a, b in np.column_stack([x, y]))
    area = f"M8,{zero:.1f}L{line}L{x[-1]:.1f},{zero:.1f}Z"
    label = html(f"{letter} {number(float(values.min()), 5)} … {number(float(values.max()), 5)} {unit}".strip())
    return (
        f'<svg viewBox="0 0 {WIDE:g} {HIGH:g}" role="img" aria-label="{label}" style="max-width:20rem;display:block">'
        f'<path d="{area}" fill="currentColor" fill-opacity="0.12"/>'
        f'<path d="M{line}" fill="none" stroke="currentColor" stroke-width="1.4"/>'
        f'<path d="M8,{zero:.1f}H{WIDE - 8:g}" stroke="currentColor" stroke-opacity="0.5" stroke-width="0.7"/>'
        f'<text x="8" y="11" font-size="10.5" fill="currentColor">{label}</text></svg>'
    )


def gait_section(run: Run) -> Markup:
    """The section of gait; empty for a run without gait."""
    found: Gait | None = run.record.gait
    if found is None:
        return Markup("")
    segments, strides, peaks = segment_lines(found), stride_lines(found), peak_lines(found)
    drawn = Markup("")
    if found.ok:
        drawn = Markup(f"{table(peaks[0][:4], [line[:4] for line in peaks[1:]])}<figure>{_figure(run)}</figure>")
    return section(
        "gait",
        "Gait",
        paragraph(describe_subject(found)),
        heading("Strides", table(strides[0], strides[1:])),
        heading("Joints over the cycle: least … largest of the mean", drawn),
        heading("Segments", table(segments[0], segments[1:])),
        heading("Root residual", paragraph(" ".join(" ".join(residual_lines(found)).split()))),
        facts(("note", note) for note in found.notes),
    )


def _figure(run: Run) -> str:
    """The figure as an SVG that stands in the page."""
    with figure_style() as figure_class:
        figure = figure_class(figsize=SIZE)
        draw_gait(figure, run)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    return drawn.replace("<svg ", '<svg role="img" aria-label="gait cycle" style="max-width:52rem;height:auto" ', 1)
