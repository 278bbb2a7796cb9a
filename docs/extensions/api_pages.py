"""One page a public name of `import mubo`, from its docstring."""

from __future__ import annotations

from pathlib import Path

import mubo


def write_api(folder: Path) -> None:
    """Write an index and a page a public name below `folder`."""
    names = [*dir(mubo)]
    listed = [
        "# Python",
        "",
        "Every public name of `import mubo`. How they work together: [models in Python](../../python.md).",
        "",
    ]
    listed += ["| name | |", "|---|---|"]
    for name in names:
        thing = getattr(mubo, name)
        first = (thing.__doc__ or "").strip().splitlines()[0]
        listed.append(f"| [mubo.{name}]({name}.md) | {first} |")
        kind = "autoclass" if isinstance(thing, type) else "autofunction"
        members = "   :members:\n   :inherited-members: Exception\n" if isinstance(thing, type) else ""
        text = f"# mubo.{name}\n\n```{{eval-rst}}\n.. {kind}:: mubo.{name}\n{members}```\n"
        (folder / f"{name}.md").write_text(text)
    toc = "\n".join(names)
    (folder / "index.md").write_text("\n".join(listed) + f"\n\n```{{toctree}}\n:hidden:\n\n{toc}\n```\n")
