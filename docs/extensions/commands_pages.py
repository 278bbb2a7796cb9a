"""One page a command, from the help that the declarations of studies give."""

from __future__ import annotations

import re
from pathlib import Path

import click

from mubo.cli.main import COMMANDS, GROUPS, SUMMARIES
from mubo.studies import STUDIES


def write_commands(folder: Path) -> None:
    """Write an index and a page a command below `folder`."""
    listed = ["# Commands", "", "What `mubo --help` lists; `mubo COMMAND --help` prints the same as its page.", ""]
    for group, names in GROUPS.items():
        listed += [f"## {group}", "", "| command | |", "|---|---|"]
        for name in names:
            summary = SUMMARIES.get(name) or STUDIES[name].summary
            listed.append(f"| [mubo {name}]({name}.md) | {summary} |")
            (folder / f"{name}.md").write_text(_page(name, COMMANDS[name]))
        listed.append("")
    toc = "\n".join(name for names in GROUPS.values() for name in names)
    (folder / "index.md").write_text("\n".join(listed) + f"\n```{{toctree}}\n:hidden:\n\n{toc}\n```\n")


def _page(name: str, command: click.Command) -> str:
    with click.Context(command, info_name=f"mubo {name}", max_content_width=88, terminal_width=88) as context:
        text = command.get_help(context)
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return f"# mubo {name}\n\n```text\n{text}\n```\n"
