//! Beyond the papers: what lariat adds around a check (remembered steps, a cache of successors, partial-order
//! reduction, sweeps), on the same properties.

use lariat_checks::Algorithm;
use lariat_plot::{Bars, bars};
use lariat_verify::Config;
use lariat_verify::engine::Engine;
use serde::{Deserialize, Serialize};

use crate::lab::Lab;
use crate::lab::cases::{Case, beem_rows};
use crate::lab::measure::{Found, How, alone, ask};
use crate::lab::page::{Page, Status, percent};

const CHECKS: [(Algorithm, &str); 6] = [
    (Algorithm::Ascc, "ASCC"),
    (Algorithm::Gv, "GV"),
    (Algorithm::And, "AND"),
    (Algorithm::Se, "SE"),
    (Algorithm::Hpy, "HPY"),
    (Algorithm::C99, "C99"),
];
const GV: usize = 1;
const HPY: usize = 4;
const C99: usize = 5;

const SETTINGS: [&str; 4] =
    ["as in the papers", "remembered steps", "and a cache of successors", "and reduction"];

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    /// By setting and check.
    found: Vec<Vec<Found>>,
    /// What `lariat check` does, and the same without sweeps.
    usual: Found,
    without_sweep: Found,
}

fn measure(case: &Case) -> Result<Row, String> {
    let papers = How::papers();
    let remembers = How { engine: Engine::default(), ..papers.clone() };
    let config = |setting: usize, algorithm: Algorithm| {
        let how = if setting == 0 { &papers } else { &remembers };
        let edge_cache = if setting >= 2 { None } else { Some(0) };
        Config { edge_cache, ..alone(how, algorithm, setting == 3) }
    };
    let mut found = Vec::new();
    for setting in 0..SETTINGS.len() {
        let of = |(algorithm, _): &(Algorithm, &str)| ask(case, &config(setting, *algorithm));
        found.push(CHECKS.iter().map(of).collect::<Result<Vec<_>, _>>()?);
    }
    let mut usual = Config::default();
    usual.limits.time = papers.time;
    let without_sweep = Config { order: lariat_verify::Order::DepthFirst, ..usual.clone() };
    Ok(Row { found, usual: ask(case, &usual)?, without_sweep: ask(case, &without_sweep)? })
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let most = if lab.full { 2_000_000 } else { 200_000 };
    let cases = beem_rows(lab.corpus()?, &lab.beem()?, most);
    let cases: Vec<_> = cases.into_iter().filter(|case| case.states > 5_000).step_by(2).collect();
    let mut rows: Vec<Row> = Vec::new();
    for case in &cases {
        rows.push(lab.remember(&format!("{} {most}", case.name), || measure(&case.case()?))?);
    }
    let cpu = |setting: usize, check: usize| {
        rows.iter().map(|row| row.found[setting][check].cpu).sum::<f64>()
    };
    let successors = |setting: usize, check: usize| {
        rows.iter().map(|row| row.found[setting][check].transitions).sum::<u64>() as f64
    };
    let mut page = Page::new(lab, "Beyond the papers: remembered steps, reduction, sweeps");
    page.put(&format!(
        "{} LTL properties of BEEM on instances with 5,000 to {most} states. Here CPU time is that of the whole question: \
         translation, search, judge. More than one core is not used: lariat has no parallel check yet.",
        rows.len()
    ));
    page.section("The checks under each setting");
    let mut lines = Vec::new();
    for (setting, name) in SETTINGS.iter().enumerate() {
        for (what, of) in
            [("CPU s", &cpu as &dyn Fn(usize, usize) -> f64), ("successors", &successors)]
        {
            let mut line = vec![(*name).to_owned(), what.to_owned()];
            let shown = |check: usize| match what {
                "CPU s" => format!(
                    "{:.2} ({})",
                    of(setting, check),
                    percent(of(setting, check), of(setting, HPY))
                ),
                _ => format!(
                    "{} ({})",
                    of(setting, check),
                    percent(of(setting, check), of(setting, HPY))
                ),
            };
            line.extend((0..6).map(shown));
            lines.push(line);
        }
    }
    let mut header = vec!["setting", ""];
    header.extend(CHECKS.iter().map(|(_, name)| *name));
    page.table(&header, &lines);
    let group = |(setting, name): (usize, &&str)| {
        ((*name).to_owned(), (0..6).map(|check| Some(cpu(setting, check))).collect())
    };
    page.plot(
        "settings",
        bars(&Bars {
            title: "CPU seconds by setting".to_owned(),
            unit: "seconds".to_owned(),
            series: CHECKS.iter().map(|(_, name)| (*name).to_owned()).collect(),
            groups: SETTINGS.iter().enumerate().map(group).collect(),
        }),
    )?;
    let order = |setting: usize| {
        let mut order: Vec<usize> = (0..6).collect();
        order.sort_by(|&a, &b| cpu(setting, a).total_cmp(&cpu(setting, b)));
        order.iter().map(|&check| CHECKS[check].1).collect::<Vec<_>>().join(" < ")
    };
    let orders: Vec<String> =
        SETTINGS.iter().enumerate().map(|(at, name)| format!("- {name}: {}", order(at))).collect();
    page.put(&format!("Order by CPU time:\n\n{}", orders.join("\n")));
    let spread = |setting: usize| cpu(setting, C99) / cpu(setting, GV);
    page.claim(
        "GS-23",
        "every set of benchmarks would lead to the same order among the algorithms",
        if (1..4).all(|setting| order(setting) == order(0)) { Status::Confirmed } else { Status::Differs },
        &format!(
            "in successors yes; in CPU time the distances shrink once successors are remembered: C99 takes {:.2} times as long as GV in \
             the papers' setting, {:.2} times with remembered steps, {:.2} with a cache, {:.2} with reduction",
            spread(0), spread(1), spread(2), spread(3)
        ),
    );
    page.section("What lariat does by itself");
    let total = |of: fn(&Row) -> &Found| rows.iter().map(|row| of(row).cpu).sum::<f64>();
    let states = |of: fn(&Row) -> &Found| rows.iter().map(|row| of(row).states).sum::<u64>();
    let line = |name: &str, seconds: f64, states: u64| {
        vec![
            name.to_owned(),
            format!("{seconds:.2}"),
            percent(seconds, cpu(0, HPY)),
            states.to_string(),
        ]
    };
    page.table(
        &["search", "CPU s", "of HPY in the papers' setting", "product states"],
        &[
            line(
                "HPY, as in the papers",
                cpu(0, HPY),
                rows.iter().map(|row| row.found[0][HPY].states).sum(),
            ),
            line(
                "GV, as in the papers",
                cpu(0, GV),
                rows.iter().map(|row| row.found[0][GV].states).sum(),
            ),
            line(
                "GV with remembered steps",
                cpu(1, GV),
                rows.iter().map(|row| row.found[1][GV].states).sum(),
            ),
            line(
                "GV with reduction",
                cpu(3, GV),
                rows.iter().map(|row| row.found[3][GV].states).sum(),
            ),
            line(
                "auto, depth first (reduction, shortcuts, remembered steps)",
                total(|row| &row.without_sweep),
                states(|row| &row.without_sweep),
            ),
            line(
                "auto with sweeps: `lariat check`",
                total(|row| &row.usual),
                states(|row| &row.usual),
            ),
        ],
    );
    page.write(lab)
}
