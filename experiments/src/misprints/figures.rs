//! The figures, transcribed recursively, with the printed line and with the right one.

use super::graphs::{Graph, Says};

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
