"""Files in and out. `load` reads any input kind, `save` writes a model; the ending decides. FORMATS lists the kinds."""

from mubo.formats.files import load, save
from mubo.formats.registry import FORMATS, Format, added, extension_of, format_of, listed, schemes

__all__ = ["FORMATS", "Format", "added", "extension_of", "format_of", "listed", "load", "save", "schemes"]
