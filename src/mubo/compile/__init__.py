"""Model → System (the core's arrays) and the names that belong to its numbers; or a refusal."""

from mubo.compile.compiled import Compiled, compile_model
from mubo.compile.pack import ROW_KINDS

__all__ = ["ROW_KINDS", "Compiled", "compile_model"]
