"""Checks the links of the built site: every target inside it exists, and every anchor is on the page that it names.

python tools/check_site.py [FOLDER]

FOLDER is `site` where none is given. Prints the links that lead nowhere, then how many pages, links and megabytes the
site has; the exit code is 1 where a link leads nowhere or a page loads something from another host.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}
LEADING = {("a", "href"), *LOADED}


class Page(HTMLParser):
    """The anchors of a page, and its links as (what it is loaded by or led to by, address)."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the anchor and the links of one element."""
        for name, value in attributes:
            if value and (name == "id" or (tag, name) == ("a", "name")):
                self.anchors.add(value)
            if value and (tag, name) in LEADING:
                self.links.append((tag, value))


def find_problems(site: Path) -> tuple[list[str], int]:
    """Return a line for every link of the pages below `site` that leads nowhere, and how many links there are."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    problems, count = [], 0
    for path, page in pages.items():
        for tag, address in page.links:
            count += 1
            problem = _problem(path, tag, address, pages)
            if problem:
                problems.append(f"{path.relative_to(site.resolve())}: {address}: {problem}")
    return problems, count


def _problem(path: Path, tag: str, address: str, pages: dict[Path, Page]) -> str:
    parts = urlsplit(address)
    if parts.scheme in ("data", "mailto", "javascript", "blob"):
        return ""
    if parts.scheme or parts.netloc:
        return "" if tag == "a" else "the site loads something from another host"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "no such file"
    anchor = unquote(parts.fragment)
    gallery = "=" in anchor  # the pages of mubo keep their state there: four_bar.html#t=0.5
    if anchor and not gallery and target in pages and anchor not in pages[target].anchors:
        return "no such place on that page"
    return ""


def main(site: Path) -> int:
    """Print what was found; return the exit code."""
    if not (site / "index.html").exists():
        print(f"{site} has no index.html: build the site by `make docs`")
        return 2
    problems, count = find_problems(site)
    print("\n".join(problems))
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6
    pages = len(list(site.rglob("*.html")))
    print(f"{pages} pages, {count} links, {len(problems)} of them lead nowhere; {size:.0f} MB")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "site")))
