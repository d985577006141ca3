//! Programs whose processes go round in rings, so that much can be put off for ever.

use crate::random::Rng;

/// A program in Promela, and expressions that its processes change.
pub(super) fn program(rng: &mut Rng) -> (String, Vec<String>) {
    let room = rng.below(3);
    let mut text = format!("bit g, h; byte n; chan c = [{room}] of {{ bit }};\n");
    let processes = 2 + rng.below(3);
    let mut points = Vec::new();
    for process in 0..processes {
        let count = 1 + rng.below(3);
        text += &format!("active proctype P{process}() {{ bit x;\n");
        for point in 0..count {
            text += &format!("s{point}: if ");
            for _ in 0..1 + rng.below(2) {
                let command = command(rng);
                let next = match rng.below(count + 1) {
                    next if next < count => format!("goto s{next}"),
                    _ if rng.chance(30) => "goto over".to_owned(),
                    _ => format!("goto s{}", (point + 1) % count),
                };
                text += &format!(":: {command}; {next} ");
            }
            if rng.chance(10) {
                text += &format!(":: else -> goto s{} ", rng.below(count));
            }
            text += "fi;\n";
            points.push(format!("P{process}@s{point}"));
        }
        text += "over: skip }\n";
    }
    let mut propositions = vec!["g == 1", "h == 1", "g == h", "n > 1"];
    if room > 0 {
        propositions.push("len(c) > 0");
    }
    let mut propositions: Vec<String> = propositions.into_iter().map(str::to_owned).collect();
    propositions.push(points[rng.below(points.len() as u64) as usize].clone());
    let first = propositions.remove(rng.below(propositions.len() as u64) as usize);
    let second = propositions.remove(rng.below(propositions.len() as u64) as usize);
    (text, vec![first, second])
}

fn command(rng: &mut Rng) -> &'static str {
    rng.pick(&[
        "skip",
        "skip",
        "x = 1 - x",
        "x = 1 - x",
        "g = 1",
        "g = 1 - g",
        "h = 1 - h",
        "n < 2 -> n++",
        "n = 0",
        "g == 1",
        "h == 0",
        "g = x",
        "c!1",
        "c!x",
        "c?x",
        "c?1",
        "atomic { g == 0 -> h = 1 }",
    ])
}
