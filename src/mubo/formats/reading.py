"""What may be read at all: files, not pipes or devices, which may never end, and of a size that fits."""

from __future__ import annotations

import stat
from pathlib import Path

from mubo.errors import ModelError, MuboError

MOST_BYTES = 1_000_000_000


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
