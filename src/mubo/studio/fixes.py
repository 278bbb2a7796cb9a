"""The checker's suggested fix as an edit of the text: the drivers and joints that it adds, changes or takes away."""

from __future__ import annotations

from typing import Any

from mubo.errors import ModelError
from mubo.formats.toml_write import native_tables
from mubo.solvers.assembly.start_analysis import StartAnalysis
from mubo.solvers.assembly.suggested_fix import suggest_fix
from mubo.studio.construction import lines
from mubo.studio.edits import add_table, patched, remove_table, scanned


def apply_fix(text: str, start: StartAnalysis) -> str:
    """The text with the fix that the checker tested; every other character stays."""
    fix = suggest_fix(start, start.time)
    if fix is None or fix.variant is None:
        raise ModelError("there is no suggested fix")
    before, after = (native_tables(model, "the fix") for model in (start.form.model, fix.variant))
    for section in ("joint", "driver"):
        text = _section(text, section, before.get(section, {}), after.get(section, {}))
    return text


def _section(text: str, section: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    for name in before:
        if after.get(name) != before[name]:
            text = patched(text, remove_table(scanned(text), (section, name)))
    for name, entries in after.items():
        if before.get(name) != entries:
            text = patched(text, add_table(scanned(text), (section, name), lines(entries)))
    return text
