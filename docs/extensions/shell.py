"""The directives `file`, `shell` and `script`: what a reader types, shown with what it prints (see session.py).

Options of `shell` and `script`: `:picture: path.png` and `:alt:` show a picture that was written, `:show: table.csv` a
file, `:quiet:` hides what was printed, `:fails: 3` expects that exit code.
"""

from __future__ import annotations

import html
import shutil
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from session import Block, Session
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

_SESSIONS: dict[str, Session] = {}


class PageBlock(SphinxDirective):
    """A block that the build runs in the folder of its page."""

    has_content = True
    optional_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "picture": directives.unchanged,
        "alt": directives.unchanged,
        "show": directives.unchanged,
        "fails": directives.unchanged,
        "quiet": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Run the block; return what it consists of and what it gave."""
        session = _SESSIONS.setdefault(self.env.docname, Session())
        name = self.arguments[0] if self.arguments else ""
        text = "\n".join(self.content) + "\n"
        try:
            answers = session.run_block(Block(self.name, name, dict(self.options), text))
        except RuntimeError as error:
            raise ExtensionError(f"{self.env.docname}: {error}") from error
        found = self._typed(name, text, answers)
        if "show" in self.options:
            found.append(self._code((session.folder / self.options["show"]).read_text(), self.options["show"]))
        if "picture" in self.options:
            found.append(self._picture(session.folder / self.options["picture"]))
        return found

    def _typed(self, name: str, text: str, answers: list[tuple[str, str]]) -> list[nodes.Node]:
        if self.name == "file":
            return [nodes.caption("", name, classes=["file-name"]), self._code(text, name)]
        shown = "".join(
            (f'<span class="command">$ {html.escape(command)}</span>\n' if command else "")
            + ("" if "quiet" in self.options else html.escape(output))
            for command, output in answers
        )
        code = [self._code(text, "program.py")] if self.name == "script" else []
        raw = f'<div class="highlight terminal" tabindex="0"><pre>{shown}</pre></div>'
        return [*code, *([nodes.raw("", raw, format="html")] if shown else [])]

    def _code(self, text: str, name: str) -> nodes.Node:
        languages = {".toml": "toml", ".py": "python", ".json": "json", ".md": "text"}
        return nodes.literal_block(text, text.rstrip(), language=languages.get(Path(name).suffix, "text"))

    def _picture(self, path: Path) -> nodes.Node:
        if not path.exists():
            raise ExtensionError(f"{self.env.docname}: nothing wrote {path.name}")
        folder = Path(self.env.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{self.env.docname.replace('/', '_')}_{path.name}"
        shutil.copy(path, folder / name)
        above = "../" * self.env.docname.count("/")
        alt = html.escape(self.options.get("alt", f"{path.name}, written above"))
        return nodes.raw("", f'<p><img class="picture" src="{above}_images/{name}" alt="{alt}"></p>', format="html")


def _forget(app: Sphinx, env: Any, docname: str) -> None:
    session = _SESSIONS.pop(docname, None)
    if session:
        session.close()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    for name in ("file", "shell", "script"):
        app.add_directive(name, PageBlock)
    app.connect("env-purge-doc", _forget)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
