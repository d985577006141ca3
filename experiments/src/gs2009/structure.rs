//! §5: weak automata, the structural effects that the paper counts, and the order case by case.

use super::rows::{LEFT_OUT, Row};
use super::sum;
use crate::lab::checks::{AND, ASCC, C99, CHECKS, GV, HPY, SE};
use crate::lab::measure::Found;
use crate::lab::page::{Page, Status, percent};

pub(super) fn weakness(page: &mut Page, rows: &[Row]) {
    page.section("Weak automata");
    let strong: Vec<&Row> = rows.iter().filter(|row| !row.is_weak).collect();
    let with_run: Vec<&Row> = rows.iter().filter(|row| row.is_weak && row.has_run()).collect();
    let part = strong.len() as f64 / rows.len() as f64;
    page.put(&format!(
        "{} of {} cases are not weak ({}; the paper: 21 of 266, 8 %). {} weak cases have a run.",
        strong.len(),
        rows.len(),
        percent(part, 1.0),
        with_run.len()
    ));
    page.claim(
        "GS-7",
        "only 8 % of the test cases are non-weak; 90–95 % of formulae in practice are weak",
        if part <= 0.12 { Status::Confirmed } else { Status::Differs },
        &format!("{} non-weak here, with lariat's translation", percent(part, 1.0)),
    );
    // C99 and SE may have looked again at components that they had closed before: so states, not transitions.
    let is_minimal = |row: &&&Row| {
        let least = row.found[GV].states;
        let simple = row.simple.map_or(least, |found| found.states);
        simple == least && [C99, SE, AND].iter().all(|&check| row.found[check].states == least)
    };
    let minimal = with_run.iter().filter(is_minimal).count();
    page.claim(
        "GS-8",
        "on weak cases GV, C99, SE, AND and SD detect counterexamples with minimal exploration",
        Status::of(minimal == with_run.len()),
        &format!("the same states in {minimal} of {} cases with a run", with_run.len()),
    );
    let simple: Vec<_> = rows.iter().filter_map(|row| Some((row, row.simple?))).collect();
    let same = |(row, simple): &&(&Row, Found)| simple.transitions == row.transitions(GV);
    let same = simple.iter().filter(same).count();
    page.claim(
        "GS-9",
        "SD had the same performance as GV for the weak cases",
        Status::of(same == simple.len()),
        &format!("the same successors in {same} of {} weak cases", simple.len()),
    );
    let strong_runs: Vec<&&Row> = strong.iter().filter(|row| row.has_run()).collect();
    let factor = |row: &&&Row| {
        let others = [AND, SE, HPY].map(|check| row.found[check].states);
        others.into_iter().min().unwrap_or(0) as f64 / row.found[GV].states as f64
    };
    let faster: Vec<f64> = strong_runs.iter().map(factor).filter(|&factor| factor > 1.0).collect();
    let most = faster.iter().copied().fold(1.0, f64::max);
    page.claim(
        "GS-10",
        "in 7 of 21 non-weak cases GV and C99 found counterexamples faster than the others, by a factor of up to six",
        Status::of(!faster.is_empty()),
        &format!(
            "in {} of {} non-weak cases, {} of them with a run, after fewer states than AND, SE and HPY, by a factor of up to {most:.1}",
            faster.len(),
            strong.len(),
            strong_runs.len()
        ),
    );
}

pub(super) fn effects(page: &mut Page, rows: &[Row]) {
    page.section("Structural effects");
    let trivial = |row: &Row| row.found[GV].is_empty() && row.trivial_accepting > 0;
    let dominates = |row: &Row| {
        trivial(row) && row.transitions(GV) < row.transitions(SE).min(row.transitions(C99))
    };
    let as_gv = |row: &Row| trivial(row) && row.transitions(GV) == row.transitions(AND);
    let behind = |row: &Row| (0..C99).all(|check| row.transitions(check) < row.transitions(C99));
    let red_only = |row: &Row| {
        row.has_run()
            && row.transitions(HPY) > row.transitions(SE)
            && [AND, SE, C99].iter().all(|&check| row.transitions(check) == row.transitions(GV))
    };
    let count = |is_weak: bool, wanted: &dyn Fn(&Row) -> bool| {
        rows.iter().filter(|row| row.is_weak == is_weak && wanted(row)).count()
    };
    let line = |what: &str, paper: [&str; 2], wanted: &dyn Fn(&Row) -> bool| {
        let [weak, strong] = [true, false].map(|is_weak| count(is_weak, wanted).to_string());
        vec![what.to_owned(), paper[0].to_owned(), weak, paper[1].to_owned(), strong]
    };
    let lines = vec![
        line("trivial accepting components (empty products)", ["86", "18"], &trivial),
        line("the same, and GV before SE and C99", ["–", "–"], &dominates),
        line("trivial accepting components, and AND equal to GV", ["all", "–"], &as_gv),
        line("C99 behind all others", ["98", "17"], &behind),
        line(
            "HPY worst, all others equal (it finds in its red search only)",
            ["101", "7"],
            &red_only,
        ),
    ];
    page.table(&["effect", "paper: weak", "weak", "paper: non-weak", "non-weak"], &lines);
    page.put(
        "The paper does not say how it counted trivial components; here they are counted where the whole product is seen.",
    );
    let with_trivial: Vec<&Row> = rows.iter().filter(|row| row.is_weak && trivial(row)).collect();
    let of = |row: &&Row| row.transitions(SE) as f64 / row.transitions(GV) as f64;
    let factor = with_trivial.iter().map(of).fold(1.0, f64::max);
    let never_behind = with_trivial.iter().all(|row| row.transitions(GV) <= row.transitions(SE));
    page.claim(
        "GS-12",
        "with many trivial accepting SCCs, GV and SD dominate, sometimes with a factor of two",
        Status::of(never_behind && factor > 1.5),
        &format!(
            "before SE and C99 in {} of {} weak cases, up to a factor of {factor:.2} over SE",
            count(true, &dominates),
            with_trivial.len()
        ),
    );
    let same = count(true, &as_gv);
    page.claim(
        "GS-13",
        "there AND had the same performance as GV and SD, although this is not guaranteed",
        if same == with_trivial.len() { Status::Confirmed } else { Status::Differs },
        &format!("in {same} of {}", with_trivial.len()),
    );
    for (id, sentence, wanted) in [
        (
            "GS-14",
            "with non-accepting SCCs not preceded by accepting ones, C99 falls behind all the others",
            &behind as &dyn Fn(&Row) -> bool,
        ),
        (
            "GS-15",
            "HPY reports only during the red search, and fares worst where all others are equal",
            &red_only,
        ),
    ] {
        let weak = count(true, wanted);
        page.claim(id, sentence, Status::of(weak > 0), &format!("in {weak} weak cases"));
    }
}

/// The order of Fig. 3, case by case.
pub(super) fn exceptions(page: &mut Page, rows: &[Row]) {
    page.section("Exceptions to the order");
    let mut lines = Vec::new();
    for at in 0..HPY {
        let against = rows.iter().filter(|row| row.transitions(at) > row.transitions(at + 1));
        let against: Vec<&str> = against.map(|row| row.name.as_str()).collect();
        let pair = format!("{} ≤ {}", CHECKS[at].1, CHECKS[at + 1].1);
        lines.push(vec![pair, against.len().to_string(), against.join(", ")]);
    }
    let against: Vec<&Row> =
        rows.iter().filter(|row| row.transitions(HPY) > row.transitions(C99)).collect();
    let (with_run, empty): (Vec<&Row>, Vec<&Row>) =
        against.into_iter().partition(|row| row.has_run());
    // Nearly all of them by a few successors: HPY sees the run one search later.
    let far = with_run.iter().filter(|row| row.transitions(HPY) * 10 > row.transitions(C99) * 11);
    let far: Vec<&str> = far.map(|row| row.name.as_str()).collect();
    lines.push(vec![
        "HPY ≤ C99, with a run".to_owned(),
        with_run.len().to_string(),
        format!("by more than a tenth in {}: {}", far.len(), far.join(", ")),
    ]);
    let empty: Vec<&str> = empty.iter().map(|row| row.name.as_str()).collect();
    lines.push(vec![
        "HPY ≤ C99, empty products".to_owned(),
        empty.len().to_string(),
        empty.join(", "),
    ]);
    page.table(&["order", "cases against it", "which"], &lines);
    let rest = with_run.len() - far.len();
    page.put(&format!(
        "Where there is a run, C99 sees it at the edge that closes the cycle, HPY only when its second search comes there. In {rest} cases the difference is \
         at most a tenth. Every case is in the [last table](#every-case)."
    ));
    let beaten = rows.iter().filter(|row| {
        let others = row.found[1..].iter().chain(&row.left_out);
        others.into_iter().any(|found| found.transitions < row.transitions(GV))
    });
    let beaten = beaten.count();
    page.claim(
        "GS-16",
        "GV is never outperformed on any test case by any other check on Büchi automata",
        Status::of(beaten == 0),
        &format!("{beaten} of {} cases against it", rows.len()),
    );
    let equal = rows.iter().filter(|row| row.transitions(ASCC) == row.transitions(GV)).count();
    page.claim(
        "GS-17",
        "ASCC performs equally well on simple Büchi automata",
        Status::of(equal == rows.len()),
        &format!("the same successors in {equal} of {} cases", rows.len()),
    );
    let factor = rows.iter().map(|row| row.transitions(C99) as f64 / row.transitions(GV) as f64);
    let factor = factor.fold(0.0, f64::max);
    page.claim(
        "GS-19",
        "C99 computes each transition at most twice, GV and ASCC at most once",
        Status::of(factor <= 2.0),
        &format!("C99 at most {factor:.2} times GV's"),
    );
    for (at, (_, name)) in LEFT_OUT.iter().enumerate() {
        let better = |row: &&Row| row.left_out[at].transitions < row.transitions(SE);
        let better = rows.iter().filter(better).count();
        page.claim(
            &format!("GS-{}", 24 + at),
            &format!("{name} was always dominated by others"),
            Status::of(better == 0),
            &format!(
                "fewer successors than SE in {better} of {} cases; {} of HPY's in the sum",
                rows.len(),
                percent(
                    sum(rows, |row| row.left_out[at].transitions as f64),
                    sum(rows, |row| row.transitions(HPY) as f64)
                )
            ),
        );
    }
    let bits = rows.iter().filter(|row| {
        let best = [SE, HPY].iter().all(|&check| row.transitions(AND) <= row.transitions(check));
        let simple = row.simple.is_none_or(|found| found.transitions <= row.transitions(AND));
        best && simple
    });
    let bits = bits.count();
    page.claim(
        "GS-28",
        "of the checks that need only bits, SD is the best for weak formulae and AND in general",
        Status::of(bits == rows.len()),
        &format!("SD ≤ AND ≤ SE and HPY in {bits} of {} cases", rows.len()),
    );
}

pub(super) fn generalised(page: &mut Page, rows: &[Row]) {
    page.section("Generalised automata");
    let several: Vec<&Row> = rows.iter().filter(|row| row.marks > 1).collect();
    let size = |at: usize| several.iter().map(|row| row.sizes[at]).sum::<u64>();
    page.put(&format!(
        "{} automata have more than one acceptance set, with {} states in all; with accepting states they have {}.",
        several.len(),
        size(0),
        size(1)
    ));
    let line = |row: &&Row| {
        let run = if row.has_run() { "run" } else { "empty" };
        let mut line = vec![row.name.clone(), run.to_owned(), row.marks.to_string()];
        line.extend(row.sizes.map(|size| size.to_string()));
        line.extend([row.generalised.transitions, row.transitions(GV)].map(|n| n.to_string()));
        line
    };
    page.table(
        &["case", "product", "sets", "states", "with accepting states", "ASCC", "GV"],
        &several.iter().map(line).collect::<Vec<_>>(),
    );
    let one = rows.len() - several.len();
    page.claim(
        "GS-11",
        "most formulae yield generalised automata with only one acceptance condition",
        Status::of(2 * one > rows.len()),
        &format!("{one} of {}", rows.len()),
    );
    let lucky = rows.iter().filter(|row| row.transitions(GV) < row.generalised.transitions).count();
    page.claim(
        "GS-18",
        "on generalised automata ASCC did not perform best in all examples: another order of exploration",
        Status::of(lucky > 0),
        &format!("{lucky} of {} cases where GV needs fewer successors", rows.len()),
    );
    page.claim(
        "GS-29",
        "generalised automata tend to be smaller than Büchi automata for the same formula",
        Status::of(size(0) < size(1)),
        &format!("{} states against {} where there are several sets", size(0), size(1)),
    );
}
