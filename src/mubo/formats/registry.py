"""The kinds of model files. A line here and a file with its reader, and its writer if it has one, make a new kind."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.lazy_dataclass import dataclass
from mubo.mappings import load_place
from mubo.model import ModelDefinition

BASES = ("free", "fixed")  # of a robot
INERTIA_CHECKS = ("note", "refuse", "mend")  # what becomes of an inertia that no body has
ACTUATORS = ("inputs", "act")  # of a robot: efforts of joints that controllers set, or with their servos too
LOOKED_AT = 100_000  # characters at the beginning of a file that its kind is recognised by
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)"
_CARD = r"\d+[ \t,]+\d+[ \t]*$"  # of CLOSURE: two whole numbers
_MANY = rf"\d+(?:[ \t,]+\d+){{4}}(?:[ \t,]*{_NUMBER}){{7}}"  # of MAIN: five whole numbers, and numbers


@dataclass(frozen=True)
class Extension:
    """Functions that a format adds to its models, each as "module:function"; "" where it adds none."""

    report: str = ""  # of a model, in place of the check of mechanisms: it has `ok`, `error` and `as_dict`
    title: str = ""  # of the files of that report
    makeup: str = ""  # text of the model's file with numbers that close its loops, from the model
    listing: str = ""  # text of the classic listing, from a model and the columns of its run
    listing_key: str = ""  # text that explains the lines of the listing, from a model and the scheme of its run
    listing_arrays: str = ""  # text behind the listing with the arrays of its equations, from a model and columns
    loops: str = (
        ""  # vectors and loops of the loop table as the file numbers them, from a model and poses of its bodies
    )
    data_sets: str = ""  # the data sets of a file, one behind the other, from its text and path
    data_set: str = ""  # model of one of them, from text, path and its number
    pictures: Mapping[str, str] = field(default_factory=dict)  # that `mubo run` adds: kinds by file name
    schemes: Mapping[str, str] = field(default_factory=dict)  # by name: kinematics as the format's programs solved it


@dataclass(frozen=True)
class Format:
    """A kind of model file. Reader and writer are "module:function", imported when a file asks for them: start-up
    must not pay for XML.

    A reader is called with the text and the path, a writer with the model and the path. `begins` is the regular
    expression of the beginning of its files, empty lines and lines of comment (#) left out; a file whose ending belongs
    to no kind is recognised by it.
    """

    name: str  # of --format
    endings: tuple[str, ...]
    description: str
    reads: str
    begins: str
    writes: str = ""
    extension: Extension = Extension()
    robot: bool = False  # whether its reader takes the options of robots after text and path

    def reader(self) -> Callable[..., Any]:
        """Returns the function that reads the text of a file."""
        reader: Callable[..., Any] = load_place(self.reads)
        return reader

    def writer(self) -> Callable[[Any, Path], None]:
        """Returns the function that writes a model; refuses where there is none."""
        if not self.writes:
            raise ModelError(f"a model cannot be written as {self.name} ({self.description}): such files are only read")
        writer: Callable[[Any, Path], None] = load_place(self.writes)
        return writer


FORMATS = (
    Format(
        "toml",
        (".toml",),
        "native",
        "mubo.formats.toml:read_toml",
        r"(?=\[|[\w-]+[ \t]*=)(?s:.*?)^\[[\w .\"'-]+\][ \t]*(?:#.*)?$",
        "mubo.formats.toml_write:write_toml",
    ),
    Format(
        "json",
        (".json",),
        "native, in JSON",
        "mubo.formats.json_model:read_json",
        r"\{",
        "mubo.formats.json_model:write_json",
    ),
    Format(
        "kabios",
        (".dat",),
        "KABIOS",
        "mubo.formats.kabios:read_kabios",
        r"\d+(?:[ \t,]+\d+){8}[ \t]*(?:\([ \t]*[aA][ \t]*\)[ \t]*)?$",
        "mubo.formats.kabios_write:write_kabios",
        Extension(
            listing="mubo.formats.listing:model_listing",
            pictures={"newton_violation.png": "newton-violation", "newton_totals.png": "newton-totals"},
        ),
    ),
    Format(
        "deck",
        (".deck",),
        "O'Kins' cards",
        "mubo.legacy.okins1964.read:read_deck",
        f"{_CARD}|{_MANY}",
        extension=Extension(
            report="mubo.legacy.okins1964.closure_report:check_deck",
            title="closure",
            makeup="mubo.legacy.okins1964.makeup:closed_deck",
            listing="mubo.legacy.okins1964.listing:listing_of",
            listing_key="mubo.legacy.okins1964.listing:listing_key",
            data_sets="mubo.legacy.okins1964.read:data_sets",
            data_set="mubo.legacy.okins1964.read:read_data_set",
            loops="mubo.legacy.okins1964.card_loops:card_loops",
            listing_arrays="mubo.legacy.okins1964.arrays:arrays_of",
            schemes={"1964": "mubo.legacy.okins1964.historic:historic_kinematics"},
        ),
    ),
    Format(
        "urdf",
        (".urdf",),
        "robots",
        "mubo.formats.robots.urdf:read_urdf",
        r"(?=<)(?s:.*?)<robot[\s>]",
        "mubo.formats.robots.urdf_write:write_urdf",
        robot=True,
    ),
    Format(
        "mjcf",
        (".xml", ".mjcf"),
        "robots, of MuJoCo",
        "mubo.formats.robots.mjcf:read_mjcf",
        r"(?=<)(?s:.*?)<mujoco(?:include)?[\s>]",
        "mubo.formats.robots.mjcf_write:write_mjcf",
        robot=True,
    ),
    Format(
        "sdf",
        (".sdf",),
        "robots, of Gazebo",
        "mubo.formats.robots.sdf:read_sdf",
        r"(?=<)(?s:.*?)<sdf[\s>]",
        "mubo.formats.robots.sdf_write:write_sdf",
        robot=True,
    ),
    Format(
        "osim",
        (".osim",),
        "skeletons, of OpenSim",
        "mubo.formats.robots.osim:read_osim",
        r"(?=<)(?s:.*?)<OpenSimDocument[\s>]",
        robot=True,
    ),
)


FOREIGN = {".adm": "a model of ADAMS/Solver", ".cmd": "a command file of ADAMS/View"}  # models of other programs


def refuse_foreign(path: Path) -> None:
    """Refuses a model of another program by name, with what is read of it."""
    if what := FOREIGN.get(path.suffix.lower()):
        raise ModelError(
            f"{path}: {what}, which mubo does not read",
            suggestion="Write the model as TOML; `mubo compare` reads result tables that ADAMS exports (.tab, .csv).",
        )


def format_of(path: str | Path, name: str | None = None, written: bool = False) -> Format:
    """The kind of a model file: the ending decides unless a name is given. Of one to be `written`, only kinds that can
    be are offered in place of an unknown one."""
    path = Path(path)
    by_name = {kind.name: kind for kind in FORMATS}
    by_ending = {ending: kind for kind in FORMATS for ending in kind.endings}
    kind = by_name.get(name) if name else by_ending.get(path.suffix.lower())
    if kind is None:
        refuse_foreign(path)
        asked = name or path.suffix or path.name
        allowed = [word for word, kind in (by_name if name else by_ending).items() if kind.writes or not written]
        raise ModelError(f'{path}: "{asked}" is not a kind of model file. {nearest(asked, allowed)}')
    return kind


def format_of_text(path: Path, text: str, name: str | None = None) -> Format:
    """The kind of a model file that is read: the name or the ending decides; where the ending belongs to no kind, or to
    another kind of robot, the beginning of the text does, and a warning states what was recognised."""
    known = [ending for kind in FORMATS for ending in kind.endings]
    ended = format_of(path, name) if name or path.suffix.lower() in known else None
    if ended is not None and (name or not ended.robot):
        return ended
    refuse_foreign(path)
    lines = [line.strip() for line in text[:LOOKED_AT].splitlines()]
    beginning = "\n".join(line for line in lines if line and not line.startswith("#"))
    found = [kind for kind in FORMATS if re.match(kind.begins, beginning, re.MULTILINE)]
    if ended is not None and (ended in found or len(found) != 1):
        return ended  # robots are XML whatever their ending is: the content of another kind decides
    if len(found) != 1:
        raise ModelError(
            f"{path}: its content is not that of a model file: {listed()}",
            suggestion=f"If it is one, give its kind: --format {', '.join(kind.name for kind in FORMATS[:-1])} "
            f"or {FORMATS[-1].name}.",
        )
    kind = found[0]
    warnings.warn(f"{path.name}: its content was recognised as format {kind.name} ({kind.description})", stacklevel=4)
    return kind


def extension_of(model: ModelDefinition) -> Extension:
    """The extension of the format of a model's file; an empty one for a model of bodies and joints alone."""
    return Extension() if model.origin is None else format_of("", model.origin.format).extension


def added(place: str) -> Callable[..., Any] | None:
    """A function that a format adds, imported when it is needed; None where it adds none."""
    return load_place(place) if place else None


def schemes() -> list[str]:
    """The names of all schemes that formats add."""
    return [name for kind in FORMATS for name in kind.extension.schemes]


def listed(written: bool = False) -> str:
    """ ".toml (native), .dat (KABIOS) …", for help; only those that can be written if asked."""
    kinds = [kind for kind in FORMATS if kind.writes or not written]
    names = [f"{ending} ({kind.description})" for kind in kinds for ending in kind.endings]
    return f"{', '.join(names[:-1])} or {names[-1]}"
