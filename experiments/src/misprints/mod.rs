//! Lines of the papers that are wrong as printed, each with the smallest graph that shows it.
//!
//! The figures are transcribed once more, recursively, with the printed line and with the right one, and
//! run on all small graphs. The checks of lariat are not used here: this is about the papers.

use crate::lab::Lab;
use crate::lab::page::{Page, Status};

/// A graph with marks on edges and on states; the initial state is 0. Successors in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    pub edges: Vec<Vec<(usize, u8)>>,
    pub states: Vec<u8>,
    pub all: u8,
}

/// What a transcription says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    Empty,
    Cycle,
    /// It takes from an empty stack.
    Underflow,
}

/// Where acceptance is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Edges,
    States,
}

impl Graph {
    /// By definition: a reachable component with a cycle whose edges, or states, have all marks.
    pub fn truth(&self, by: By) -> Says {
        let n = self.edges.len();
        let mut reach = vec![vec![false; n]; n];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|&(to, _)| reach[from][to] = true);
        }
        for via in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        let is_accepting = |s: usize| {
            let inside = |t: usize| reach[s][t] && reach[t][s];
            let of = |t: usize| match by {
                By::States => self.states[t],
                By::Edges => {
                    let inner = self.edges[t].iter().filter(|&&(to, _)| inside(to));
                    inner.fold(0, |marks, &(_, mark)| marks | mark)
                }
            };
            reach[s][s]
                && (0..n).filter(|&t| inside(t)).fold(0, |marks, t| marks | of(t)) == self.all
        };
        let found = (0..n).any(|s| (s == 0 || reach[0][s]) && is_accepting(s));
        if found { Says::Cycle } else { Says::Empty }
    }

    fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// `0 -{1}-> 1, 1 -> 0; 1 has {0}`
    pub fn in_words(&self) -> String {
        let marks = |set: u8| {
            let names: Vec<String> =
                (0..8).filter(|bit| set >> bit & 1 == 1).map(|b: u8| b.to_string()).collect();
            names.join(",")
        };
        let edges = self.edges.iter().enumerate().flat_map(|(from, edges)| {
            edges.iter().map(move |&(to, set)| match set {
                0 => format!("{from} → {to}"),
                set => format!("{from} –{{{}}}→ {to}", marks(set)),
            })
        });
        let edges: Vec<String> = edges.collect();
        let states = self.states.iter().enumerate().filter(|&(_, &set)| set != 0);
        let states: Vec<String> =
            states.map(|(s, &set)| format!("{s} has {{{}}}", marks(set))).collect();
        [edges.join(", "), states.join(", ")]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("; ")
    }
}

const DEAD: usize = usize::MAX;

/// RDKP Algorithm 3.
pub fn dijkstra(graph: &Graph, is_printed: bool) -> Says {
    struct Search<'g> {
        graph: &'g Graph,
        is_printed: bool,
        live: Vec<usize>,
        position: Vec<Option<usize>>,
        dfs: Vec<(u8, usize)>,
        roots: Vec<(usize, u8)>,
    }
    impl Search<'_> {
        fn update(&mut self, acc: u8, d: usize) -> Option<bool> {
            let (mut r, mut a) = self.roots.pop()?;
            a |= acc;
            while d < self.dfs[r].1 {
                let upper = self.dfs[r].0;
                let (next, la) = self.roots.pop()?;
                r = next;
                // Lines 21 and 22: r has its new value in `dfs[r].acc`.
                a |= la | if self.is_printed { self.dfs[r].0 } else { upper };
            }
            self.roots.push((r, a));
            Some(a == self.graph.all)
        }

        fn visit(&mut self, s: usize, acc: u8) -> Option<bool> {
            let p = self.live.len();
            self.live.push(s);
            self.position[s] = Some(p);
            self.roots.push((self.dfs.len(), 0));
            self.dfs.push((acc, p));
            for &(t, marks) in &self.graph.edges[s] {
                let found = match self.position[t] {
                    None => self.visit(t, marks)?,
                    Some(DEAD) => false,
                    Some(d) => self.update(marks, d)?,
                };
                if found {
                    return Some(true);
                }
            }
            self.dfs.pop();
            if self.roots.last()?.0 == self.dfs.len() {
                self.roots.pop();
                let dead = self.live.split_off(p);
                dead.into_iter().for_each(|q| self.position[q] = Some(DEAD));
            }
            Some(false)
        }
    }
    let position = vec![None; graph.edges.len()];
    let (live, dfs, roots) = (Vec::new(), Vec::new(), Vec::new());
    says(Search { graph, is_printed, live, position, dfs, roots }.visit(0, 0))
}

/// GS Fig. 2.
pub fn ascc(graph: &Graph, is_printed: bool) -> Says {
    struct Search<'g> {
        graph: &'g Graph,
        is_printed: bool,
        count: usize,
        number: Vec<usize>,
        current: Vec<bool>,
        roots: Vec<(usize, u8)>,
        active: Vec<usize>,
    }
    impl Search<'_> {
        fn visit(&mut self, s: usize) -> Option<bool> {
            self.count += 1;
            self.number[s] = self.count;
            self.current[s] = true;
            self.roots.push((s, self.graph.states[s]));
            self.active.push(s);
            for &(t, _) in &self.graph.edges[s] {
                if self.number[t] == 0 {
                    if self.visit(t)? {
                        return Some(true);
                    }
                } else if self.current[t] {
                    let mut b = 0;
                    let u = loop {
                        let (u, c) = self.roots.pop()?;
                        b |= c;
                        if b == self.graph.all {
                            return Some(true);
                        }
                        // Line 20.
                        let (u_number, t_number) = (self.number[u], self.number[t]);
                        let ends = if self.is_printed {
                            u_number < t_number
                        } else {
                            u_number <= t_number
                        };
                        if ends {
                            break u;
                        }
                    };
                    self.roots.push((u, b));
                }
            }
            // Line 22, which the text has lost.
            if self.roots.last().is_some_and(|&(root, _)| root == s) {
                self.roots.pop();
                loop {
                    let u = self.active.pop()?;
                    self.current[u] = false;
                    if u == s {
                        break;
                    }
                }
            }
            Some(false)
        }
    }
    let n = graph.edges.len();
    let (roots, active) = (Vec::new(), Vec::new());
    let (number, current) = (vec![0; n], vec![false; n]);
    says(Search { graph, is_printed, count: 0, number, current, roots, active }.visit(0))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    White,
    Cyan,
    Blue,
    Red,
}

/// GS Fig. 1. Lines 12 and 13 belong to every successor; in the text they seem to be part of the
/// branch for white ones.
pub fn and(graph: &Graph, is_printed: bool) -> Says {
    struct Search<'g> {
        graph: &'g Graph,
        is_printed: bool,
        colours: Vec<Colour>,
    }
    impl Search<'_> {
        fn accepting(&self, s: usize) -> bool {
            self.graph.states[s] == self.graph.all
        }

        fn blue(&mut self, s: usize) -> bool {
            let mut all_red = true;
            self.colours[s] = Colour::Cyan;
            for &(t, _) in &self.graph.edges[s] {
                let before = self.colours[t];
                if before == Colour::Cyan && (self.accepting(s) || self.accepting(t)) {
                    return true;
                }
                if before == Colour::White && self.blue(t) {
                    return true;
                }
                if self.colours[t] != Colour::Red && (!self.is_printed || before == Colour::White) {
                    all_red = false;
                }
            }
            if !all_red && self.accepting(s) && self.red(s) {
                return true;
            }
            let is_red = all_red || self.accepting(s);
            self.colours[s] = if is_red { Colour::Red } else { Colour::Blue };
            false
        }

        fn red(&mut self, s: usize) -> bool {
            for &(t, _) in &self.graph.edges[s] {
                match self.colours[t] {
                    Colour::Cyan => return true,
                    Colour::Blue => {
                        self.colours[t] = Colour::Red;
                        if self.red(t) {
                            return true;
                        }
                    }
                    Colour::White | Colour::Red => {}
                }
            }
            false
        }
    }
    let colours = vec![Colour::White; graph.edges.len()];
    says(Some(Search { graph, is_printed, colours }.blue(0)))
}

fn says(found: Option<bool>) -> Says {
    match found {
        None => Says::Underflow,
        Some(true) => Says::Cycle,
        Some(false) => Says::Empty,
    }
}

/// All graphs with `n` states and `marks` marks, on edges or on states.
fn graphs(n: usize, marks: u32, by: By) -> impl Iterator<Item = Graph> {
    let sets = 1_u64 << marks;
    // An edge is missing, or has one of the sets.
    let choices = if by == By::Edges { sets + 1 } else { 2 };
    let labels = if by == By::States { sets } else { 1 };
    let (edges, states) = (choices.pow((n * n) as u32), labels.pow(n as u32));
    (0..edges * states).map(move |code| {
        let (mut edge_code, mut state_code) = (code / states, code % states);
        let mut graph =
            Graph { edges: vec![Vec::new(); n], states: vec![0; n], all: (sets - 1) as u8 };
        for from in 0..n {
            for to in 0..n {
                let choice = edge_code % choices;
                edge_code /= choices;
                if choice > 0 {
                    graph.edges[from].push((to, (choice - 1) as u8));
                }
            }
            graph.states[from] = (state_code % labels) as u8;
            state_code /= labels;
        }
        graph
    })
}

/// A line of a paper.
pub struct Misprint {
    pub id: &'static str,
    pub paper: &'static str,
    pub right: &'static str,
    pub by: By,
    /// How many marks graphs may have.
    pub marks: &'static [u32],
    pub search: fn(&Graph, bool) -> Says,
}

pub const MISPRINTS: [Misprint; 3] = [
    Misprint {
        id: "RDKP-M1",
        paper: "RDKP Algorithm 3, lines 21–22 (and 4, 21–22): `⟨r, la⟩ ← roots.pop(); a ← a ∪ dfs[r].acc ∪ la`",
        right: "`a ← a ∪ dfs[r].acc; ⟨r, la⟩ ← roots.pop(); a ← a ∪ la`: the edge into the upper root lies inside, that into the lower one perhaps not",
        by: By::Edges,
        marks: &[1, 2],
        search: dijkstra,
    },
    Misprint {
        id: "GS-M1",
        paper: "GS Fig. 2, line 20: `until u.dfsnum < t.dfsnum` (as the text has it; line 22 is lost, line 27 reads `u = e`)",
        right: "`u.dfsnum ≤ t.dfsnum`; line 22 `if top(Roots) = (s, ·) then`; line 27 `u = s`",
        by: By::States,
        marks: &[1, 2],
        search: ascc,
    },
    Misprint {
        id: "GS-M2",
        paper: "GS Fig. 1, lines 12–13: `if t.colour ≠ red then allred := false` in the branch of line 10 (as the text has it)",
        right: "for every successor",
        by: By::States,
        marks: &[1],
        search: and,
    },
];

/// The smallest graph on which the printed line says this wrong thing: fewest states, then fewest
/// edges, then fewest marks.
pub fn smallest(misprint: &Misprint, wrong: Says) -> Option<Graph> {
    (1..=3).find_map(|n| {
        let all = misprint.marks.iter().flat_map(|&marks| graphs(n, marks, misprint.by));
        let differs = |graph: &Graph| {
            let truth = graph.truth(misprint.by);
            truth != wrong && (misprint.search)(graph, true) == wrong
        };
        all.filter(differs).min_by_key(|graph| (graph.edge_count(), graph.all))
    })
}

/// Whether the right line is right on all graphs with up to `n` states.
pub fn is_right(misprint: &Misprint, n: usize) -> bool {
    let of = |n| misprint.marks.iter().flat_map(move |&marks| graphs(n, marks, misprint.by));
    (1..=n).flat_map(of).all(|graph| (misprint.search)(&graph, false) == graph.truth(misprint.by))
}

pub fn run(lab: &mut Lab) -> Result<(), String> {
    let mut page = Page::new(lab, "Misprints, with their smallest counterexamples");
    page.put(
        "Each figure as printed, and as it must be, on all graphs with up to three states and two marks, against the \
         definition. Some of these lines may be right in the journal and only lost in the text at hand.",
    );
    page.section("Lines");
    let mut lines = Vec::new();
    for misprint in &MISPRINTS {
        for (wrong, what) in [
            (Says::Cycle, "false alarm"),
            (Says::Empty, "missed cycle"),
            (Says::Underflow, "empty stack"),
        ] {
            let graph = smallest(misprint, wrong).map(|graph| graph.in_words());
            let graph = graph.unwrap_or_else(|| "none up to three states".to_owned());
            lines.push(vec![misprint.id.to_owned(), what.to_owned(), graph]);
        }
        let is_right = is_right(misprint, 3);
        let why = format!(
            "must be {}; right on all graphs with up to three states: {is_right}",
            misprint.right
        );
        page.claim(misprint.id, misprint.paper, Status::Differs, &why);
    }
    page.table(&["line", "what goes wrong", "smallest graph"], &lines);
    page.section("Table 1 of Schwoon and Esparza");
    page.put(
        "15394 must be 15934, and \"all weak automata\" must be \"all non-weak automata\": see \
         [se2005](se2005.md#the-papers-numbers). In §4.2 the depth-first search that completes a counterexample starts at t, \
         not at u: the path wanted leads from t to u.",
    );
    page.write(lab)
}
