"""Every `contract §2`, path below docs and relative link leads somewhere. Runs in the repository's top folder."""

import os
import re
import subprocess
import sys

CITATION = re.compile(r"\b(contract|metrics|playback|architecture|storage) ((?:(?:, | and |–)?§\d+(?:\.\d+)?)+)")
SECTION = re.compile(r"§(\d+(?:\.\d+)?)")
PATH = re.compile(r"\bdocs/[\w./-]+\.(?:md|yaml|json)")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def headings(path):
    with open(path, encoding="utf-8") as file:
        return HEADING.findall(file.read())


def anchor(heading):
    """As GitHub makes it of a heading."""
    return "#" + re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def faults(path, text):
    for name, sections in CITATION.findall(text):
        for section in SECTION.findall(sections):
            if not any(re.match(rf"{re.escape(section)}\.? ", heading) for heading in headings(f"docs/{name}.md")):
                yield f"{name} §{section} is no heading of docs/{name}.md"
    for target in PATH.findall(text):
        if not os.path.exists(target):
            yield f"{target} does not exist"
    for target, fragment in LINK.findall(text) if path.endswith(".md") else []:
        target = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(target):
            yield f"the link to {target} leads nowhere"
        elif fragment and fragment not in map(anchor, headings(target)):
            yield f"{target} has no heading {fragment}"


def main():
    files = subprocess.run(["git", "ls-files", "README.md", "docs", "scripts", "sql", "Sources", "Tests"],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    count = 0
    for path in files:
        if not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            for fault in faults(path, file.read()):
                print(f"{path}: {fault}", file=sys.stderr)
                count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
