"""An open model: requests in, messages out. It knows neither sockets nor threads; the transport orders the calls.

`act` changes the document and is quick; `solve` finds the answer of a text; `move` follows a hand. The transport may
call `move` while `solve` runs: they share nothing but the last answer.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mubo.analyses.modes import mode_report
from mubo.arrays import Array
from mubo.errors import ModelError
from mubo.model import ModelDefinition
from mubo.studio.answers import (
    TABS,
    Answer,
    answer_text,
    read_text,
)
from mubo.studio.branch import kept_branch, standing_text
from mubo.studio.construction import Draft, join
from mubo.studio.document import Document
from mubo.studio.drag import Drag, Moved
from mubo.studio.edits import dotted, patched, put_key, replace_value, scanned, toml_literal
from mubo.studio.fixes import apply_fix
from mubo.studio.joint_drag import JointDrag
from mubo.studio.live_forces import LiveForces
from mubo.studio.locks import read_locks
from mubo.studio.protocol import Refused
from mubo.studio.released import ReleasedMechanism, placed
from mubo.studio.replies import answer_message, state_message
from mubo.studio.tools import TOOLS
from mubo.view.report.numbers import pack_base64

LABELS = {"text": "typing", "set": "number", "fix": "suggested fix", "mode": "assembly mode", "slide": "parameter"}


@dataclass
class Session:
    """A document with its last answers and the running gesture."""

    document: Document
    tab: str = "motion"
    answer: Answer | None = None  # of the text, or of a former one where the text has errors
    answered: int = -1  # version that `answer` is of
    drag: Drag | JointDrag | None = None
    forces: LiveForces | None = None  # that are shown while something is dragged
    gesture: int = -1
    preview: str | None = None  # a text that is tried and not written
    designs: list[str] = field(default_factory=list)  # texts of the last synthesis
    proposal: tuple[int, str] | None = None  # of targets that were followed: the version that it is of, and its text
    released: ReleasedMechanism | None = None
    equilibria: dict[int, dict[str, list[float]]] = field(default_factory=dict)  # poses by number

    def act(self, message: Mapping[str, Any]) -> bool:
        """Does what a request asks; whether the text or the tab changed."""
        name = message["do"]
        document = self.document
        self.released = None
        self.preview = None if name not in ("slide", "rest") else self.preview
        if name == "undo":
            return bool(document.undo())
        if name == "redo":
            return bool(document.redo())
        if name == "solve":
            return self._choose(message["tab"])
        if name == "text":
            if message["version"] != document.version and message["text"] != document.text:
                raise Refused(
                    "the text was changed elsewhere while you typed: your last characters were not taken over"
                )
            return document.change(LABELS[name], message["text"], typed=True)
        if name == "drop":
            return self._drop(message["gesture"], message["join"])
        if name == "place":
            self._take({**message, "gesture": 0})
            moved = self.move({**message, "gesture": 0, "number": 0})
            if not moved["possible"]:
                raise ModelError(moved["message"] or "it cannot be placed there: the mechanism would not close")
            return self._drop(0, ["", ""])
        if name == "cancel":
            self.drag = None
            return False
        text, label = self._edited(message)
        return document.change(label, text)

    def _choose(self, tab: str) -> bool:
        if tab not in TABS:
            raise Refused(f"there is no tab {tab}")
        self.tab = tab
        return True

    def _edited(self, message: Mapping[str, Any]) -> tuple[str, str]:
        """The text after a request, and the label of the entry."""
        name = message["do"]
        if name == "set":
            return self.set_value(message), f"{dotted(message['path'])}"
        if name == "tool":
            return self._tool(message), message["tool"]
        if name == "insert":
            return self.design_text(message["design"]), "design"
        if name == "fix":
            return self._fix(), LABELS[name]
        if name == "mode":
            return self._mode(message["number"]), f"assembly mode {message['number']}"
        if name == "equilibrium":
            return self._equilibrium(message["number"]), f"equilibrium {message['number']}"
        if name == "adopt":
            return self._adopted(), "targets"
        raise Refused(f"{name} is not for an open model")

    def set_value(self, message: Mapping[str, Any]) -> str:
        """Another literal in the place of a value; a key that the table does not have is added to it."""
        path, given = tuple(message["path"]), message["literal"].strip()
        spans = scanned(self.document.text)
        value = toml_literal(given)
        if path in spans.entries:
            return patched(spans.text, replace_value(spans, path, value))
        if isinstance(path[-1], str) and path[:-1] in spans.headers:
            at = put_key(spans, path[:-1], path[-1], 0)
            return patched(spans.text, [type(p)(p.start, p.end, p.insert.replace("= 0", f"= {value}")) for p in at])
        raise ModelError(f"the file has no {dotted(path)}")

    def _tool(self, message: Mapping[str, Any]) -> str:
        model, _ = read_text(self.document.text, self.document.path)
        given = dict(message["with"])
        for key in ("start", "end", "at", "on", "ends"):
            if key in given:
                given[key] = tuple(given[key])
        draft = Draft(self.document.text, model, self.poses(message["t"]), min(message["decimals"], 9))
        return TOOLS[message["tool"]].function(draft, **given)

    def _fix(self) -> str:
        report = self.answer.report if self.answer is not None else None
        if report is None or report.start is None:
            raise ModelError("there is no suggested fix")
        return apply_fix(self.document.text, report.start)

    def _mode(self, number: int) -> str:
        """The estimates of all bodies as they stand in another assembly mode."""
        model = self.known_model
        modes = {mode.number: mode for mode in mode_report(model).modes}
        if number not in modes:
            raise ModelError(f"there is no assembly mode {number}")
        factor = model.units.angle_factor()
        bodies = {name: [x, y, phi * factor] for name, (x, y, phi) in modes[number].bodies.items()}
        return standing_text(self.document.text, model, bodies)

    def _equilibrium(self, number: int) -> str:
        """The estimates of all bodies as they stand in an equilibrium that was found."""
        if number not in self.equilibria:
            raise ModelError(f"there is no equilibrium {number} any more", suggestion="Open the tab Statics again.")
        return standing_text(self.document.text, self.known_model, self.equilibria[number])

    def _adopted(self) -> str:
        version, text = self.proposal or (-1, "")
        if version != self.document.version:
            raise ModelError("there is no design that follows the targets", suggestion="Move a target.")
        return text

    # --- a hand that drags -----------------------------------------------------------------------------------------

    def move(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The mechanism under a hand: a message with its motion."""
        if self.drag is None or self.gesture != message["gesture"]:
            self._take(message)
        assert self.drag is not None
        shift = [float(x) for x in message["shift"]]
        if len(shift) != self.drag.model.dimension:
            raise Refused(f"drag: a shift in this model has {self.drag.model.dimension} numbers")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            moved = self.drag.to(shift)
        return {"is": "moved", "gesture": message["gesture"], "number": message["number"], **self._motion(moved)}

    def _take(self, message: Mapping[str, Any]) -> None:
        answer = self.answer
        if answer is None or answer.model is None or answer.run is None or self.answered != self.document.version:
            raise ModelError("the model has to be drawn before it can be dragged")
        spans, decimals = scanned(self.document.text), min(message["decimals"], 9)
        if answer.model.dimension == 3 and "grip" in message and "eye" in message:
            gripped = (message["name"], tuple(message["grip"]), tuple(message["eye"]))
            self.drag, self.forces = JointDrag(answer.model, *gripped, spans, decimals), None
            self.gesture = message["gesture"]
            return
        where = (message["kind"], message["name"], float(message["t"]))
        locks = read_locks(message.get("locks", ()))
        self.drag = Drag(answer.model, answer.run, *where, spans, decimals, locks)
        self.forces = LiveForces.beside(answer.run) if self.tab == "forces" and answer.moving else None
        self.gesture = message["gesture"]

    def _motion(self, moved: Moved) -> dict[str, Any]:
        assert self.drag is not None
        out: dict[str, Any] = {"message": moved.message, "possible": moved.possible}
        if not moved.possible:
            return out
        out["points"] = {name: list(at) for name, at in moved.points.items()}
        if moved.poses is not None:
            out["times"] = pack_base64(self.drag.times, "<f8")
            out["poses"] = {name: pack_base64(pose.T, "<f8") for name, pose in moved.poses.items()}
        if self.forces is not None and isinstance(self.drag, Drag):
            shown = placed(self.drag.variant(moved.points), self.drag.poses_of(moved))
            out["forces"] = self.forces.at(shown, self.drag.time)
        return out

    def tried(self, gesture: int) -> str | None:
        """The text of the running gesture, not written; None where there is none."""
        if self.drag is None or self.gesture != gesture or self.drag.last is None:
            return None
        return patched(self.drag.spans.text, self.drag.patches(self.drag.last))

    def _drop(self, gesture: int, joined: list[str]) -> bool:
        """Writes the last possible position of a gesture as one entry; the branch is kept. Two pins may be `joined`."""
        text = self.tried(gesture)
        drag, self.drag = self.drag, None
        if text is None or drag is None:
            return False
        if drag.spans.text != self.document.text:
            raise Refused("the text was changed elsewhere during the drag: the drag is taken back")
        if all(joined):
            model, _ = read_text(text, self.document.path)
            return self.document.change(f"join {' to '.join(joined)}", join(Draft(text, model, {}), *joined))
        kept = kept_branch(drag, text, self.document.path) if isinstance(drag, Drag) else text
        return self.document.change(f"drag {drag.name}", kept)

    # --- design by hand --------------------------------------------------------------------------------------------

    def design_text(self, number: int) -> str:
        """The text of a design that was found last."""
        if number >= len(self.designs):
            raise ModelError("there is no such design any more", suggestion="Synthesize again.")
        return self.designs[number]

    @property
    def is_empty(self) -> bool:
        """Whether the text has no bodies yet."""
        return not any(path[:1] == ("body",) for path in scanned(self.document.text).headers)

    @property
    def known_model(self) -> ModelDefinition:
        """The model of the last answer; raises where there is none."""
        if self.answer is None or self.answer.model is None:
            raise ModelError("the model has to be solved first")
        return self.answer.model

    def solve(self, text: str, version: int, brief: bool) -> dict[str, Any]:
        """The answer of a text as a message; it is kept where the text is the document's own."""
        answer = answer_text(text, self.document.path, self.tab, brief)
        own = version == self.document.version and text == self.document.text
        if own and answer.run is not None:
            self.answer, self.answered = answer, version
        return answer_message(answer, self.tab, version, own, brief)

    def state(self) -> dict[str, Any]:
        """The text, its history and its parts as a message."""
        return state_message(self.document)

    def poses(self, time: float) -> dict[str, Array]:
        """Poses of all bodies at a time as they are shown; as written where nothing was solved."""
        answer = self.answer
        if answer is None or answer.model is None or answer.run is None:
            return {}
        run = answer.run
        first, last = (float(run["t"][k]) for k in (0, -1))
        at = run.at(min(max(time, first), last)) if len(run) > 1 else run.columns
        factor = answer.model.units.angle_factor()
        words = ("x", "y", "phi")
        return {
            name: np.array([float(at[f"{name}.{word}"][0]) for word in words]) * [1, 1, factor]
            for name in answer.model.bodies
            if all(f"{name}.{word}" in at for word in words)
        }
