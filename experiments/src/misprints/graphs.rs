//! Small graphs, and the truth about them.

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

    pub fn edge_count(&self) -> usize {
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

/// All graphs with `n` states and `marks` marks, on edges or on states.
pub(super) fn graphs(n: usize, marks: u32, by: By) -> impl Iterator<Item = Graph> {
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
