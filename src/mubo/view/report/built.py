"""The built scripts and the style sheet of the report. They are made from web/report by `make`, not committed."""

from __future__ import annotations

from importlib.resources import files

from mubo.errors import ResultError

FOLDER = files("mubo.view.report") / "assets"


def require_assets() -> None:
    """Refuses at once where a long computation would end without a page."""
    for name in ("plane.js", "space.js", "report.css"):
        asset(name)


def asset(name: str) -> str:
    """The text of plane.js, space.js or report.css."""
    try:
        return (FOLDER / name).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise ResultError(
            f"the report cannot be written: its {name} was not built when mubo was installed",
            suggestion="In the folder of mubo's sources run `make report-assets` (it needs Node.js 18 with npm), "
            "then `pip install .`.",
        ) from None
