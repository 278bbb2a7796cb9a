"""Model → System (the core's arrays) and the names that belong to its numbers; or a refusal."""

from mubo.mechanism.forms.absolute import Compiled, compile_model
from mubo.mechanism.rows import ROW_KINDS

__all__ = ["ROW_KINDS", "Compiled", "compile_model"]
