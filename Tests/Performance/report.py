# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: 2026 The Jackdaw authors
"""report.py RECORD FOLDER JACKDAW: makes the report in FOLDER of what bench.sh recorded: README.md, send.svg, and figures.tsv, which
`make bench-check` compares with."""

import csv
import pathlib
import platform
import shutil
import subprocess
import sys

record, folder, jackdaw = map(pathlib.Path, sys.argv[1:])

HEAD = """# Measured

Made by `make bench-report`, all in one run; how each figure comes about, and what the goals are, is in [PERFORMANCE.md](../PERFORMANCE.md)
and in the folders of `Tests/Performance`. Absolute times are those of this machine. `make bench-check` measures the ratios again
and fails where one is worse than here by more than 15 %. What was left out by `MEASUREMENTS` has no row.
"""


def rows(path):
    with open(path) as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def processor():
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{len(models)} x {models[0]}" if models else platform.machine()


def version(package):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return found.stdout or "not a package"


def machine():
    with open("/etc/os-release") as file:
        system = dict(line.rstrip().split("=", 1) for line in file if "=" in line)["PRETTY_NAME"].strip('"')
    peers = ["prosody", "libstrophe0", "go-sendxmpp", "python3-slixmpp", "profanity", "openssl"]
    own = subprocess.run([jackdaw, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return [
        ("processor", processor()), ("system", f"{system}, Linux {platform.release()}"), ("program", own),
        *((name, version(name)) for name in peers)]


def table(head, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *lines]) + "\n"


def chart(programs):
    """A bar for each program's median, with its quartiles, in an SVG that is as good on dark pages."""
    step, left, width = 34, 300, 420
    longest = max(float(high) for _, _, _, high, _ in programs)
    parts = []
    for number, (name, middle, low, high, own) in enumerate(programs):
        y = 20 + number * step
        length, begin, end = (float(value) / longest * width for value in (middle, low, high))
        color = "#2f7ed8" if name.startswith("jackdaw") else "#8c8c8c"
        parts.append(
            f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{name}</text>'
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="22" fill="{color}"/>'
            f'<path d="M{left + begin:.1f} {y + 11}H{left + end:.1f}M{left + begin:.1f} {y + 6}v10M{left + end:.1f} {y + 6}v10"'
            ' stroke="#d04040" stroke-width="1.5"/>'
            f'<text x="{left + max(length, end) + 6:.1f}" y="{y + 15}">{middle} ms ({own} ms of processor)</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 220}" height="{30 + len(programs) * step}" '
        'font-family="sans-serif" font-size="13" fill="#7a7a7a">\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    figures, programs = rows(record / "figures.tsv"), rows(record / "programs.tsv")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(record / "figures.tsv", folder)
    (folder / "send.svg").write_text(chart(programs))
    text = HEAD + "\n## The machine\n\n" + table(["", ""], machine())
    text += "\n## One message, from the start of a program to its end\n\n![A bar for each program](send.svg)\n\n"
    text += table(
        ["program", "median, ms", "quartiles, ms", "processor, ms"],
        [[name, middle, f"{low} to {high}", own] for name, middle, low, high, own in programs])
    text += "\n## All figures\n\n"
    text += table(
        ["measurement", "what", "goal", "found", ""],
        [
            [measurement, words, f"{'≥' if kind == 'least' else '≤'} {goal}", value, "" if reached(kind, goal, value) else "missed"]
            for measurement, _, kind, goal, value, words in figures])
    (folder / "README.md").write_text(text)


def reached(kind, goal, value):
    return float(value) >= float(goal) if kind == "least" else float(value) <= float(goal)


main()
