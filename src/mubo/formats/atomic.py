"""Writing without half-written files: to a temporary name beside the target, then moved over it."""

from __future__ import annotations

import os
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
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
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
