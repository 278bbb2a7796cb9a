"""The studio in the cell of a notebook: the same page in a frame, its messages carried by the notebook's own channel.

No server listens. What is edited in the page is written to a file of a temporary folder, and the Python object follows.
"""

from __future__ import annotations

import asyncio
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from mubo.errors import MuboError
from mubo.formats.toml_write import toml_text
from mubo.studio.answers import read_text
from mubo.studio.exports import page_text
from mubo.studio.folder import Folder
from mubo.studio.windows import Client, Windows

FILE = "model.toml"
# The frame with the page; messages go through it as text, in both directions.
SCRIPT = """
export default {
  render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.srcdoc = model.get("page");
    frame.title = "mubo studio";
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    Object.assign(frame.style, { width: "100%", height: `${model.get("height")}px`, border: "0" });
    const hear = ({ source, data }) => {
      if (source === frame.contentWindow && typeof data?.mubo === "string") model.send({ mubo: data.mubo });
    };
    const tell = (content) => frame.contentWindow?.postMessage(content, "*");
    window.addEventListener("message", hear);
    model.on("msg:custom", tell);
    el.append(frame);
    return () => {
      window.removeEventListener("message", hear);
      model.off("msg:custom", tell);
    };
  },
};
"""


def page_in_cell() -> str:
    """The page with its script and style within it, for a frame without an address."""
    assets = files("mubo.view.report") / "assets"
    try:
        script, style = ((assets / name).read_text(encoding="utf-8") for name in ("studio.js", "studio.css"))
    except FileNotFoundError:
        raise MuboError("the script of the studio was not built when mubo was installed") from None
    text = page_text().replace('<link rel="stylesheet" href="assets/studio.css">', f"<style>{style}</style>")
    text = text.replace("<body>", f'<body class="in-cell" data-file="{FILE}">')
    return text.replace('<script src="assets/studio.js"></script>', f"<script>{script}</script>")


def studio_widget(model: Any, height: int) -> Any:
    """A widget that shows a model; its `model` is the object that follows what is edited."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MuboError(
            "model.studio() needs anywidget", suggestion='Install it: pip install "mubo[notebook]".'
        ) from None

    class StudioWidget(anywidget.AnyWidget):
        """The studio in a cell."""

        _esm = SCRIPT
        page = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(720).tag(sync=True)

    widget = StudioWidget(page=page_in_cell(), height=height)
    widget.cell = Cell(model, lambda text: widget.send({"mubo": text}))
    widget.on_msg(lambda _, content, buffers: widget.cell.hear(content))
    return widget


class Cell:
    """One window on a model in a temporary folder; the Python object follows the text wherever it can be read."""

    def __init__(self, model: Any, tell: Any) -> None:
        self.model, self._tell = model, tell
        self._folder = tempfile.TemporaryDirectory(prefix="mubo-studio-")
        path = Path(self._folder.name)
        (path / FILE).write_text(toml_text(model.build(), FILE), encoding="utf-8")
        self.windows = Windows(Folder(path), FILE)
        self.client = Client(self._send)
        self._version = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def _send(self, text: str) -> None:
        self._follow()
        self._tell(text)

    def _follow(self) -> None:
        """Takes the text over into the Python object, where it changed and can be read."""
        session = self.client.session
        if session is None or session.document.version == self._version:
            return
        self._version = session.document.version
        definition, _ = read_text(session.document.text, session.document.path)
        if definition is not None:
            self.model._take_over(definition)

    def close(self) -> None:
        """Ends the threads, and takes the temporary folder away."""
        self.windows.close()
        self._folder.cleanup()

    def hear(self, content: Any) -> None:
        """Answers a message of the page; what is no message is left alone."""
        text = content.get("mubo") if isinstance(content, dict) else None
        if not isinstance(text, str):
            return
        task = asyncio.get_event_loop().create_task(self._answer(text))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, text: str) -> None:
        if self.client not in self.windows.clients:
            await self.windows.enter(self.client)
        await self.windows.receive(self.client, text)
