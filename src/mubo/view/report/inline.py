"""A page that shows itself in a notebook, in a frame of its own."""

from __future__ import annotations

import html

from mubo.lazy_dataclass import dataclass

HIGH = 760  # pixels of the frame; the page scrolls in it


@dataclass(frozen=True, repr=False)
class InlinePage:
    """A page in memory: `text` is the whole file, which needs nothing else."""

    text: str
    name: str

    def __repr__(self) -> str:
        return f"page {self.name}, {len(self.text.encode()) / 1e6:.2g} MB"

    def _repr_html_(self) -> str:
        name, text = html.escape(self.name, quote=True), html.escape(self.text, quote=True)
        style = f"width:100%;height:{HIGH}px;border:1px solid #ccc"
        return f'<iframe title="{name}" style="{style}" srcdoc="{text}"></iframe>'
