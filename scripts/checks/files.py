"""No Swift file is over 400 lines, and a folder's map names only what is there. Runs in the repository's top folder.

The map is the comment that the file of its folder's name begins with: lines such as `//   Loader, Scope/   the loader`.
"""

import glob
import os
import re
import sys

MOST_LINES = 400
# Names and their explanation stand apart; `+JSON` continues the name before it.
ENTRY = re.compile(r"^//   (\+?[A-Z]\w*(?:\+\w+)?/?(?:, \+?[A-Z]\w*(?:\+\w+)?/?)*)(?= )", re.MULTILINE)
DECLARED = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|func) +(\w+)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def head(text):
    """The lines of `//` that a file begins with."""
    lines = text.split("\n")
    return "\n".join(lines[:next((number for number, line in enumerate(lines) if line[:2] != "//"), len(lines))])


def missing(path, text):
    """What the map of a folder names and the folder has not."""
    folder = os.path.dirname(path)
    files = glob.glob(os.path.join(folder, "**", "*.swift"), recursive=True)
    known = {os.path.basename(file).removesuffix(".swift") for file in files}
    for file in files:
        known.update(DECLARED.findall(read(file)))
    before = ""
    for names in ENTRY.findall(head(text)):
        for name in names.split(", "):
            full = before.split("+")[0] + name if name.startswith("+") else name
            before = full
            if not (os.path.isdir(os.path.join(folder, full)) if full.endswith("/") else full in known):
                yield full


def main():
    faults = []
    for path in sorted(glob.glob("Sources/**/*.swift", recursive=True) + glob.glob("Tests/**/*.swift", recursive=True)):
        text = read(path)
        if (lines := text.count("\n")) > MOST_LINES:
            faults.append(f"{path}: {lines} lines; split it by topic before {MOST_LINES}")
        if os.path.basename(path) == os.path.basename(os.path.dirname(path)) + ".swift":
            faults += [f"{path}: {name} is in its map and not in its folder" for name in missing(path, text)]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
