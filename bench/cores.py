"""The part `cores` of bench/run: searches of one thread and of several, side by side; writes its tables into bench/cores.md.

`bench/run --parts cores` does all; `--parts cores:elapsed,cores:limits` some. A row whose counts or verdicts disagree is void. `elapsed` is in seconds by the clock and wants the
machine for itself; the others are CPU seconds of all threads, where "2 over 1" is what two idle cores would make of them: twice the seconds of one thread over those of two.
"""

import contextlib, io, json, math, os, statistics, sys, time
from datetime import date
from pathlib import Path

EXAMPLES = "promela/spin/Examples"
PETERSON = f"{EXAMPLES}/LTL/petersonN.pml"
FOUR = (r"#define N\s+5", "#define N 4")
ELECTION = lambda n: ("bench/models/election.pml", ("#define N 7", f"#define N {n}"))

# Name, model, change, formula that holds, kind, options.
CYCLES = [
    ("election, N=12", *ELECTION(12), "<>(leaders == 1)", "weak", []),
    ("telephony.4", "beem/pm/telephony.4.pm", None, "[]<>(chnl[0] <= 255)", "weak", []),
    ("bakery.5", "beem/pm/bakery.5.pm", None, "<>[](choosing[0] <= 1)", "weak", []),
    ("szymanski.4", "beem/pm/szymanski.4.pm", None, "([]<>(w[0] == 1)) -> ([]<>(w[0] == 0))", "strong", []),
    ("petersonN, N=4", PETERSON, FOUR, "([]<>(ncrit == 1)) -> ([]<>(ncrit == 0))", "strong", []),
    ("election, N=10", *ELECTION(10), "([]<>(leaders == 1)) || (<>[](leaders == 0)) ", "strong", []),
    ("petersonN, N=4", PETERSON, FOUR, "[](ncrit == 1 -> <>(ncrit == 0))", "weakly fair", ["--fair", "weak"]),
    ("petersonN, N=4", PETERSON, FOUR, "[]<>(ncrit == 1)", "weakly fair", ["--fair", "weak"]),
]
WAYS = [("numbered", ["--numbered"])] + [
    (f"{name}, {threads}", [f"--threads={threads}", f"--{name}"])
    for name in ("elimination", "cndfs", "ufscc") for threads in (1, 2)] + [
    (f"as chosen, {threads}", [f"--threads={threads}"]) for threads in (1, 2)]

# Name, model, change, formula: holds, with a large accepting part; beside pan on one core.
ACCEPTING = [
    ("election, N=10", *ELECTION(10), "<>(leaders == 1)"),
    ("bakery.5", "beem/pm/bakery.5.pm", None, "<>[](choosing[0] <= 1)"),
    ("szymanski.4", "beem/pm/szymanski.4.pm", None, "([]<>(w[0] == 1)) -> ([]<>(w[0] == 0))"),
    ("phils.4", "beem/pm/phils.4.pm", None, "([]<>(fork[0] == 1)) -> ([]<>(fork[0] == 0)) || <>[](fork[0] == 1)"),
    ("petersonN, N=4", PETERSON, FOUR, "([]<>(ncrit == 1)) -> ([]<>(ncrit == 0))"),
]

# Kind, name, model, change, command, options: more than five million states.
BOTH = [
    ("counting", "telephony.4", "beem/pm/telephony.4.pm", None, "count", ["--bfs"]),
    ("counting", "elevator_planning.2", "beem/pm/elevator_planning.2.pm", None, "count", ["--bfs"]),
    ("counting", "bakery.7 (DVE)", "beem/dve/bakery.7.dve", None, "count", ["--bfs"]),
    ("safety", "cambridge.7 (DVE)", "beem/dve/cambridge.7.dve", None, "check", ["--safety", "--bfs", "--no-por"]),
    ("safety", "telephony.4", "beem/pm/telephony.4.pm", None, "check", ["--safety", "--bfs", "--no-por"]),
    ("safety, reduced", "bakery.7 (DVE)", "beem/dve/bakery.7.dve", None, "check", ["--safety", "--bfs"]),
    ("safety, reduced", "brp.6 (DVE)", "beem/dve/brp.6.dve", None, "check", ["--safety", "--bfs"]),
    ("LTL, weak", "telephony.4", "beem/pm/telephony.4.pm", None, "check", ["--no-por", "--ltl", "[]<>(chnl[0] <= 255)"]),
    ("LTL, weak", "election, N=15", *ELECTION(15), "check", ["--no-por", "--ltl", "<>(leaders == 1)"]),
    ("LTL, strong", "petersonN, N=4", PETERSON, FOUR, "check", ["--no-por", "--shortcuts=none", "--ltl", "([]<>(ncrit == 1)) -> ([]<>(ncrit == 0))"]),
    ("LTL, weakly fair", "petersonN, N=4", PETERSON, FOUR, "check", ["--no-por", "--fair", "weak", "--ltl", "[](ncrit == 1 -> <>(ncrit == 0))"]),
    ("bit-state", "telephony.4", "beem/pm/telephony.4.pm", None, "check", ["--safety", "--bfs", "--bitstate=29"]),
    ("bit-state", "elevator_planning.2", "beem/pm/elevator_planning.2.pm", None, "check", ["--safety", "--bfs", "--bitstate=29"]),
]

# Safety with something to leave out.
REDUCED = [(f"{name} (DVE)", f"beem/dve/{name}.dve") for name in ("bakery.6", "bakery.7", "brp.5", "brp.6", "iprotocol.6", "lamport_nonatomic.5")]

# Bytes that are allowed, for a model that has more states than fit.
LIMITS = [("telephony.7", "beem/pm/telephony.7.pm", limit) for limit in (30_000_000, 50_000_000, 77_777_777)]


def grouped(number):
    return f"{number:,}"


def search(bench, measured, model, options, command="check"):
    """A run of lariat; None if it took too long or says nothing."""
    started = time.monotonic()
    done = measured([bench.lariat, command, "--json", str(model), *options], None, bench.args.limit)
    elapsed = time.monotonic() - started
    if done is None:
        return None
    text, cpu, peak, code = done
    try:
        found = json.loads(text[text.index("{"):])
    except ValueError:
        return None
    found = found["properties"][0] if command == "check" else found
    counts = found.get("statistics", found)
    return dict(cpu=cpu, elapsed=elapsed, peak=peak, code=code, states=counts["states"], transitions=counts["transitions"], memory=counts["memory"])


def median(bench, run, by="cpu"):
    runs = sorted((one for one in (run() for _ in range(bench.args.repetitions)) if one), key=lambda one: one[by])
    return runs[len(runs) // 2] if runs else None


def said(runs):
    return {(run["code"], run["states"], run["transitions"]) for run in runs if run}


def cell(run):
    return f"{run['cpu']:.2f}, {run['memory'] / 1e6:.0f}" if run else "–"


def cycles(bench, measured, wanted):
    print("| model, formula | automaton | states | " + " | ".join(f"{name}: s, MB" for name, _ in WAYS) + " |")
    print("|---" * (3 + len(WAYS)) + "|")
    for name, path, change, formula, kind, options in CYCLES:
        model = wanted(name) and bench.model(path, change)
        if not model:
            continue
        runs = [median(bench, lambda: search(bench, measured, model, ["--no-por", "--ltl", formula, *options, *way])) for _, way in WAYS]
        which = said(runs)
        is_void = len(which) != 1 or next(iter(which))[0] != 0
        states = next((run["states"] for run in runs if run), 0)
        print(f"| {name}, `{formula.replace('|', chr(92) + '|')}` | {kind} | {grouped(states)}{' **void**' if is_void else ''} | "
              + " | ".join(map(cell, runs)) + " |", flush=True)
        if is_void:
            bench.say(name, formula, which)


def accepting(bench, measured, wanted):
    print("\n| model, formula | states: lariat, pan | pan: s | lariat, 1 thread: s | pan over lariat |\n|---|---|---|---|---|")
    for name, path, change, formula in ACCEPTING:
        model = wanted(name) and bench.model(path, change)
        if not model:
            continue
        ours = median(bench, lambda: search(bench, measured, model, ["--no-por", "--shortcuts=none", "--threads=1", "--ltl", formula]))
        spin = None
        if bench.spin:
            with_formula = bench.model(path, change, f"\nltl lariat_bench {{ {formula} }}\n")
            made = bench.compile(with_formula, ["-O3", "-DNOREDUCE"], shortcuts=("-o1", "-o2", "-o3"))
            options = ["-a", "-N", "lariat_bench", "-n"]
            trial = made and bench.pan(made[0], [*options, "-m20000000", "-w24"])
            if trial:
                size = [f"-m{trial['depth'] + 1000}", f"-w{max(18, math.ceil(math.log2(trial['states'] + 1)))}"]
                spin = median(bench, lambda: bench.pan(made[0], [*options, *size]))
        is_void = bool(not ours or ours["code"] or spin and spin["errors"])
        print(f"| {name}, `{formula.replace('|', chr(92) + '|')}` | {grouped(ours['states']) if ours else '–'}, {grouped(spin['states']) if spin else '–'}"
              f"{' **void**' if is_void else ''} | {spin['cpu'] if spin else 0:.2f} | {ours['cpu'] if ours else 0:.2f} | "
              f"{spin['cpu'] / ours['cpu'] if ours and spin else 0:.1f} |", flush=True)


def both(bench, measured, wanted):
    print("| search | model, options | states | 1 thread: s, MB | 2 threads: s, MB | 1 over 2 |\n|---|---|---|---|---|---|")
    ratios = {}
    for kind, name, path, change, command, options in BOTH:
        model = wanted(name) and bench.model(path, change)
        if not model:
            continue
        one, two = (median(bench, lambda: search(bench, measured, model, [*options, f"--threads={threads}"], command), "elapsed") for threads in (1, 2))
        words = " ".join(options).replace("|", "\\|")
        if not (one and two):
            print(f"| {kind} | {name}, `{words}` | – | – | – | – |", flush=True)
            continue
        # One thread keeps numbers where it leaves steps out, and which states a lossy search sees depends on luck.
        is_void = kind not in ("bit-state", "safety, reduced") and len(said([one, two])) != 1 or one["code"] != two["code"]
        ratio = one["elapsed"] / two["elapsed"]
        ratios.setdefault(kind, []).append(ratio)
        states = grouped(one["states"]) + (f", {grouped(two['states'])}" if two["states"] != one["states"] else "")
        print(f"| {kind} | {name}, `{words}` | {states}{' **void**' if is_void else ''} | {one['elapsed']:.2f}, {one['memory'] / 1e6:.0f} "
              f"| {two['elapsed']:.2f}, {two['memory'] / 1e6:.0f} | {ratio:.2f} |", flush=True)
    if ratios:
        everything = [ratio for some in ratios.values() for ratio in some]
        kinds = "; ".join(f"{kind} {statistics.median(some):.2f}" for kind, some in ratios.items())
        print(f"\nMedian {statistics.median(everything):.2f}, least {min(everything):.2f}. By search: {kinds}.")


def limits(bench, measured, wanted):
    def count(model, threads, limit):
        return search(bench, measured, model, ["--bfs", f"--threads={threads}", f"--max-memory={limit}"], "count")

    print("What a process has besides (code for the model, stacks) is what it has more than it tells of under a limit of three million bytes.\n")
    print("| model | asked: bytes | threads | states | told: bytes | told over asked | resident, without what is besides | over asked |\n|---|---|---|---|---|---|---|---|")
    for name, path, limit in LIMITS:
        for threads in (1, 2):
            model = wanted(name) and bench.model(path, None)
            small = model and count(model, threads, 3_000_000)
            found = small and count(model, threads, limit)
            if not found:
                continue
            besides = small["peak"] * 1024 - small["memory"]
            resident = found["peak"] * 1024 - besides
            is_void = found["code"] == 0
            print(f"| {name} | {grouped(limit)} | {threads} | {grouped(found['states'])}{' **void**' if is_void else ''} | {grouped(found['memory'])} "
                  f"| {found['memory'] / limit:.3f} | {grouped(resident)} | {resident / limit:.3f} |", flush=True)


def levels(bench, measured, wanted):
    print("| model | states: nothing left out | afterwards, numbers, 1 thread | by levels, 2 threads | s: nothing left out, 2 threads | afterwards, 1 thread | by levels, 2 threads "
          "| 2 over 1 |\n|---|---|---|---|---|---|---|---|")
    for name, path in REDUCED:
        model = wanted(name) and bench.model(path, None)
        if not model:
            continue
        ways = (["--no-por", "--threads=2"], ["--threads=1"], ["--threads=2"])
        runs = [median(bench, lambda: search(bench, measured, model, ["--safety", "--bfs", *way])) for way in ways]
        if not all(runs):
            continue
        is_void = len({run["code"] for run in runs}) != 1
        print(f"| {name}{' **void**' if is_void else ''} | " + " | ".join(grouped(run["states"]) for run in runs) + " | "
              + " | ".join(f"{run['cpu']:.2f}" for run in runs) + f" | {2 * runs[1]['cpu'] / runs[2]['cpu']:.2f} |", flush=True)


PARTS = {"elapsed": both, "levels": levels, "cycles": cycles, "accepting": accepting, "limits": limits}
PAGE = Path(__file__).resolve().parent / "cores.md"


class Twice(io.StringIO):
    """What is printed, and remembered."""

    def __init__(self, out):
        super().__init__()
        self.out = out

    def write(self, text):
        self.out.write(text)
        self.out.flush()
        return super().write(text)


def run(bench, measured, wanted, parts, command):
    for part in parts or PARTS:
        with contextlib.redirect_stdout(Twice(sys.stdout)) as said:
            PARTS[part](bench, measured, wanted)
        load = os.getloadavg()[0]
        head = f"`{command}`, {date.today()}, {os.cpu_count()} cores, load average {load:.1f} at the end."
        begin, end = f"<!-- {part}: written by bench/run -->", f"<!-- end of {part} -->"
        page = PAGE.read_text()
        table = f"{begin}\n{head}\n\n{said.getvalue().strip()}\n{end}"
        if begin in page:
            before, rest = page.split(begin)
            page = before + table + rest.split(end, 1)[1]
        else:
            page = page.rstrip() + f"\n\n## {part.capitalize()}\n\n{table}\n"
        PAGE.write_text(page)
