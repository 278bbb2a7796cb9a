"""The public model: methods to build it and to analyse it; the modules that solve and draw are loaded when used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mubo import formats
from mubo.api.many_answers import ManyAnswers
from mubo.api.part_export import PartExport
from mubo.api.questions import Questions
from mubo.api.state_equations import StateEquations
from mubo.docstrings import documented
from mubo.model import ModelDefinition
from mubo.model.tables import MARKERS, PLATE
from mubo.results.presentation import DrawnResult, Shown, presented_by
from mubo.studies import STUDIES

if TYPE_CHECKING:
    from mubo.analyses.loops import LoopReport
    from mubo.analyses.modes import ModeReport
    from mubo.applications.check import CheckReport
    from mubo.applications.control.stepper import Stepper
    from mubo.legacy.wittenburg import WittenburgReport

Report = TypeVar("Report", bound=DrawnResult)


class Model(Shown, Questions, ManyAnswers, StateEquations, PartExport):
    """A mechanism, with methods to build it (`body`, `joint`, `driver`, `force` …) and to analyse it.

    A study never changes the model: it returns a `Run` or a report. `mubo.load` reads a model from a file.

    Parameters
    ----------
    name : str, default 'mechanism'
        Name of the mechanism.
    units : Units | Mapping[str, str], optional
        Units of plain numbers and of results; SI where none is declared.
    dimension : int, default 2
        2 in the plane, 3 in space.
    gravity : Sequence[float], optional
        Acceleration of gravity, in the model's units; needed where forces are asked for.

    Examples
    --------
    >>> model = mubo.Model("pendulum", units={"length": "m", "angle": "deg"})
    >>> model.ground.point("A", (0, 0))
    >>> arm = model.body("arm", lengths={"AB": 0.5})
    >>> model.revolute("A", "ground.A", "arm.A")
    >>> model.driver("motor", "arm.phi", "30*sin(2*t)")
    >>> model
    Model "pendulum" in the plane: 1 body, 1 joint, 1 driver
    """

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        view="Azimuth and elevation of the view in space, in degrees.",
        returns="The matplotlib figure.",
    )
    def plot(self, path: str | Path | None = None, *, view: tuple[float, float] | None = None) -> Any:
        """Draw the mechanism at its first position: assembled, or in the initial state of its simulation.

        >>> figure = mubo.load("four_bar.toml").plot("four_bar.png")
        """
        return presented_by("Model.plot")(self.build(), path, view)

    @documented(
        height="Height of the cell's content, in pixels.",
        returns="The widget, which shows itself as the last line of a cell.",
        raises={"MuboError": "If the extra `notebook` is not installed."},
    )
    def studio(self, height: int = 720) -> Any:
        """Show the mechanism in the cell of a notebook, to be dragged, edited and played; changes reach this object.

        >>> widget = mubo.load("four_bar.toml").studio()
        >>> widget.height
        720
        """
        return presented_by("Model.studio")(self, height)

    @documented(returns="The report, which prints itself.")
    def check(self) -> CheckReport:
        """Report mobility, loops, closure and redundancy at the first position.

        For a card deck it is the table of program CLOSURE, which has `ok`, `error` and `as_dict` too.

        >>> report = mubo.load("four_bar.toml").check()
        >>> report.ok, report.gap < 1e-9
        (True, True)
        """
        from mubo.applications.check import check_model

        model = self.build()
        report: CheckReport = (formats.added(formats.extension_of(model).report) or check_model)(model)
        return report

    @documented(
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        returns="The report, which prints itself.",
    )
    def loops(self, *, path: str | Path | None = None) -> LoopReport:
        """Report the loops, the counts of degrees of freedom and the structural groups.

        With `path` the vector polygons are drawn there.

        >>> str(mubo.load("four_bar.toml").loops()).splitlines()[0]
        'loops of four bar'
        """
        from mubo.analyses.loops import loop_report

        return _drawn(loop_report(self.build()), path)

    @documented(
        driver="Driver whose motion defines the circuits; the first by default.",
        path="Picture to write, .png, .svg or .pdf; none is written without it.",
        returns="The report, which prints itself.",
    )
    def modes(self, driver: str | None = None, *, path: str | Path | None = None) -> ModeReport:
        """List the assembly modes of the mechanism at its start, and the circuits to which they belong.

        The other drivers are fixed at their start. With `path` the modes are drawn side by side.

        >>> len(mubo.load("four_bar.toml").modes().modes)
        2
        """
        from mubo.analyses.modes import mode_report
        from mubo.view.painters.style import picture_target

        target = picture_target(path)  # a wrong ending is refused before any work
        return _drawn(mode_report(self.build(), driver), target)

    @documented(
        at="Time of the motion at which they are taken; the start by default.",
        path="Picture of the graph, .png, .svg or .pdf; or the numbers, .json, .tex or .txt.",
        returns="The report, which prints itself.",
    )
    def wittenburg(self, at: float | str | None = None, *, path: str | Path | None = None) -> WittenburgReport:
        """Report graph, vectors and matrices of Wittenburg's method for a tree in space, at the start or another time.

        >>> report = mubo.load("five_body_chain.toml").wittenburg()
        >>> str(report).splitlines()[0]
        "Wittenburg's equations of five body chain"
        """
        from mubo.legacy.wittenburg import wittenburg_report

        return wittenburg_report(self.build(), at).saved(path)

    @documented(
        STUDIES["simulate"].sentences("start", "rtol", "atol"),
        inputs="Loads whose size is set, or drivers, which become efforts along their coordinate.",
        outputs="Columns to report; the measures, or the joint coordinates, by default.",
        fixed="Length of fixed steps of Runge and Kutta; steps are chosen by their error by default.",
        returns="The simulation.",
    )
    def stepper(
        self,
        inputs: Sequence[str] | str = (),
        outputs: Sequence[str] | str | None = None,
        *,
        start: float | str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        fixed: float | str | None = None,
    ) -> Stepper:
        """Simulate step by step with inputs that are constant over each step, for control in Python.

        Sizes of loads are in the model's units. `docs/control.md` has a controller as an example.

        >>> plant = mubo.load("cart_pole.toml").stepper(["push"], ["pole.phi", "pole.omega"])
        >>> for _ in range(3):
        ...     angle, rate = plant.outputs.values()
        ...     outputs = plant.step(0.01, {"push": 60 * angle + 12 * rate})
        >>> round(plant.t, 9)
        0.03
        """
        from mubo.applications.control.stepper import Stepper
        from mubo.solvers.dynamics.settings import ATOL, RTOL, SimulationSettings

        asked = self.analysis.options if self.analysis is not None else {}
        settings = SimulationSettings(
            rtol if rtol is not None else asked.get("rtol", RTOL),
            atol if atol is not None else asked.get("atol", ATOL),
        )
        begin = self.build().start_time if start is None else start
        named, steered = ([given] if isinstance(given, str) else given for given in (outputs, inputs))
        length = None if fixed is None else self.units.read(fixed, "time")
        return Stepper(self.build(), steered or (), named, self.units.read(begin, "time"), settings, length)

    @documented(
        STUDIES["simulate"].sentences("start", "rtol", "atol"),
        path="FMU to write.",
        inputs="Loads whose size is set, or drivers, which become efforts along their coordinate.",
        outputs="Columns to report; the measures, or the joint coordinates, by default.",
    )
    def save_fmu(
        self,
        path: str | Path,
        inputs: Sequence[str] | str,
        outputs: Sequence[str] | str | None = None,
        *,
        start: float | str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
    ) -> None:
        """Write an FMU (FMI 2.0 for co-simulation): the same plant for other simulators.

        Parameters of the model are parameters of the FMU. It needs the extra: pip install 'mubo[control]'.

        >>> mubo.load("cart_pole.toml").save_fmu("cart_pole.fmu", ["push"], ["cart.x", "pole.phi"])
        """
        from mubo.applications.control.fmu import write_fmu

        write_fmu(self.stepper(inputs, outputs, start=start, rtol=rtol, atol=atol), path)

    @documented(MARKERS.sentences, file="Recording of markers, .trc, .c3d or .csv.")
    def markers(self, file: str | Path, **given: Any) -> None:
        """Segments, joints and drivers by the markers of a file; `set_subject` comes before.

        `right`, `left` name the markers of hip, knee, ankle, heel and toe, `trunk` that of the shoulder, each one or a
        list whose middle counts; `forward` and `up` are axes of the laboratory, found from the markers unless given;
        `static` is a trial with markers that the walk lacks; `smooth` and `max_gap` are those of measured motion.

        >>> model = mubo.Model("walk", gravity=(0, -9.81))
        >>> model.set_subject(mass=70, height=1.75)
        >>> leg = {"hip": "RHIP", "knee": "RKNE", "ankle": "RANK", "heel": "RHEE", "toe": "RTOE"}
        >>> model.markers("walker.trc", right=leg, smooth={"butterworth": 6})
        >>> model
        Model "walk" in the plane: 3 bodies, 2 joints, 5 drivers, 3 measures
        """
        from mubo.formats.walk import add_markers

        self._lab = add_markers(self, {"file": str(file), **given}, Path())

    @documented(
        PLATE.sentences,
        name="Name of the plate.",
        file="Table of forces, or a .c3d file.",
        foot='"right" or "left", on which it acts; the nearest one unless given.',
    )
    def plate(self, name: str, file: str | Path, foot: str | None = None, **given: Any) -> None:
        """Forces of the ground on a foot from a table: `force` and `point` (centre of pressure) say how their columns
        begin, or name them; `plate` is the number of a plate of a .c3d file.

        >>> model = mubo.Model("walk", gravity=(0, -9.81))
        >>> model.set_subject(mass=70, height=1.75)
        >>> leg = {"hip": "RHIP", "knee": "RKNE", "ankle": "RANK", "heel": "RHEE", "toe": "RTOE"}
        >>> model.markers("walker.trc", right=leg)
        >>> model.plate("right", "walker_forces.mot", "right", force="ground_force_v", point="ground_force_p")
        >>> list(model.forces)
        ['right_fx', 'right_fy', 'right_m']
        """
        from mubo.formats.walk import add_plate

        words: Mapping[str, Any] = {key.removesuffix("_"): value for key, value in given.items()}
        named = {} if foot is None else {"foot": foot}
        add_plate(self, name, {"file": str(file), **named, **words}, Path(), getattr(self, "_lab", None))

    @documented(path="Model file to write; its ending decides the format.")
    def save(self, path: str | Path) -> None:
        """Writes the model; the ending decides: .toml and .json native, .dat KABIOS; robots: .urdf, .xml (MJCF), .sdf.

        >>> mubo.load("four_bar.toml").save("copy.json")
        >>> mubo.load("copy.json") == mubo.load("four_bar.toml")
        True
        """
        formats.save(self.build(), path)


def _drawn(report: Report, path: str | Path | None) -> Report:
    """The report, drawn where a path is given."""
    if path is not None:
        report.plot(path)
    return report


def model_of(definition: ModelDefinition) -> Model:
    """The model that begins where a frozen definition stands."""
    return Model.from_definition(definition)
