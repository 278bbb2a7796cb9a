"""Opens pages of the built site in Chromium, on a desktop and a phone, light and dark; says what is wrong with them.

python tools/look_at_site.py [FOLDER] [--every N] [--pictures FOLDER] [PAGE ...]

Without pages: every page outside the folders of equal pages (elements, commands, Python, gallery), of which each N-th
is taken (default 8). A page fails where axe-core finds a violation, where it is wider than the screen, where its script
complains, or where it asks for anything that is not a file of the site. Needs playwright, Chromium and the packages of
`web`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

AXE = Path(__file__).parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
SCREENS = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
SCHEMES = ("light", "dark")
EQUAL = ("generated/elements", "generated/commands", "generated/python", "generated/gallery")
IGNORED = {"genindex.html", "search.html", "gallery"}


def pages_of(site: Path, every: int) -> list[str]:
    """Return the pages to look at, all kinds of them."""
    chosen, equal = [], dict.fromkeys(EQUAL, 0)
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        folder = path.parent.relative_to(site).as_posix()
        if folder in equal and path.name != "index.html":
            equal[folder] += 1
            if equal[folder] % every != 1:
                continue
        if name.split("/")[0] not in IGNORED:
            chosen.append(name)
    return chosen


def look(browser: Any, path: Path, screen: str, scheme: str, picture: Path | None) -> list[str]:
    """Return what is wrong with one page on one screen in one scheme; its picture goes to a file."""
    context = browser.new_context(viewport=SCREENS[screen], color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: _local(request.url) or problems.append(f"asks for {request.url}"))
    page.goto(path.resolve().as_uri())
    page.wait_for_timeout(200)
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], iframes: false, preload: false})")
    for violation in found["violations"]:
        problems += [f"{violation['id']}: {node['html'][:150]}" for node in violation["nodes"][:3]]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        problems.append(f"{wide} pixels wider than the screen")
    if picture:
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(picture))
    context.close()
    return problems


def _local(url: str) -> bool:
    return url.startswith(("file:", "data:", "blob:"))


def main() -> int:
    """Look at the pages, print what is wrong with each; return the exit code."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser()
    parser.add_argument("site", nargs="?", type=Path, default=Path("site"))
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--every", type=int, default=8)
    parser.add_argument("--pictures", type=Path)
    words = parser.parse_args()
    names = words.pages or pages_of(words.site, words.every)
    wrong = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        for name in names:
            for screen in SCREENS:
                for scheme in SCHEMES:
                    kept = f"{name.replace('/', '_')[:-5]}_{screen}_{scheme}.png"
                    picture = words.pictures / kept if words.pictures else None
                    for problem in look(browser, words.site / name, screen, scheme, picture):
                        wrong += 1
                        print(f"{name}, {screen}, {scheme}: {problem}", flush=True)
        browser.close()
    print(f"{len(names)} pages, each on two screens in two schemes: {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
