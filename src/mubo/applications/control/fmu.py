"""Writes a plant as an FMU: FMI 2.0 for co-simulation (Modelica Association, Functional Mock-up Interface 2.0.4, 2022).

The archive holds the model as a file, which inputs and outputs were asked for, and a script that gives them to the
binding of pythonfmu. So the machine that runs it needs Python with mubo.
"""

from __future__ import annotations

import json
import keyword
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mubo.applications.control.inputs import possible_inputs
from mubo.applications.control.stepper import Stepper
from mubo.errors import ModelError, ResultError
from mubo.formats import save
from mubo.formats.files import replacing
from mubo.model import ModelDefinition

MODEL, ASKED = "model.json", "plant.json"
SCRIPT = '''"""A mechanism of mubo as an FMU; see docs/control.md of mubo."""

from mubo.applications.control import fmu_plant


class {name}(fmu_plant.Plant):
    pass


fmu_plant.keep_namespace(globals())
'''


def write_fmu(plant: Stepper, path: str | Path) -> None:
    """Writes the archive; refuses a plant without inputs, and a missing pythonfmu."""
    path = Path(path)
    if path.suffix != ".fmu":
        raise ResultError(f'cannot write "{path.name}": the ending must be .fmu')
    _require_inputs(plant.model, list(plant.inputs))
    builder = _builder()
    name = identifier(plant.model.name)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / f"{name}.py"
        script.write_text(SCRIPT.format(name=name), encoding="utf-8")
        files = _files(plant, Path(folder))
        built = Path(folder) / "built" / f"{name}.fmu"
        try:
            builder.build_FMU(script, built, project_files=files)
        finally:  # the builder imports the script, and would find it again for the next model of that name
            sys.modules.pop(name, None)
            sys.path[:] = [entry for entry in sys.path if entry != folder]
        with replacing(path) as temporary:
            shutil.copyfile(built, temporary)


def identifier(name: str) -> str:
    """A name as languages take it: letters, digits and underscores, no keyword."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII).strip("_") or "plant"
    return f"plant_{plain}" if plain[0].isdigit() or keyword.iskeyword(plain) else plain


def _files(plant: Stepper, folder: Path) -> list[Path]:
    """The files that the script reads: the model and the request."""
    model, asked = folder / MODEL, folder / ASKED
    try:
        save(plant.model, model)
    except ModelError as error:
        raise ModelError(f"the model cannot be written into the FMU: {error}") from error
    settings = plant.settings
    request = {
        "inputs": list(plant.inputs),
        "outputs": list(plant.outputs),
        "start": plant.start,
        "rtol": settings.rtol,
        "atol": settings.atol,
    }
    asked.write_text(json.dumps(request), encoding="utf-8")
    return [model, asked]


def _builder() -> Any:
    try:
        from pythonfmu.builder import FmuBuilder
    except ImportError:
        raise ResultError("an FMU needs pythonfmu: pip install 'mubo[control]'") from None
    return FmuBuilder


def _require_inputs(model: ModelDefinition, names: Sequence[str]) -> None:
    """Refuses a plant without inputs."""
    if not names:
        known = possible_inputs(model)
        hint = f"Give --input {known[0]}." if known else "Add a force such as a joint effort to the model."
        raise ModelError("the plant has no inputs", suggestion=hint)
