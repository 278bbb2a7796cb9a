"""The messages between page and server: declared once, checked here, whatever carries them.

A message is a JSON object with the key `do`; its other keys are declared in `REQUESTS`. Answers have the key `is`:
"state" (text, history, notice), "answer" (problems, scene, columns, headline), "moved" (a motion under a hand),
"modes", "gallery" and "refused" (a sentence). docs/studio.md describes them. A WebSocket carries them today; a worker
in the page could.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from mubo.errors import ModelError, nearest

MOST_BYTES = 4_000_000  # of one message
MOST_NAME = 200


class Refused(Exception):
    """A message that is not understood, or not allowed; its text is shown."""


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_NAME and "\0" not in value


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _place(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_number, value))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _path(value: Any) -> bool:
    return isinstance(value, list) and 0 < len(value) <= 12 and all(_name(one) or _whole(one) for one in value)


def _names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 1000 and all(map(_name, value))


def _pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)


Check = Callable[[Any], bool]
# Requests by name, each with its keys and whether a value has their form; a key with "?" may be left out.
REQUESTS: Mapping[str, Mapping[str, Check]] = {
    "open": {"file": _name},
    "files": {},
    "text": {"text": _text, "version": _whole},
    "set": {"path": _path, "literal": _text},
    "drag": {
        "gesture": _whole,
        "number": _whole,
        "kind": _name,
        "name": _name,
        "t": _number,
        "shift": _place,
        "decimals": _whole,
    },
    "rest": {"gesture": _whole},
    "drop": {"gesture": _whole, "join": _pair},
    "cancel": {"gesture": _whole},
    "slide": {"path": _path, "literal": _text},
    "undo": {},
    "redo": {},
    "solve": {"tab": _name},
    "modes": {},
    "mode": {"number": _whole},
    "fix": {},
    "tool": {
        "tool": _name,
        "with": lambda value: isinstance(value, dict) and len(value) <= 8,
        "t": _number,
        "decimals": _whole,
    },
    "gallery": {},
    "example": {"name": _name},
    "new": {"name": _name},
}
# Arguments of tools by name.
TOOL_KEYS: Mapping[str, Mapping[str, Check]] = {
    "link": {"start": _place, "end": _place, "on": _pair},
    "pin": {"body": _name, "at": _place},
    "ground": {"reference": _name},
    "slider": {"reference": _name},
    "join": {"first": _name, "second": _name},
    "driver": {"joint": _name},
    "masses": {"bodies": _names},
    "spring": {"first": _name, "second": _name},
    "force": {"reference": _name},
    "trace": {"body": _name, "at": _place},
    "duplicate": {"body": _name},
    "delete": {"kind": _name, "name": _name},
    "rename": {"kind": _name, "old": _name, "new": _name},
    "length": {"body": _name, "ends": _pair, "length": _number},
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
        if tool not in TOOL_KEYS:
            raise Refused(f'there is no tool "{tool[:40]}". {nearest(tool[:40], TOOL_KEYS)}')
        _require_keys(tool, TOOL_KEYS[tool], message["with"])
        if tool in ("delete", "rename") and message["with"]["kind"] not in (
            "body",
            "joint",
            "driver",
            "force",
            "point",
        ):
            raise Refused(f"{tool} takes a body, joint, driver, force or point")
    return message


def _require_keys(name: str, declared: Mapping[str, Check], given: Mapping[str, Any]) -> None:
    for key, check in declared.items():
        if key not in given:
            raise Refused(f'{name}: the key "{key}" is missing')
        if not check(given[key]):
            raise Refused(f'{name}: the key "{key}" has another form than {name} takes')
    for key in given:
        if key not in declared:
            raise Refused(f'{name} has no key "{str(key)[:40]}"')


def refusal(error: Exception) -> dict[str, Any]:
    """An error as a message to the page."""
    names = list(getattr(error, "names", ())) if isinstance(error, ModelError) else []
    return {"is": "refused", "text": str(error), "names": names}
