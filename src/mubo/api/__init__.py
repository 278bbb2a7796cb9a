"""What `import mubo` gives: models and decks with their verbs, runs with their pictures. Heavy rooms load when used."""

from mubo.api.files import compare, load
from mubo.api.models import Linkage, Model
from mubo.results import Run

__all__ = ["Linkage", "Model", "Run", "compare", "load"]
