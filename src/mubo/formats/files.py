"""Model files in and out, of any kind."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mubo.errors import ModelError, MuboError, ResultError
from mubo.formats.registry import FORMATS, added, format_of, format_of_text
from mubo.model import ModelDefinition
from mubo.model.options import read_vector


def load(
    path: str | Path, kind: str | None = None, gravity: Any = None, robot: Mapping[str, Any] | None = None
) -> ModelDefinition:
    """Reads a model file of any kind: `kind` decides, else the ending, else the content.

    `gravity` replaces that of the file; `robot` are options of robots, which other files refuse."""
    path, number = _numbered(Path(path))
    if kind:
        format_of(path, kind)  # an unknown word is refused before the file is looked for
    text = _text(path)
    form = format_of_text(path, text, kind)
    model: ModelDefinition
    given = {key: value for key, value in (robot or {}).items() if value is not None}
    if given and not form.robot:
        robots = ", ".join(one.name for one in FORMATS if one.robot)
        raise ModelError(f"{path}: {', '.join(given)} is for robot descriptions ({robots}); this file is {form.name}")
    if number is None:
        model = form.reader()(text, path, *([_robot_options(given)] if form.robot else []))
    elif (one := added(form.extension.data_set)) is not None:
        model = one(text, path, number)
    else:
        raise ModelError(f"{path} holds one model; #{number} is for files with several data sets, such as card decks")
    if gravity is None:
        return model
    return model.changed(gravity=read_vector(model.units, gravity, "length/time^2", model.dimension))


def _robot_options(given: Mapping[str, Any]) -> Any:
    from mubo.formats.robots.robot import RobotOptions

    return RobotOptions(**given)


def data_sets(path: str | Path, kind: str | None = None) -> list[str]:
    """The models of a file by name: "two.deck#1", "two.deck#2"; the path alone where it holds one."""
    base, number = _numbered(Path(path))
    text = _text(base)
    sets = added(format_of_text(base, text, kind).extension.data_sets)
    count = 1 if sets is None or number is not None else len(sets(text, base))
    return [str(path)] if count == 1 else [f"{base}#{k}" for k in range(1, count + 1)]


def _numbered(path: Path) -> tuple[Path, int | None]:
    """A path without the number of a data set behind it, "two.deck#2", and that number."""
    name, mark, number = path.name.rpartition("#")
    if not mark or not number.isdigit() or path.exists():
        return path, None
    return path.with_name(name), int(number)


def save(model: ModelDefinition, path: str | Path, kind: str | None = None) -> None:
    """Writes a model file; the ending decides unless `kind` says it."""
    path = Path(path)
    format_of(path, kind, written=True).writer()(model, path)


def _text(path: Path) -> str:
    try:
        text = file_bytes(path).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        endings = [ending for kind in FORMATS for ending in kind.endings]
        raise ModelError(f"there is no file {path}", suggestion=neighbours(path, endings, "model files")) from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder, not a model file") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path} is not a text file") from None
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from None


MOST_BYTES = 1_000_000_000
_NEAR = 0.75  # likeness of names, without their endings, that a slip of the finger leaves
_SHOWN = 5


def file_bytes(path: Path, refusal: type[MuboError] = ModelError) -> bytes:
    """The whole file. An OSError says that there is none; what is no file is a `refusal`."""
    require_file(path, refusal)
    return path.read_bytes()


def require_file(path: Path, refusal: type[MuboError] = ModelError) -> None:
    """Refuses names that no file can have, pipes, devices, and files that are too large."""
    try:
        state = path.stat()
    except ValueError:  # the name holds a NUL
        raise refusal(f"{str(path)!r} cannot be the name of a file") from None
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(21, "Is a directory", str(path))
    if not stat.S_ISREG(state.st_mode):
        raise refusal(f"{path} is a pipe or a device, not a file", suggestion="Write its data to a file first.")
    if state.st_size > MOST_BYTES:
        raise refusal(f"{path} has {state.st_size / 1e9:.1f} GB; at most {MOST_BYTES / 1e9:g} GB are read")


def neighbours(path: Path, endings: Collection[str], what: str) -> str:
    """The file in the same folder whose name is really near, for a mistyped one; else some that there are."""
    import difflib

    try:
        there = sorted(p.name for p in path.parent.iterdir() if p.suffix.lower() in endings)
    except OSError:
        return "The folder does not exist either."
    stems = {Path(name).stem.lower(): name for name in there}
    near = difflib.get_close_matches(path.stem.lower(), stems, n=1, cutoff=_NEAR)
    if near:
        return f'Did you mean "{stems[near[0]]}"?'
    if not there:
        return f"The folder has no {what}."
    more = len(there) - _SHOWN
    return f"Its folder has {', '.join(there[:_SHOWN])}{f' and {more} more' if more > 0 else ''}."


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a temporary path with the same ending; it replaces `path` if the block ends well."""
    import tempfile

    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent or ".")
    except OSError as error:
        raise ResultError(f"cannot write {path}: {error.strerror}") from None
    except ValueError:  # the name holds a NUL
        raise ResultError(f"{str(path)!r} cannot be the name of a file") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())  # a full disk may show only here
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        os.replace(temporary, path)
    except OSError as error:
        raise ResultError(f"cannot write {path}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """The whole file, or nothing."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Yields a temporary folder; its files come into `folder` if the block ends well, all or none."""
    import shutil
    import tempfile

    there = folder.is_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    except (OSError, ValueError) as error:
        raise ResultError(f"cannot make the folder {folder}: {getattr(error, 'strerror', error)}") from None
    done = False
    try:
        yield temporary
        for path in temporary.iterdir():
            os.replace(path, folder / path.name)
        done = True
    except OSError as error:
        raise ResultError(f"cannot write into {folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if not (done or there):
            shutil.rmtree(folder, ignore_errors=True)
