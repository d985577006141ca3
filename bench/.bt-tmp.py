#!/usr/bin/env python3
"""bench/build-time: CPU seconds (user and system) of building lariat, as a table.

Builds a clone of the last commit in a temporary folder. Other work on the machine makes the numbers larger.
"""

import os, resource, subprocess, sys, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Compiled things of elsewhere would not be built.
os.environ.pop("CARGO_TARGET_DIR", None)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(name, command):
    before = cpu_seconds()
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    print(f"| {name} | {cpu_seconds() - before:.0f} |", flush=True)


print("| build | CPU s |\n|---|---:|", flush=True)
with tempfile.TemporaryDirectory(prefix="lariat-build-") as folder:
    # A clone of the last commit, so that a change can be made to it.
    clone = Path(folder) / "lariat"
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    rev = os.environ.get("REV")
    if rev: subprocess.run(["git","checkout","-q",rev],cwd=clone,check=True)
    subprocess.run(["cargo", "fetch", "-q"], cwd=clone, check=True)
    measure("release, from nothing", ["cargo", "build", "--release"])
    measure("tests, from nothing", ["cargo", "test", "--workspace", "--no-run"])
    of_command = ["cargo", "test", "-p", "lariat", "--no-run"]
    # A part of the workspace may want other features of a crate.
    subprocess.run(of_command, cwd=clone, check=True, capture_output=True)
    for crate in ("model", "search"):
        with open(clone / "crates" / crate / "src/lib.rs", "a") as file:
            file.write("pub fn changed() {}\n")
        measure(f"tests of the command, after a new function in `{crate}`", of_command)
