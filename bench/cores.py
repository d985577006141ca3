"""The part `cores` of bench/run: searches of one thread and of several, side by side; prints tables for bench/cores.md.

All times are CPU seconds of all threads. "2 over 1" is what two idle cores would make of them: twice the seconds of one thread over those of two. A row whose counts
or verdicts disagree is void.
"""

import json, math

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

# Name, model, change, command, options.
OTHERS = [
    ("telephony.4", "beem/pm/telephony.4.pm", None, "count", ["--bfs"]),
    ("elevator_planning.2", "beem/pm/elevator_planning.2.pm", None, "count", ["--bfs"]),
    ("telephony.4", "beem/pm/telephony.4.pm", None, "check", ["--safety", "--no-por"]),
    ("telephony.4", "beem/pm/telephony.4.pm", None, "check", ["--safety", "--no-por", "--bfs", "--bitstate=29"]),
]


def grouped(number):
    return f"{number:,}"


def search(bench, measured, model, options, command="check"):
    """A run of lariat; None if it took too long or says nothing."""
    done = measured([bench.lariat, command, "--json", str(model), *options], None, bench.args.limit)
    if done is None:
        return None
    text, cpu, _, code = done
    try:
        found = json.loads(text[text.index("{"):])
    except ValueError:
        return None
    found = found["properties"][0] if command == "check" else found
    counts = found.get("statistics", found)
    return dict(cpu=cpu, code=code, states=counts["states"], transitions=counts["transitions"], memory=counts["memory"])


def median(bench, run):
    runs = sorted((one for one in (run() for _ in range(bench.args.repetitions)) if one), key=lambda one: one["cpu"])
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


def others(bench, measured, wanted):
    print("\n| model | search | states | 1 thread: s | 2 threads: s | 2 over 1 |\n|---|---|---|---|---|---|")
    for name, path, change, command, options in OTHERS:
        model = wanted(name) and bench.model(path, change)
        if not model:
            continue
        one, two = (median(bench, lambda: search(bench, measured, model, [*options, f"--threads={threads}"], command)) for threads in (1, 2))
        if not (one and two):
            print(f"| {name} | `{command} {' '.join(options)}` | – | – | – | – |", flush=True)
            continue
        is_void = "--bitstate" not in " ".join(options) and len(said([one, two])) != 1
        print(f"| {name} | `{command} {' '.join(options)}` | {grouped(one['states'])}{' **void**' if is_void else ''} | {one['cpu']:.2f} | {two['cpu']:.2f} "
              f"| {2 * one['cpu'] / two['cpu']:.2f} |", flush=True)


def run(bench, measured, wanted):
    for part in (cycles, accepting, others):
        part(bench, measured, wanted)
