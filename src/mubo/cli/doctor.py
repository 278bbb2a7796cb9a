"""mubo doctor, and the versions of `mubo --version`."""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from typing import NamedTuple

import click

from mubo.cli.options import json_option
from mubo.cli.study_options import command
from mubo.cli.terminal import coloured, echo


class Part(NamedTuple):
    """Something that mubo uses: its version ("" where it is missing), what it is for, and how to get it."""

    name: str
    version: str
    purpose: str
    cure: str = ""


# What each extra of the package gives; its packages are those of the metadata.
EXTRAS = {
    "parquet": "result tables as .parquet",
    "tables": "run.table() as a pandas DataFrame, tables as .xlsx",
    "cluster": "sweeps on many computers (--cluster)",
    "video": "films as .mp4; without it films are .gif",
    "gait": "recordings .c3d",
    "control": "export of the model as an FMU, environments of Gymnasium for learning",
    "cma": "optimize --method cma",
    "notebook": "notebooks in Jupyter",
}
NEEDED = {
    "numpy": "arrays",
    "scipy": "large systems, integration, optimisation",
    "click": "the command line",
    "matplotlib": "pictures and films",
}


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _packages_of(extra: str) -> list[str]:
    """The packages of an extra, from the metadata of the installed mubo."""
    sign = f'extra == "{extra}"'
    lines = [line.replace("'", '"') for line in requires("mubo") or []]
    names = [line.partition(";")[0] for line in lines if sign in line]
    return ["".join(c for c in name.split("[")[0].split(">")[0].split("=")[0] if c not in "() ") for name in names]


def parts() -> list[Part]:
    """Everything that mubo uses here: the compiled core, what it needs, the report's assets, and the extras."""
    core = "built" if find_spec("mubo._core") else ""
    found = [
        Part("python", platform.python_version(), "the language"),
        Part("core", core, "the compiled solver: nothing is solved without it", "pip install ."),
        *(Part(name, _version_of(name), purpose, f"pip install {name}") for name, purpose in NEEDED.items()),
        Part("report", _report_assets(), "the page of `mubo report`", "make report-assets, or pip install . again"),
    ]
    for extra, purpose in EXTRAS.items():
        versions = {name: _version_of(name) for name in _packages_of(extra)}
        complete = all(versions.values())
        text = ", ".join(f"{name} {number}" for name, number in versions.items()) if complete else ""
        found.append(Part(extra, text, purpose, f"pip install 'mubo[{extra}]'"))
    return found


def _report_assets() -> str:
    from mubo.errors import ResultError
    from mubo.view.report.page import require_assets

    try:
        require_assets()
    except ResultError:
        return ""
    return "built"


def version_line() -> str:
    """The version of mubo and of what it stands on."""
    others = ", ".join(f"{name} {_version_of(name)}" for name in NEEDED)
    return f"mubo {version('mubo')} (python {platform.python_version()}, {others})"


@command()
@json_option
def doctor(as_json: bool) -> None:
    """Lists what mubo stands on here, what is missing, and what that costs. The exit code is 1 where a part is missing
    without which nothing can be solved.

    \b
    mubo doctor
    mubo doctor --json
    """
    found = parts()
    broken = [part for part in found if not part.version and part.name in ("core", *NEEDED)]
    if as_json:
        entries = {part.name: {"version": part.version or None, "purpose": part.purpose} for part in found}
        click.echo(json.dumps({"mubo": version("mubo"), "parts": entries}, indent=1))
    else:
        echo(f"mubo {version('mubo')} on {platform.platform()}")
        for part in found:
            state = part.version or coloured("missing", "red" if part in broken else "yellow")
            cure = "" if part.version else f"; to get it: {part.cure}"
            echo(f"  {part.name:<12}{state}: {part.purpose}{cure}")
    if broken:
        sys.exit(1)
