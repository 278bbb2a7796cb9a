"""Envelopes as drawings: SVG for viewing, DXF for a layout.

DXF is that of AutoCAD release 12, which everything reads: closed POLYLINE entities, one layer for each body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from mubo.applications.clearance.envelope import Envelope
from mubo.applications.clearance.outlines import Outline
from mubo.arrays import Array

WIDE = 1000.0  # units of the drawing along its longer side
COLOURS = ("#1f6f8b", "#c8553d", "#588157", "#8d5a97", "#b08900", "#3d5a80", "#a44a3f", "#5f6f52")
QUIET = "#8a8f98"
LINE = 'fill="none" stroke="#222" stroke-width="2.5"'
FORBIDDEN = 'fill="#c1121f" fill-opacity="0.12" stroke="#c1121f" stroke-dasharray="8 5"'


def svg(envelopes: Mapping[str, Envelope], keepouts: Sequence[Outline], unit: str) -> str:
    """The outlines of all envelopes and keep-outs, y upwards, with a scale."""
    regions = [region.corners for region in keepouts]
    corners = np.array([corner for swept in envelopes.values() for corner in swept.box] or [(0, 0), (1, 1)])
    corners = np.concatenate([corners, *regions])
    low, high = corners.min(axis=0), corners.max(axis=0)
    size = float(np.max(high - low)) or 1.0
    scale, margin = WIDE / size, 0.04 * WIDE
    wide, tall = (high - low) * scale + 2 * margin

    def path(rings: Iterable[Array]) -> str:
        places = [(ring - low) * scale * [1, -1] + [margin, tall - margin] for ring in rings]
        return " ".join("M" + "L".join(f"{x:.2f},{y:.2f}" for x, y in ring) + "Z" for ring in places)

    parts = []
    for k, (name, swept) in enumerate(envelopes.items()):
        colour = COLOURS[k % len(COLOURS)]
        style = LINE if name == "all" else f'fill="{colour}" fill-opacity="0.14" stroke="{colour}"'
        parts.append(_path(name, path(swept.rings), style))
    for region, ring in zip(keepouts, regions, strict=True):
        parts.append(_path(f"keepout {region.name}", path([ring]), FORBIDDEN))
    bar, y = 10.0 ** np.floor(np.log10(size / 2)), tall - margin / 2
    at = f'x="{margin + bar * scale + 8:.1f}" y="{y + 5:.1f}" font-size="16" font-family="sans-serif"'
    parts.append(f'<path d="M{margin},{y:.1f}h{bar * scale:.2f}" stroke="{QUIET}" stroke-width="3"/>')
    parts.append(f'<text {at} fill="{QUIET}">{bar:g} {escape(unit)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.1f} {tall:.1f}">'
    return "\n".join([head, *parts, "</svg>", ""])


def _path(name: str, data: str, style: str) -> str:
    title = f"<title>{escape(name)}</title>"
    return f'<path id="{escape(name.replace(" ", "-"))}" d="{data}" {style} fill-rule="evenodd">{title}</path>'


def dxf(envelopes: Mapping[str, Envelope], keepouts: Sequence[Outline], unit: str) -> str:
    """Every ring as a closed polyline, in the model's unit of length."""
    groups: list[tuple[str, Array]] = [(name, ring) for name, swept in envelopes.items() for ring in swept.rings]
    groups += [(f"keepout_{region.name}", region.corners) for region in keepouts]
    lines = ["0", "SECTION", "2", "ENTITIES"]
    for layer, ring in groups:
        lines += ["0", "POLYLINE", "8", layer, "66", "1", "70", "1"]
        for x, y in ring.tolist():
            lines += ["0", "VERTEX", "8", layer, "10", repr(x), "20", repr(y)]
        lines += ["0", "SEQEND", "8", layer]
    return "\n".join([*lines, "0", "ENDSEC", "0", "EOF", ""])
