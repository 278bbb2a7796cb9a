"""Strength on the page: what governs every part, the lines behind it, worst instants of links, and what is swept."""

from __future__ import annotations

from mubo.applications.clearance.drawings import svg
from mubo.applications.gait.report import Gait
from mubo.applications.strength.checks import format_value
from mubo.applications.strength.report import Strength
from mubo.describe.gait import (
    describe_subject,
    normative_lines,
    peak_lines,
    residual_lines,
    segment_lines,
    stride_lines,
)
from mubo.describe.mission import damage_lines, mission_lines
from mubo.describe.strength import ASSUMED, detail_lines, governing_lines, swept_lines, verdict
from mubo.results import Run
from mubo.view.report.markup import Markup, facts, heading, instant, paragraph, part_link, section, table

SIGNS = "Signs as in the figures: angles and moments that flex or dorsiflex are positive, power that is generated too."


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
        heading("The mission", _table(mission_lines(found), (1, 4))),
        heading("Shares in the damage", _table(damage_lines(found), tuple(range(1, 20)))),
        heading("Everything that was looked at", _table(_repeat_names(lines), (2, 3, 4, 5))),
        heading("Links when their stress is largest", _links(found)),
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


def _links(found: Strength) -> Markup:
    """The largest stress of every link, when and where."""
    units, rows = found.run.units, []
    for name, worst in found.worst.items():
        if worst is None:
            continue
        points, check = found.links[name].beam.points, found.check(f"section {name}", "largest stress")
        where = f"{format_value(units, 'length', worst.at)} from {points[0]}, {worst.side} side"
        use = "" if check.safety is None else f"{100 * check.asked / check.safety:.3g} %"
        rows.append((part_link("body", name), format_value(units, "stress", check.value), use, instant(worst.t), where))
    time = f" [{units.unit_of('time')}]" if units.unit_of("time") else ""
    return table(("link", "largest stress", "of what is allowed", f"at t{time}", "where"), rows, numeric=(1, 2, 3))


def gait_section(run: Run) -> Markup:
    """The section of gait; empty for a run without gait."""
    found: Gait | None = run.record.gait
    if found is None:
        return Markup("")
    segments, strides, peaks = segment_lines(found), stride_lines(found), peak_lines(found)
    beside = normative_lines(found) if found.normative is not None else None
    joints = table(peaks[0][:4], [line[:4] for line in peaks[1:]])
    return section(
        "gait",
        "Gait",
        paragraph(describe_subject(found)),
        heading("Strides", table(strides[0], strides[1:])),
        heading("Joints over the cycle: least … largest of the mean", Markup(joints + paragraph(SIGNS) * bool(joints))),
        heading("Reference group", Markup("") if beside is None else table(beside[0], beside[1:])),
        heading("Segments", table(segments[0], segments[1:])),
        heading("Root residual", paragraph(" ".join(" ".join(residual_lines(found)).split()))),
        facts(("note", note) for note in found.notes),
    )
