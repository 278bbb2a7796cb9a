"""The data of a page's scripts, as the page itself reads them."""

import base64
import json
import re
import zlib

import numpy as np


def embedded(text, name):
    """The data of one script of a page, with every array as the base64 of its numbers."""
    script = lambda name: re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.S)[1]  # noqa: E731
    return restored(json.loads(script(name)), json.loads(script("numbers")))


def restored(held, packed):
    """`{"@": k}` is array k: all are deflated together, of each the first bytes of its numbers first."""
    raw = zlib.decompress(base64.b64decode(packed["bytes"]))
    starts = np.cumsum([0, *(count * width for count, width in packed["sizes"])]).tolist()

    def walk(data):
        if isinstance(data, dict) and "@" in data:
            start, (count, width) = starts[data["@"]], packed["sizes"][data["@"]]
            planes = np.frombuffer(raw, np.uint8, count * width, start).reshape(width, count)
            return base64.b64encode(planes.T.tobytes()).decode()
        if isinstance(data, dict):
            return {key: walk(value) for key, value in data.items()}
        return [walk(value) for value in data] if isinstance(data, list) else data

    return walk(held)
