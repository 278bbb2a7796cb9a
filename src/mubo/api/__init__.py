"""The names that `import mubo` gives: models with their verbs, runs with their pictures. Heavy rooms load when used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo import formats
from mubo.api.models import Model, model_of
from mubo.docstrings import documented
from mubo.results import Run, require_ending

if TYPE_CHECKING:
    from mubo.applications.compare.comparison import Comparison
    from mubo.applications.gait.trials import Trials

PICTURES = (".png", ".svg", ".pdf")


@documented(
    path="File of the model.",
    format="Name of the format, where the ending is another one.",
    gravity="Acceleration of gravity, in place of that of the file.",
    base='Base of a robot, "free" or "fixed"; as the file states it by default.',
    inertia_check='Inertias of a robot that no body has: "note" (the default) uses them as given, "refuse", "mend".',
    stops="Stiffness and damping of soft stops at the joint limits of a robot; by default the limits are events.",
    keyframe="Name of the keyframe of a robot (MJCF) in which a simulation begins.",
    friction_rate="Rate below which the friction of a robot's joints creeps, rad/s or m/s; by default it is left out.",
    actuators='Actuators of a robot: "inputs" (the default), efforts that are zero until set; "act", with servos.',
    returns="The model.",
)
def load(
    path: str | Path,
    format: str | None = None,
    *,
    gravity: Sequence[float] | None = None,
    base: str | None = None,
    inertia_check: str | None = None,
    stops: tuple[float, float] | None = None,
    keyframe: str | None = None,
    friction_rate: float | None = None,
    actuators: str | None = None,
) -> Model:
    """Reads a model: .toml native (.json likewise), .dat KABIOS, .deck O'Kins' cards, .urdf, .xml (MJCF), .sdf robots.

    `format` overrides the ending. A file with another ending, such as .txt, is recognised by its content, and a
    warning states as what.

    >>> mubo.load("four_bar.toml")
    Model "four bar" in the plane: 3 bodies, 4 joints, 1 driver, 1 point
    """
    robot: dict[str, Any] = {"base": base, "inertia_check": inertia_check, "stops": stops, "keyframe": keyframe}
    robot |= {"friction_rate": friction_rate, "actuators": actuators}
    return model_of(formats.load(path, format, gravity, robot))


@documented(
    result="Run, or the file of a table.",
    reference="Run or table to compare with.",
    mapping='Names in the reference of columns that have another name there, by pattern: `{"*.x": "*_X"}`.',
    over="Column that orders the rows in place of time.",
    path="Picture to write, .png, .svg or .pdf; or the deviations by point, .csv, .json or .txt.",
    by="Panels of the picture: a kind of column each, or a point each.",
    returns="Differences by column.",
)
def compare(
    result: str | Path | Run,
    reference: str | Path | Run,
    mapping: Mapping[str, str] | None = None,
    *,
    over: str | None = None,
    path: str | Path | Sequence[str | Path] | None = None,
    by: str = "kind",
) -> Comparison:
    """Two results, runs or table files, on their common columns; print the answer.

    `mapping` gives the names in `reference` of columns that are called differently there. With `path` a picture of
    the differences over time is written.

    >>> run = mubo.load("four_bar.toml").kinematics(0, 1, step=0.1)
    >>> run.save("first.csv")
    >>> mubo.compare(run, "first.csv").exceeding(1e-12)
    []
    """
    from mubo.applications.compare.compare import compare

    targets = [Path(one) for one in ([path] if isinstance(path, str | Path) else path or ())]
    pictures = [one for one in targets if one.suffix in PICTURES]
    tables = [one for one in targets if one not in pictures]
    for target in tables:  # a wrong ending is refused before any work
        require_ending(target, "Comparison", others=PICTURES)
    found = compare(result, reference, mapping, over)
    for target in tables:
        found.save(target)
    for target in pictures:
        from mubo.view.compare import draw_comparison

        draw_comparison(found, target, by)
    return found


@documented(
    model="Model file with [markers], whose recording every trial takes the place of.",
    trials="Recordings, .c3d, .trc or .csv.",
    workers="Processes; all cores where it pays, unless given.",
    cluster='Address of a dask scheduler, a client, or "local".',
    options="Options of `gait`: threshold, events, start, end.",
    returns="Mean cycles over trials, strides, symmetry; `.save` writes a table, `.plot` the figure.",
)
def gait_trials(
    model: str | Path,
    trials: Sequence[str | Path],
    *,
    workers: int | None = None,
    cluster: Any = None,
    **options: Any,
) -> Trials:
    """The gait of many recordings of one laboratory, each analysed by the same model file.

    A plate that reads the file of the markers reads the trial; one whose file begins with the name of the markers' file
    reads that of the trial with the same ending. A trial that cannot be analysed is left out, with its reason.

    >>> found = mubo.gait_trials("walker.toml", ["walker.trc"])
    >>> found.save("trials.csv")
    """
    from mubo.applications.gait.trials import gait_trials

    return gait_trials(model, trials, options, workers, cluster)


__all__ = ["Model", "Run", "compare", "gait_trials", "load"]
