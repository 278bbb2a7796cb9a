"""Writes src/mubo/api/questions.pyi: the signatures of the methods that follow from the declared studies."""

from pathlib import Path

from mubo.studies import STUDIES

TARGET = Path(__file__).parent.parent / "src" / "mubo" / "api" / "questions.pyi"
HEAD = '''"""The questions that a model can be asked. Written by tools/write_stubs.py from mubo.studies; do not edit."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

{imports}
from mubo.studies import Study

def answer(study: Study, definition: Any, given: Mapping[str, Any]) -> Any: ...

class Questions:
'''


def stub():
    """The text of the stub."""
    results = {study.result for study in STUDIES.values()}
    imports = sorted("from {} import {}".format(*result.split(":")) for result in results)
    return HEAD.format(imports="\n".join(imports)) + "".join(map(method, STUDIES.values()))


def method(study):
    """The signature of one method."""
    lines, by_keyword = [f"    def {study.name}(", "        self,"], False
    for one in study.options.values():
        if not one.positional and not by_keyword:
            lines.append("        *,")
            by_keyword = True
        default = "" if one.required and not one.in_file else " = ..."
        lines.append(f"        {one.name}: {one.annotation}{default},")
    return "\n".join([*lines, f"    ) -> {study.result.partition(':')[2]}: ...", ""])


if __name__ == "__main__":
    TARGET.write_text(stub())
