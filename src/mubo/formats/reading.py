"""What may be read at all: files, not pipes or devices, which may never end, and of a size that fits."""

from __future__ import annotations

import stat
from collections.abc import Collection
from pathlib import Path

from mubo.errors import ModelError, MuboError

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
