//! Fig. 3, and what the paper says about time and memory.

use lariat_plot::{Bars, Points, bars, points};

use super::rows::Row;
use super::sum;
use crate::lab::checks::{AND, ASCC, C99, CHECKS, GV, HPY, SE, in_order, names};
use crate::lab::measure::Found;
use crate::lab::page::{Page, Status, percent};

/// The paper's run times, HPY = 100 %.
const PAPER: [f64; 6] = [67.0, 69.2, 69.7, 96.3, 100.0, 128.3];

/// Transitions from which on CPU time can be measured.
const MEASURABLE: u64 = 20_000;

pub(super) fn performances(page: &mut Page, rows: &[Row]) -> Result<(), String> {
    page.section("Fig. 3, performances");
    let transitions = |check: usize| sum(rows, |row| row.transitions(check) as f64);
    let cpu = |check: usize| sum(rows, |row| row.found[check].cpu);
    let of = |check: usize, has_run: bool| {
        let kind = rows.iter().filter(|row| row.has_run() == has_run);
        kind.map(|row| row.transitions(check) as f64).sum::<f64>()
    };
    let line = |(at, name): (usize, &str)| {
        vec![
            name.to_owned(),
            format!("{:.1} %", PAPER[at]),
            percent(transitions(at), transitions(HPY)),
            percent(cpu(at), cpu(HPY)),
            percent(of(at, false), of(HPY, false)),
            percent(of(at, true), of(HPY, true)),
            format!("{}", transitions(at)),
            format!("{:.1}", cpu(at)),
        ]
    };
    let mut lines: Vec<Vec<String>> = names().into_iter().enumerate().map(line).collect();
    let general = sum(rows, |row| row.generalised.transitions as f64);
    let general_cpu = sum(rows, |row| row.generalised.cpu);
    lines.push(vec![
        "ASCC on the generalised automaton".to_owned(),
        "67.0 %".to_owned(),
        percent(general, transitions(HPY)),
        percent(general_cpu, cpu(HPY)),
        String::new(),
        String::new(),
        format!("{general}"),
        format!("{general_cpu:.1}"),
    ]);
    let header = [
        "check",
        "paper: time",
        "successors",
        "CPU time",
        "successors, empty products",
        "with a run",
        "successors, sum",
        "CPU seconds, sum",
    ];
    page.table(&header, &lines);
    let group = |(at, name): (usize, &str)| {
        let ours = [transitions(at) / transitions(HPY), cpu(at) / cpu(HPY)];
        (name.to_owned(), [PAPER[at], ours[0] * 100.0, ours[1] * 100.0].map(Some).to_vec())
    };
    let chart = Bars {
        title: "HPY = 100 %".to_owned(),
        unit: "percent".to_owned(),
        series: ["paper: time", "successors", "CPU time"].map(str::to_owned).to_vec(),
        groups: names().into_iter().enumerate().map(group).collect(),
    };
    page.plot("performances", bars(&chart))?;
    late(page, rows, transitions(HPY));
    order(page, rows, &transitions, &|check| of(check, false));
    let share = transitions(ASCC) / transitions(HPY);
    page.claim(
        "GS-2",
        "ASCC takes 67.0 % of HPY's time",
        if share <= 0.7 { Status::Confirmed } else { Status::Differs },
        &format!(
            "{} of its successors (70 % is the limit here), {} of its CPU time. On empty products alone {} of the successors: HPY computes those again that lie behind \
             accepting states, and how many these are depends on the formulas",
            percent(share, 1.0),
            percent(cpu(ASCC), cpu(HPY)),
            percent(of(ASCC, false), of(HPY, false))
        ),
    );
    let better = 1.0 - transitions(AND) / transitions(SE);
    page.claim(
        "GS-3",
        "AND improves SE by 28 %",
        Status::near(better, 0.28),
        &format!("by {} in successors here", percent(better, 1.0)),
    );
    let rank = |check: usize| (0..6).filter(|&other| cpu(other) < cpu(check)).count();
    page.claim(
        "GS-4",
        "only SE, HPY and C99 clearly fall behind",
        Status::of([SE, HPY, C99].iter().all(|&check| rank(check) >= 3)),
        &format!("in CPU time {}", in_order(cpu)),
    );
    page.claim(
        "GS-26",
        "overall, ASCC is the best check if generalised automata can be used",
        Status::of((0..6).all(|check| general <= transitions(check))),
        &format!("{} of GV's successors", percent(general, transitions(GV))),
    );
    Ok(())
}

/// Where HPY loses most.
fn late(page: &mut Page, rows: &[Row], all: f64) {
    let mut late: Vec<&Row> = rows.iter().filter(|row| row.has_run()).collect();
    late.sort_by_key(|row| std::cmp::Reverse(row.transitions(HPY) - row.transitions(GV)));
    late.truncate(5);
    let lost: f64 = late.iter().map(|row| row.transitions(HPY) as f64).sum();
    let names: Vec<&str> = late.iter().map(|row| row.name.as_str()).collect();
    page.put(&format!(
        "The five products with a run where HPY loses most against GV, {}, take {} of all its successors.",
        names.join(", "),
        percent(lost, all)
    ));
}

fn order(page: &mut Page, rows: &[Row], all: &dyn Fn(usize) -> f64, empty: &dyn Fn(usize) -> f64) {
    let is_order = |of: &dyn Fn(usize) -> f64| {
        (0..5).all(|at| of(at) <= of(at + 1)) && of(AND) < of(SE) && of(HPY) < of(C99)
    };
    let in_each = rows
        .iter()
        .filter(|row| (0..HPY).all(|at| row.transitions(at) <= row.transitions(at + 1)))
        .count();
    page.claim(
        "GS-1",
        "ASCC ≤ GV ≤ AND < SE ≤ HPY < C99 in successors generated",
        match (is_order(all), is_order(empty)) {
            (true, _) => Status::Confirmed,
            (false, true) => Status::Differs,
            (false, false) => Status::NotConfirmed,
        },
        &format!(
            "over all cases {}; over the empty products, where nothing depends on luck, {}. Where there is a run, HPY may notice it much later \
             than C99, which computes most transitions twice. ASCC ≤ GV ≤ AND ≤ SE ≤ HPY holds in {in_each} of {} cases",
            in_order(all),
            in_order(empty),
            rows.len()
        ),
    );
}

pub(super) fn proportional(page: &mut Page, rows: &[Row]) -> Result<(), String> {
    page.section("Time against successors");
    let measured = |at: usize| -> Vec<(f64, f64)> {
        let found = rows.iter().map(|row| &row.found[at]).filter(|f| f.transitions >= MEASURABLE);
        found.map(|found| (found.transitions as f64, found.cpu * 1e6)).collect()
    };
    let of = |(at, name): (usize, &str)| (name.to_owned(), measured(at));
    let series: Vec<_> = names().into_iter().enumerate().map(of).collect();
    let all: Vec<(f64, f64)> = series.iter().flat_map(|(_, points)| points.clone()).collect();
    let r = correlation(&all);
    // Within one case, against HPY: does a check that computes half the successors take half the time?
    let large = rows.iter().filter(|row| row.transitions(HPY) >= 10 * MEASURABLE);
    let pairs = large.flat_map(|row| {
        let hpy = row.found[HPY];
        let share = move |found: &Found| {
            (found.transitions as f64 / hpy.transitions as f64, found.cpu / hpy.cpu)
        };
        row.found.iter().map(share)
    });
    let relative = correlation(&pairs.collect::<Vec<_>>());
    page.put(&format!(
        "{} runs with at least {MEASURABLE} successors. The correlation of CPU time and successors is \
         {r:.3}; of both as a part of HPY's on the same case, {relative:.3}.",
        all.len()
    ));
    let chart = Points {
        title: "CPU time against successors".to_owned(),
        axes: ("successors".to_owned(), "microseconds".to_owned()),
        is_logarithmic: true,
        has_lines: false,
        series,
    };
    page.plot("time", points(&chart))?;
    page.claim(
        "GS-5",
        "the running time is practically proportional to the number of successors generated",
        if relative >= 0.95 { Status::Confirmed } else { Status::Differs },
        &format!(
            "correlation {relative:.3} on the same case, relative to HPY; {r:.3} over all cases, since a successor costs more in one model than in another"
        ),
    );
    Ok(())
}

/// Pearson's.
fn correlation(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / n, y + p.1 / n));
    let [mut xy, mut xx, mut yy] = [0.0; 3];
    for (x, y) in points {
        xy += (x - mx) * (y - my);
        xx += (x - mx).powi(2);
        yy += (y - my).powi(2);
    }
    xy / (xx * yy).sqrt()
}

pub(super) fn memory(page: &mut Page, rows: &[Row]) {
    page.section("Auxiliary memory against descriptors");
    let sizes = || rows.iter().map(|row| row.descriptor);
    let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
    let mean = sizes().sum::<u64>() as f64 / rows.len() as f64;
    let bytes: Vec<f64> = (0..CHECKS.len())
        .map(|at| {
            let words = sum(rows, |row| row.found[at].words as f64);
            4.0 * words / sum(rows, |row| row.found[at].states as f64)
        })
        .collect();
    page.put(&format!(
        "A state of the system takes {least} to {most} bytes, {mean:.0} on average, before it is compressed \
         (the paper: 20 to 380, 130). Auxiliary bytes for a state, at the peak, by the formula of \
         each paper (the paper: 2 bits to 12 bytes):"
    ));
    let line = |(at, name): (usize, &str)| vec![name.to_owned(), format!("{:.2}", bytes[at])];
    page.table(&["check", "bytes"], &names().into_iter().enumerate().map(line).collect::<Vec<_>>());
    let largest = bytes.iter().copied().fold(0.0, f64::max);
    page.claim(
        "GS-6",
        "the differences in auxiliary memory are dwarfed by the state descriptors",
        if 4.0 * largest < mean { Status::Confirmed } else { Status::Differs },
        &format!(
            "at most {largest:.1} bytes against {mean:.0}, before descriptors are compressed; lariat compresses them, so its auxiliary \
             memory is no longer small beside them"
        ),
    );
    page.claim(
        "GS-27",
        "the amended algorithm uses slightly less memory than GV",
        Status::of(bytes[ASCC] < bytes[GV]),
        &format!("{:.2} bytes for a state against {:.2}", bytes[ASCC], bytes[GV]),
    );
}
