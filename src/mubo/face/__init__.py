"""What `import mubo` gives: models and decks with their verbs, runs with their pictures. Heavy rooms load when used."""

from mubo.face.files import compare, load
from mubo.face.models import Linkage, Model
from mubo.face.runs import Run

__all__ = ["Linkage", "Model", "Run", "compare", "load"]
