"""Writing without half-written files: to a temporary name beside the target, then moved over it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mubo.errors import ResultError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a temporary path with the same ending; it replaces `path` if the block ends well."""
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
