"""Formulas as MathML: browsers draw them themselves, so that the site needs no script and no font for them."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number


def _inline(self: Any, node: nodes.math) -> None:
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _display(self: Any, node: nodes.math_block) -> None:
    number = ""
    if node.get("number"):
        number = f'<span class="eqno">({get_node_equation_number(self, node)})</span>'
    self.body.append(self.starttag(node, "div", CLASS="math-display"))
    self.body.append(convert(node.astext(), display="block") + number + "</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Make MathML the renderer of formulas in HTML."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_display, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
