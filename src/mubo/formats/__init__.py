"""Files in and out. `load` reads any input kind, `save` writes a model; the ending decides."""

from mubo.formats.files import KINDS, kind_of, load, load_deck, save

__all__ = ["KINDS", "kind_of", "load", "load_deck", "save"]
