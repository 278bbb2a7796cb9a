"""What `import mubo` gives: models with their verbs, runs with their pictures. Heavy rooms load when used."""

from mubo.api.files import compare, load
from mubo.api.models import Model
from mubo.results import Run

__all__ = ["Model", "Run", "compare", "load"]
