"""Each target's imports, its dependencies in Package.swift, and its row in docs/architecture.md say the same."""

import glob
import json
import os
import re
import subprocess
import sys

IMPORT = re.compile(r"^(?:@\w+ |public |package |internal |private )*import (?:struct |enum |class |func )?(\w+)",
                    re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \|[^|]*\| ([^|]*) \|$", re.MULTILINE)


def main():
    package = json.loads(subprocess.run(["swift", "package", "dump-package"], capture_output=True, text=True,
                                        check=True).stdout)
    targets = {target["name"]: target for target in package["targets"]}
    systems = {name for name, target in targets.items() if target["type"] == "system"}
    with open("docs/architecture.md", encoding="utf-8") as file:
        rows = dict(ROW.findall(file.read()))
    faults = []
    for name, target in targets.items():
        declared = {dependency["byName"][0] for dependency in target["dependencies"]}
        folder = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + name
        files = glob.glob(os.path.join(folder, "**", "*.swift"), recursive=True)
        if not files:  # a C target includes headers, and a header's name says nothing of its module
            continue
        imported = set()
        for path in files:
            with open(path, encoding="utf-8") as file:
                imported.update(IMPORT.findall(file.read()))
        faults += [f"{name} depends on {other}, but nothing in it imports it" for other in declared - imported]
        faults += [f"{name} imports {other}, which Package.swift does not give it"
                   for other in (imported & targets.keys()) - declared]
        if target["type"] == "test":
            continue
        if name not in rows:
            faults.append(f"{name} has no row in docs/architecture.md")
        elif "all of the above" not in rows[name]:
            documented = set(re.findall(r"`(\w+)`", rows[name]))
            if documented != declared - systems:
                faults.append(f"docs/architecture.md says that {name} uses {', '.join(sorted(documented)) or 'nothing'};"
                              f" Package.swift says {', '.join(sorted(declared - systems)) or 'nothing'}")
    print("\n".join(sorted(faults)), file=sys.stderr, end="\n" if faults else "")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
