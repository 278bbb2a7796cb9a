"""Gait on the page: who, strides, peaks of the joints, the figure over the cycle, and the root residual."""

from __future__ import annotations

import io

from mubo.applications.gait.describe_gait import peak_lines, residual_words, segment_lines, stride_lines, who
from mubo.applications.gait.report import Gait
from mubo.results import Run
from mubo.view.gait import SIZE, draw_gait
from mubo.view.report.markup import Markup, facts, heading, paragraph, section, table
from mubo.view.style import styled


def gait_section(run: Run) -> Markup:
    """What was found of somebody's walk; empty where it was not asked for."""
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
        paragraph(who(found)),
        heading("Strides", table(strides[0], strides[1:])),
        heading("Joints over the cycle: least … largest of the mean", drawn),
        heading("Segments", table(segments[0], segments[1:])),
        heading("Root residual", paragraph(" ".join(" ".join(residual_words(found)).split()))),
        facts(("note", note) for note in found.notes),
    )


def _figure(run: Run) -> str:
    """The figure as an SVG that stands in the page."""
    with styled() as figure_class:
        figure = figure_class(figsize=SIZE)
        draw_gait(figure, run)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    return drawn.replace("<svg ", '<svg role="img" aria-label="gait cycle" style="max-width:52rem;height:auto" ', 1)
