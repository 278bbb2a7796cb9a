"""The plant inside an FMU: the stepper behind the calls of FMI 2.0. Inputs are constant over a communication step.

Parameters of the model may be set before initialisation ends; the plant is then built anew with them.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real
from pythonfmu.enums import Fmi2Status

from mubo.applications.control.fmu import ASKED, MODEL
from mubo.applications.control.stepper import Stepper
from mubo.errors import MuboError
from mubo.formats import load
from mubo.solvers.dynamics.settings import SimulationSettings


def keep_namespace(names: dict[str, Any]) -> None:
    """Adds the reference to the names of a script that the library of pythonfmu gives back without having taken it.

    When it has loaded the script it releases the dictionary of the module, which it only borrowed (PyModule_GetDict).
    Without one more the dictionary is freed while the module still uses it, and the host process crashes when Python
    looks for cycles, at its end at the latest.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(names))


class Plant(Fmi2Slave):  # type: ignore[misc]
    """A mechanism with inputs, outputs and parameters."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        folder = Path(self.resources)
        self._asked = json.loads((folder / ASKED).read_text(encoding="utf-8"))
        self._model = load(folder / MODEL)
        own = {name: entry for name, entry in self._model.parameters.items() if not entry.is_dependent}
        self._parameters = {name: float(entry.value) for name, entry in own.items()}
        self._set: dict[str, float] = {}
        self._plant = self._build(self._asked["start"])
        self._inputs = self._plant.inputs
        self.description = f"{self._model.name}, by mubo"
        for name in self._inputs:
            self._register(name, Fmi2Causality.input, lambda: self._inputs, self._inputs)
        for name in self._asked["outputs"]:
            self._register(name, Fmi2Causality.output, lambda: self._plant.outputs, None)
        for name in self._parameters:
            self._register(name, Fmi2Causality.parameter, lambda: {**self._parameters, **self._set}, self._set)

    def _register(
        self, name: str, causality: Any, values: Callable[[], dict[str, float]], kept: dict[str, float] | None
    ) -> None:
        """A variable that is read from `values`, and written to `kept` where it may be."""
        more = {"variability": Fmi2Variability.fixed} if causality is Fmi2Causality.parameter else {}

        def write(value: float) -> None:
            if kept is not None:
                kept[name] = float(value)

        columns = self._plant.columns
        unit = columns.unit(name) if name in columns else ""
        variable = Real(
            name, causality=causality, description=unit or None, getter=lambda: values()[name], setter=write, **more
        )
        self.register_variable(variable, nested=False)

    def _build(self, start: float) -> Stepper:
        model = self._model.replace(**self._set) if self._set else self._model
        settings = SimulationSettings(self._asked["rtol"], self._asked["atol"])
        return Stepper(model, self._asked["inputs"], self._asked["outputs"], start, settings)

    def to_xml(self, *options: Any) -> Element:
        """The description, with the outputs as unknowns of the initialisation, which FMI asks for."""
        root: Element = super().to_xml(*options)
        structure = root.find("ModelStructure")
        outputs = structure.find("Outputs") if structure is not None else None
        if structure is not None and outputs is not None:
            unknowns = SubElement(structure, "InitialUnknowns")
            unknowns.extend(Element("Unknown", dict(unknown.attrib)) for unknown in outputs)
        return root

    def setup_experiment(self, start_time: float, stop_time: float | None, tolerance: float | None) -> None:
        self._asked["start"] = start_time

    def exit_initialization_mode(self) -> None:
        if self._set or self._asked["start"] != self._plant.t:
            self._plant = self._build(self._asked["start"])

    def do_step(self, current_time: float, step_size: float) -> bool:
        try:
            self._plant.step(step_size, self._inputs)
        except MuboError as error:
            self.log(str(error), Fmi2Status.error)
            return False
        return True
