"""Colours on a terminal: green for what is well, yellow for what stopped early, red for what is wrong.

They are for people: never where the output is piped (click strips them there), nor where NO_COLOR is set
(https://no-color.org).
"""

from __future__ import annotations

import os

import click

OF_STATUS = {"ok": "green", "stopped": "yellow", "failed": "red"}


def coloured(text: str, colour: str) -> str:
    """The text in a colour, if colours are wanted."""
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=colour, bold=True)
