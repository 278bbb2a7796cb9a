"""The messages between page and server: declared once, checked here, whatever carries them.

A message is a JSON object with the key `do`; its other keys are declared in `REQUESTS`. Answers have the key `is`:
"state" (text, history, notice), "answer" (problems, scene, columns, headline), "moved" (a motion under a hand),
"modes", "gallery", "designs", "influence", "frame" (a released mechanism), "equilibria" and "refused" (a sentence).
docs/studio.md describes them. A WebSocket carries them, or the channel of a notebook.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.studio.checks import (
    Check,
    is_flag,
    is_locks,
    is_name,
    is_number,
    is_numbers,
    is_pair,
    is_path,
    is_place,
    is_rows,
    is_shift,
    is_text,
    is_vector,
    is_whole,
)
from mubo.studio.tools import TOOLS

MOST_BYTES = 4_000_000  # of one message


class Refused(Exception):
    """A message that is not understood, or not allowed; its text is shown."""


def _is_given(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 8


_GESTURE: Mapping[str, Check] = {"kind": is_name, "name": is_name, "t": is_number, "decimals": is_whole}
# Requests by name, each with its keys and whether a value has their form; a key with "?" may be left out.
REQUESTS: Mapping[str, Mapping[str, Check]] = {
    "open": {"file": is_name},
    "files": {},
    "text": {"text": is_text, "version": is_whole},
    "set": {"path": is_path, "literal": is_text},
    "drag": {
        **{"gesture": is_whole, "number": is_whole, **_GESTURE, "shift": is_shift, "locks?": is_locks},
        **{"grip?": is_vector, "eye?": is_vector},  # in space: where a link is gripped, and the direction of sight
    },
    "place": {**_GESTURE, "shift": is_place},
    "rest": {"gesture": is_whole, "number": is_whole},
    "drop": {"gesture": is_whole, "join": is_pair},
    "cancel": {"gesture": is_whole},
    "slide": {"path": is_path, "literal": is_text},
    "undo": {},
    "redo": {},
    "solve": {"tab": is_name},
    "modes": {},
    "mode": {"number": is_whole},
    "fix": {},
    "tool": {"tool": is_name, "with": _is_given, "t": is_number, "decimals": is_whole},
    "gallery": {},
    "example": {"name": is_name},
    "new": {"name": is_name, "linkage?": is_name, "lengths?": is_numbers},
    "save as": {"name": is_name},
    "synthesize": {"task": is_name, "rows": is_rows},
    "insert": {"design": is_whole},
    "influence": {"point": is_name, "t": is_number},
    "follow": {"point": is_name, "targets": is_rows, "decimals": is_whole},
    "adopt": {},
    "live": {
        "begin": is_flag,
        "t": is_number,
        "seconds": is_number,
        "body?": is_name,
        "at?": is_place,
        "to?": is_place,
    },
    "equilibria": {},
    "equilibrium": {"number": is_whole},
}


def read_message(data: str | bytes) -> dict[str, Any]:
    """A checked message; what is too long, no JSON, unknown or of another form is refused."""
    if len(data) > MOST_BYTES:
        raise Refused(f"a message of {len(data):,} bytes is too long; at most {MOST_BYTES:,} are read")
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        raise Refused("a message must be JSON") from None
    if not isinstance(message, dict):
        raise Refused("a message must be a JSON object")
    name = message.get("do")
    if not isinstance(name, str) or name not in REQUESTS:
        raise Refused(f'there is no request "{str(name)[:40]}". {nearest(str(name)[:40], REQUESTS)}')
    _require_keys(name, REQUESTS[name], {key: value for key, value in message.items() if key != "do"})
    if name == "tool":
        tool = message["tool"]
        if tool not in TOOLS:
            raise Refused(f'there is no tool "{tool[:40]}". {nearest(tool[:40], TOOLS)}')
        _require_keys(tool, TOOLS[tool].keys, message["with"])
    return message


def _require_keys(name: str, declared: Mapping[str, Check], given: Mapping[str, Any]) -> None:
    for entry, check in declared.items():
        key = entry.removesuffix("?")
        if key not in given:
            if key != entry:
                continue
            raise Refused(f'{name}: the key "{key}" is missing')
        if not check(given[key]):
            raise Refused(f'{name}: the key "{key}" has another form than {name} takes')
    for key in given:
        if key not in declared and f"{key}?" not in declared:
            raise Refused(f'{name} has no key "{str(key)[:40]}"')


def refusal(error: Exception) -> dict[str, Any]:
    """An error as a message to the page."""
    names = list(getattr(error, "names", ())) if isinstance(error, ModelError) else []
    return {"is": "refused", "text": str(error), "names": names}
