"""What furo leaves open for keyboards and screen readers, added to the pages that were written.

What scrolls can be reached by the keyboard (WCAG 2.1.1), headings of lists have their level, the two sidebars have
names, and a table whose first column needs no heading has an empty cell there, not an empty heading.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_CURES = (
    (re.compile(r"<pre(?![^>]*tabindex)"), '<pre tabindex="0"'),
    (re.compile(r'<div class="(math-display|table-wrapper)(?![^>]*tabindex)'), r'<div tabindex="0" class="\1'),
    (re.compile(r'<p class="caption" role="heading">'), '<p class="caption" role="heading" aria-level="2">'),
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="Pages">'),
    (re.compile(r'<aside class="toc-drawer'), '<aside aria-label="On this page" class="toc-drawer'),
    (re.compile(r'<th class="head">(?:<p></p>)?</th>'), "<td></td>"),
)


def _cure(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if path.parent.name == "gallery" and path.parent.parent == Path(app.outdir):
            continue  # pages of mubo itself
        text = path.read_text()
        cured = text
        for pattern, better in _CURES:
            cured = pattern.sub(better, cured)
        if cured != text:
            path.write_text(cured)


def setup(app: Sphinx) -> dict[str, Any]:
    """Mend the pages when all are written."""
    app.connect("build-finished", _cure)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
