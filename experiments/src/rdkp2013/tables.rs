//! Fig. 2 and the tables.

use lariat_plot::{Bars, bars};

use super::Pair;
use super::variants::{DIJKSTRA, GABOW, TARJAN, VARIANTS};
use crate::lab::measure::Found;
use crate::lab::page::{Page, Status, percent};

pub(super) fn overhead(page: &mut Page, pairs: &[Vec<Pair>]) -> Result<(), String> {
    page.section("Fig. 2, overhead of the check over enumeration");
    let cpu = |at: usize| pairs.iter().map(|row| row[at].check.cpu).sum::<f64>();
    let bare = |at: usize| pairs.iter().map(|row| row[at].enumeration).sum::<f64>();
    let order: [usize; 10] = [4, 0, 1, 2, 3, 9, 5, 6, 7, 8];
    let spread = |at: usize| {
        let mut each: Vec<f64> = pairs
            .iter()
            .filter(|row| row[at].enumeration > 0.01)
            .map(|row| row[at].check.cpu / row[at].enumeration - 1.0)
            .collect();
        each.sort_by(f64::total_cmp);
        let quarter = |part: usize| each.get(each.len() * part / 4).copied().unwrap_or(0.0) * 100.0;
        format!("{:.0} % to {:.0} %, median {:.0} %", quarter(1), quarter(3), quarter(2))
    };
    let lines: Vec<Vec<String>> = order
        .iter()
        .map(|&at| {
            vec![
                VARIANTS[at].0.name(),
                format!("{:.2}", bare(at)),
                format!("{:.2}", cpu(at)),
                percent(cpu(at) - bare(at), bare(at)),
                spread(at),
            ]
        })
        .collect();
    page.table(
        &[
            "variant",
            "components only, CPU s",
            "check, CPU s",
            "overhead",
            "its spread over products",
        ],
        &lines,
    );
    page.plot(
        "overhead",
        bars(&Bars {
            title: "CPU seconds on empty products".to_owned(),
            unit: "seconds".to_owned(),
            series: ["components", "check"].map(str::to_owned).to_vec(),
            groups: order
                .iter()
                .map(|&at| (VARIANTS[at].0.name(), vec![Some(bare(at)), Some(cpu(at))]))
                .collect(),
        }),
    )?;
    let mean = (0..10).map(|at| cpu(at) / bare(at) - 1.0).sum::<f64>() * 10.0;
    page.claim(
        "RDKP-1",
        "the overhead of the emptiness check is 3 % on the average",
        if mean <= 5.0 { Status::Confirmed } else { Status::Differs },
        &format!(
            "{mean:.1} % on the average of the ten, at most 5 %; over single products half of them lie {} for Tarjan −ds",
            spread(TARJAN)
        ),
    );
    let plain = [TARJAN, DIJKSTRA, GABOW].map(cpu);
    page.claim(
        "RDKP-2",
        "without a dead store all are close: Tarjan slightly before Dijkstra, Dijkstra before Gabow",
        if plain[0] <= plain[1] && plain[1] <= plain[2] { Status::Confirmed } else { Status::Differs },
        &format!(
            "{:.2}, {:.2} and {:.2} CPU seconds: the first two differ by {:.1} %, less than repeated runs do",
            plain[0],
            plain[1],
            plain[2],
            (plain[0] / plain[1] - 1.0).abs() * 100.0
        ),
    );
    let dead = (cpu(9) + cpu(5)) / (cpu(4) + cpu(0)) - 1.0;
    let gabow = cpu(7) / cpu(2) - 1.0;
    page.claim(
        "RDKP-3",
        "a dead store costs about 15 %, for Gabow 10 %",
        match Status::near(dead, 0.15) {
            Status::Confirmed => Status::near(gabow, 0.10),
            differs => differs,
        },
        &format!(
            "{} for Tarjan and Dijkstra, {} for Gabow, which moves fewer states, since its transfer is lazy",
            percent(dead, 1.0),
            percent(gabow, 1.0)
        ),
    );
    let roots = (cpu(1) + cpu(3)) / (cpu(0) + cpu(2)) - 1.0;
    page.claim(
        "RDKP-4",
        "compressing the roots costs no time",
        Status::of(roots < 0.05),
        &format!("{:+.1} %", roots * 100.0),
    );
    Ok(())
}

pub(super) fn memory(page: &mut Page, pairs: &[Vec<Pair>]) {
    page.section("Tables 1, 3 and 4, memory");
    let words = |at: usize| pairs.iter().map(|row| row[at].check.words).sum::<u64>() as f64;
    let lines: Vec<Vec<String>> = VARIANTS
        .iter()
        .enumerate()
        .map(|(at, (variant, paper))| {
            vec![
                variant.name(),
                format!("{}", words(at)),
                percent(words(at), words(0)),
                percent(*paper, VARIANTS[0].1),
            ]
        })
        .collect();
    page.put("Peaks in words by the paper's formulas, summed over all empty products; both as a part of Dijkstra −cs −ds.");
    page.table(&["variant", "words", "of the first", "paper: of the first"], &lines);
    let least = (0..5).all(|at| words(1) <= words(at)) && (5..10).all(|at| words(6) <= words(at));
    let most = words(3) > words(4) && words(8) > words(9);
    page.claim(
        "RDKP-5",
        "Dijkstra is the most memory efficient, Gabow the least",
        Status::of(least && most),
        &format!(
            "without dead store {} and {} of Dijkstra's words for Gabow and Tarjan, with it {} and {}",
            percent(words(2), words(0)),
            percent(words(4), words(0)),
            percent(words(7), words(5)),
            percent(words(9), words(5))
        ),
    );
    let saved = 1.0 - words(5) / words(0);
    let of =
        |what: fn(&Found) -> u64| pairs.iter().map(|row| what(&row[5].check)).sum::<u64>() as f64;
    let (live, states) = (of(|found| found.live), of(|found| found.states));
    page.claim(
        "RDKP-6",
        "a dead store reduces memory by up to 17 %",
        Status::near(saved, 0.17),
        &format!(
            "by {} for Dijkstra, {} for Tarjan, {} for Gabow: a dead state saves words, and only {} of the states are live at once",
            percent(saved, 1.0),
            percent(1.0 - words(9) / words(4), 1.0),
            percent(1.0 - words(7) / words(2), 1.0),
            percent(live, states)
        ),
    );
    let dead = |at: usize| {
        let peaks = || pairs.iter().map(|row| row[at].check.dead);
        (peaks().max().unwrap_or(0), peaks().sum::<u64>())
    };
    let roots = |at: usize| {
        let peaks = || pairs.iter().map(|row| row[at].check.roots);
        (peaks().max().unwrap_or(0), peaks().sum::<u64>())
    };
    let line = |what: &str, ours: (u64, u64), paper: [&str; 2]| {
        vec![
            what.to_owned(),
            ours.0.to_string(),
            ours.1.to_string(),
            paper[0].to_owned(),
            paper[1].to_owned(),
        ]
    };
    page.table(
        &["structure", "largest peak", "sum of peaks", "paper: largest", "paper: sum"],
        &[
            line("dead, Tarjan and Dijkstra +ds", dead(5), ["29 098 013", "2 454 950 318"]),
            line("dead, Gabow +ds (lazy)", dead(7), ["21 430 297", "1 070 440 670"]),
            line("roots −cs", roots(0), ["456", "98 322"]),
            line("roots +cs", roots(1), ["119", "8 188"]),
        ],
    );
    let half = dead(7).1 as f64 / dead(5).1 as f64;
    page.claim(
        "RDKP-7",
        "lazy transfer moves only half of the states to dead",
        Status::near(half, 0.5),
        &format!(
            "{} here, {} in the paper",
            percent(half, 1.0),
            percent(1_070_440_670.0, 2_454_950_318.0)
        ),
    );
    let tenth = roots(1).1 as f64 / roots(0).1 as f64;
    page.claim(
        "RDKP-8",
        "compressing the roots saves nine tenths of them",
        Status::near(1.0 - tenth, 0.9),
        &format!("{} are left", percent(tenth, 1.0)),
    );
}

pub(super) fn early(page: &mut Page, runs: &[Vec<Found>]) {
    page.section("Table 2, until the counterexample");
    let sum = |at: usize, of: fn(&Found) -> u64| runs.iter().map(|row| of(&row[at])).sum::<u64>();
    let line = |at: usize, name: &str, paper: [&str; 3]| {
        let mut line = vec![name.to_owned()];
        line.extend(
            [sum(at, |f| f.transitions), sum(at, |f| f.states), sum(at, |f| f.sccs)]
                .map(|n| n.to_string()),
        );
        line.extend(paper.map(str::to_owned));
        line
    };
    page.table(
        &["check", "transitions", "states", "SCCs", "paper: transitions", "states", "SCCs"],
        &[
            line(0, "Tarjan", ["534 471 068", "67 230 381", "34 622 772"]),
            line(1, "Dijkstra", ["534 338 119", "67 187 854", "34 582 459"]),
            line(2, "Gabow", ["534 338 119", "67 187 854", "34 582 459"]),
        ],
    );
    let is_same = |row: &&Vec<Found>| {
        row[1].transitions == row[2].transitions && row[1].states == row[2].states
    };
    let same = runs.iter().filter(is_same).count();
    page.claim(
        "RDKP-9",
        "Dijkstra and Gabow report at the same transition",
        Status::of(same == runs.len()),
        &format!("in {same} of {} products", runs.len()),
    );
    let late = sum(0, |f| f.transitions) as f64 / sum(1, |f| f.transitions) as f64 - 1.0;
    page.claim(
        "RDKP-11",
        "Tarjan reports later, by less than 1 %",
        if (0.0..0.01).contains(&late) { Status::Confirmed } else { Status::Differs },
        &format!(
            "by {:.2} % of the transitions; later in {} of {} products",
            late * 100.0,
            runs.iter().filter(|row| row[0].transitions > row[1].transitions).count(),
            runs.len()
        ),
    );
}
