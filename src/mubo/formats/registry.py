"""The kinds of model files. A line here and a file with its reader, and its writer if it has one, make a new kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, nearest
from mubo.model import ModelDefinition


@dataclass(frozen=True)
class Extension:
    """What a format adds to the models that are read from it, each as "module:function"; "" where it adds nothing."""

    report: str = ""  # of a model, in place of the check of mechanisms: it has `ok`, `error` and `as_dict`
    title: str = ""  # of the files of that report
    listing: str = ""  # text of the classic listing, from a model and the columns of its run
    schemes: Mapping[str, str] = field(default_factory=dict)  # by name: kinematics as the format's programs solved it


@dataclass(frozen=True)
class Format:
    """A kind of model file. Reader and writer are "module:function", imported when a file asks for them: start-up
    must not pay for XML.

    A reader is called with the text and the path, a writer with the model and the path.
    """

    name: str  # of --format
    endings: tuple[str, ...]
    words: str
    reads: str
    writes: str = ""
    extension: Extension = Extension()

    def reader(self) -> Callable[[str, Path], Any]:
        """What reads the text of a file."""
        return _named(self.reads)

    def writer(self) -> Callable[[Any, Path], None]:
        """What writes a model; refused where there is none."""
        if not self.writes:
            raise ModelError(f"a model cannot be written as {self.name} ({self.words}): such files are only read")
        return _named(self.writes)


FORMATS = (
    Format("toml", (".toml",), "native", "mubo.formats.toml:read_toml", "mubo.formats.toml_write:write_toml"),
    Format(
        "json", (".json",), "native, in JSON", "mubo.formats.json_model:read_json", "mubo.formats.json_model:write_json"
    ),
    Format("kabios", (".dat",), "KABIOS", "mubo.formats.kabios:read_kabios", "mubo.formats.kabios_write:write_kabios"),
    Format(
        "deck",
        (".deck",),
        "O'Kins' cards",
        "mubo.legacy.okins1964.read:read_deck",
        extension=Extension(
            report="mubo.legacy.okins1964.closure_report:check_deck",
            title="closure",
            listing="mubo.legacy.okins1964.listing:listing_of",
            schemes={"1964": "mubo.legacy.okins1964.historic:historic_kinematics"},
        ),
    ),
    Format("urdf", (".urdf",), "robots", "mubo.formats.urdf:read_urdf", "mubo.formats.urdf:write_urdf"),
)


def format_of(path: str | Path, name: str | None = None, written: bool = False) -> Format:
    """The kind of a model file: the ending decides unless a name is given. Of one to be `written`, only kinds that can
    be are offered in place of an unknown one."""
    path = Path(path)
    by_name = {kind.name: kind for kind in FORMATS}
    by_ending = {ending: kind for kind in FORMATS for ending in kind.endings}
    kind = by_name.get(name) if name else by_ending.get(path.suffix.lower())
    if kind is None:
        asked = name or path.suffix or path.name
        allowed = [word for word, kind in (by_name if name else by_ending).items() if kind.writes or not written]
        raise ModelError(f'{path}: "{asked}" is not a kind of model file. {nearest(asked, allowed)}')
    return kind


def extension_of(model: ModelDefinition) -> Extension:
    """What the format of the model's file adds to it; nothing for a model of bodies and joints alone."""
    return Extension() if model.origin is None else format_of("", model.origin.format).extension


def added(place: str) -> Callable[..., Any] | None:
    """A function that a format adds, imported when it is needed; None where it adds none."""
    return _named(place) if place else None


def schemes() -> list[str]:
    """The names of all schemes that formats add."""
    return [name for kind in FORMATS for name in kind.extension.schemes]


def listed(written: bool = False) -> str:
    """ ".toml (native), .dat (KABIOS) …", for help; only those that can be written if asked."""
    kinds = [kind for kind in FORMATS if kind.writes or not written]
    names = [f"{ending} ({kind.words})" for kind in kinds for ending in kind.endings]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _named(place: str) -> Callable[..., Any]:
    module, _, function = place.partition(":")
    return getattr(import_module(module), function)  # type: ignore[no-any-return]
