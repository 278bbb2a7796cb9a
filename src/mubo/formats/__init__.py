"""Files in and out. `load` reads any input kind, `save` writes a model; the ending decides."""

from mubo.formats.files import KINDS, load, save

__all__ = ["KINDS", "load", "save"]
