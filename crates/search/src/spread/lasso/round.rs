//! A cycle through a state that has all marks. See `lasso` for why it is there, and for why what was put together is one.

use lariat_core::{Broken, Marks, makes_mistake};

use super::ahead::{Ahead, Aim, Reached};
use super::{Along, Looking, ProductState, Sought, lost, states};
use crate::spread::shard::Expander;
use crate::spread::status::End;
use crate::spread::way::{self, Met};

/// A way to x from the end of an edge that has a mark, and the edge's source.
struct Spoke {
    source: Met,
    way: Vec<Met>,
}

impl<'s, E: Expander<'s>> Looking<'_, '_, 's, E> {
    /// A cycle with all marks through this state, which is its first; none if there is none.
    pub(super) fn round(&mut self, at: &ProductState) -> Sought<Vec<ProductState>> {
        let nearest = match self.nearest(at)? {
            Ok(Some(nearest)) => nearest,
            ended => return Ok(ended.map(|_| None)),
        };
        let mut marks = marks_of(&nearest);
        let nearest = up_to_last(nearest);
        if marks.contains(self.all) || makes_mistake("lasso-marks") {
            return Ok(Ok(Some(nearest)));
        }
        let of_nearest = marks;
        if let Err(end) = self.reach_all(at)? {
            return Ok(Err(end));
        }
        let mut spokes = Vec::new();
        while let Some(mark) = first_of(self.all.without(marks)) {
            match self.spoke(at, mark)? {
                Ok(Some(spoke)) => {
                    marks |= marks_of(&spoke.way) | Marks(spoke.source.marks);
                    spokes.push(spoke);
                }
                ended => return Ok(ended.map(|_| None)),
            }
        }
        let ways = match self.ways_to_sources(at, &spokes)? {
            Ok(ways) => ways,
            Err(end) => return Ok(Err(end)),
        };
        let mut of_spokes = Marks::NONE;
        let mut round = Vec::new();
        for (there, Spoke { source, way }) in ways.into_iter().zip(spokes) {
            of_spokes |= marks_of(&there) | Marks(source.marks) | marks_of(&way);
            round.extend(states(there));
            round.extend(up_to_last(way));
        }
        if !of_spokes.contains(self.all) {
            debug_assert!((of_spokes | of_nearest).contains(self.all));
            round.extend(nearest);
        }
        Ok(Ok(Some(round)))
    }

    /// A shortest way from a state to itself inside an accepting component, of at least one step.
    fn nearest(&mut self, at: &ProductState) -> Sought<Vec<Met>> {
        let aim = match self.aim(std::slice::from_ref(at), false)? {
            Ok(aim) => aim,
            Err(end) => return Ok(Err(end)),
        };
        match self.begin(Some(vec![at.clone()]), Along::Inside, aim)? {
            Ok(mut ahead) => self.way_to_first(&mut ahead),
            Err(end) => Ok(Err(end)),
        }
    }

    /// All states that can be reached inside the component are there.
    fn reach_all(&mut self, at: &ProductState) -> Result<Result<(), End>, Broken> {
        let from = Some(vec![at.clone()]);
        match self.begin(from, Along::Inside, Aim::Nothing)? {
            Ok(mut ahead) => Ok(ahead.next(self.shard)?.map(drop)),
            Err(end) => Ok(Err(end)),
        }
    }

    /// A shortest way to a state from the end of an edge with this mark, of states that are there.
    fn spoke(&mut self, at: &ProductState, mark: u32) -> Sought<Spoke> {
        let aim = match self.aim(std::slice::from_ref(at), true)? {
            Ok(aim) => aim,
            Err(end) => return Ok(Err(end)),
        };
        self.shard.begin_pass();
        let components = self.components;
        let mut ahead = Ahead::new(components, Along::Inside, aim).beginning_with(mark);
        let way = match self.way_to_first(&mut ahead)? {
            Ok(Some(way)) => way,
            ended => return Ok(ended.map(|_| None)),
        };
        let wants = |src, dst| Along::Inside.wants(components, src, dst);
        match way::before(self.shard, &way[0], mark, &wants)? {
            Ok(Some(source)) => Ok(Ok(Some(Spoke { source, way }))),
            Ok(None) => Err(lost("nobody has the source of an edge that was told of")),
            Err(end) => Ok(Err(end)),
        }
    }

    /// Shortest ways from a state to the sources of edges.
    fn ways_to_sources(
        &mut self,
        at: &ProductState,
        spokes: &[Spoke],
    ) -> Result<Result<Vec<Vec<Met>>, End>, Broken> {
        let mut sources: Vec<ProductState> = Vec::new();
        for Spoke { source, .. } in spokes {
            let source = (source.row.clone(), source.state);
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        let aim = match self.aim(&sources, true)? {
            Ok(aim) => aim,
            Err(end) => return Ok(Err(end)),
        };
        let mut ahead = match self.begin(Some(vec![at.clone()]), Along::Inside, aim)? {
            Ok(ahead) => ahead,
            Err(end) => return Ok(Err(end)),
        };
        let mut ways: Vec<Option<Vec<Met>>> = vec![None; sources.len()];
        while ways.iter().any(Option::is_none) {
            let met = match ahead.next(self.shard)? {
                Ok(met) if met.is_empty() => {
                    return Err(lost("an edge cannot be reached from where it was found"));
                }
                Ok(met) => met,
                Err(end) => return Ok(Err(end)),
            };
            // Now, as long as no state of a later level is known.
            for Reached { number, level, met } in met {
                match self.back(met, level, Along::Inside)? {
                    Ok(way) => ways[number] = Some(way),
                    Err(end) => return Ok(Err(end)),
                }
            }
        }
        let of_spoke = |Spoke { source, .. }: &Spoke| {
            let at = sources
                .iter()
                .position(|(row, state)| (row, *state) == (&source.row, source.state));
            ways[at.expect("all are there")].clone().expect("all were met")
        };
        Ok(Ok(spokes.iter().map(of_spoke).collect()))
    }
}

/// Of all edges of a way. What is noted of its last state is about no edge of it.
fn marks_of(way: &[Met]) -> Marks {
    let edges = way.split_last().map_or(&[][..], |(_, edges)| edges);
    edges.iter().fold(Marks::NONE, |all, met| all | Marks(met.marks))
}

/// All but the last state, which is where the next way begins.
fn up_to_last(way: Vec<Met>) -> Vec<ProductState> {
    let mut all = states(way);
    all.pop();
    all
}

fn first_of(marks: Marks) -> Option<u32> {
    (marks.0 != 0).then(|| marks.0.trailing_zeros())
}
