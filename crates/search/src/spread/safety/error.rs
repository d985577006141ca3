//! An error, and the way to it.

use lariat_core::Broken;
use lariat_store::Scratch;
use lariat_system::{Edges, System, SystemGraph};

use super::Search;
use crate::safety::ErrorPath;
use crate::spread::checkpoint::{bytes_of, words_of};
use crate::spread::shard::Shard;
use crate::spread::status::{End, Halted, agree};
use crate::spread::visit::{Least, Visitor};
use crate::spread::way::{self, Met};

impl<'s> Search<'_, 's> {
    /// The least error of the level, and the way to it.
    pub(super) fn way(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        level: u64,
    ) -> Result<Result<ErrorPath, End>, Broken> {
        // What was found is not lost because time is over by now.
        lariat_core::stop::undisturbed(|| {
            let width = self.room.width;
            let mine = shard.expander.least.take();
            let mut note = Vec::new();
            if let Some(least) = &mine {
                note.push(u8::from(!least.moves.is_empty()));
                note.extend(Met::new(least.row.to_vec(), 0, 0).write());
            }
            let agreed = agree(shard.own.exchange, Halted::No, &[], &note)?;
            let read = |note: &Vec<u8>| {
                let (&on_the_way, met) = note.split_first()?;
                Some((on_the_way, Met::read(met, width)?))
            };
            let Some((_, mut met)) = agreed.notes.iter().filter_map(read).min() else {
                return Err(Broken { what: "nobody tells of the error that was found".to_owned() });
            };
            // Who tells of it may have heard of it from a checkpoint: its owner knows what is kept of it.
            let kept = shard.retrying(|_, system, _| {
                let session = system.session();
                let key = lariat_core::SystemStore::intern(session, &met.row)?;
                let mut kept = None;
                session.payloads(&[key], |_, found| kept = found);
                Ok(kept)
            });
            let note = kept.ok().flatten().map_or(Vec::new(), |kept| bytes_of(&[kept]));
            let agreed = agree(shard.own.exchange, Halted::No, &[], &note)?;
            let Some(([kept], _)) = agreed.notes.iter().find_map(|note| words_of(note)) else {
                return Err(Broken { what: "nobody has the state of the error".to_owned() });
            };
            met.kept = kept;
            let row: Box<[u32]> = met.row.clone().into();
            let rows = match way::back(shard, met, level, &|_, _| true)? {
                Ok(way) => way.into_iter().map(|met| met.row.into()).collect(),
                Err(end) => return Ok(Err(end)),
            };
            match self.error_of(shard, &row) {
                Some(Least { error, moves, .. }) => {
                    let hidden_is_outside = false;
                    Ok(Ok(ErrorPath { error, rows, last: moves, hidden_is_outside }))
                }
                None => Err(Broken { what: "an error that was found is not there".to_owned() }),
            }
        })
    }

    /// The least error of a state, or on the way from it.
    pub(super) fn error_of(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        row: &[u32],
    ) -> Option<Least> {
        let (model, options) = (self.model, self.options);
        let (mut visitor, row) = (Visitor::new(model, options, usize::MAX / 2), row.to_vec());
        shard.with_steps(|steps| {
            let width = row.len();
            let mut system = System::of_states(model, steps, true, |_| Scratch::new(width));
            let mut edges = Edges::default();
            let looked = system.set_state(&row).and_then(|()| {
                system.expand(&[0], &mut edges)?;
                visitor.look(&mut system, &[0], &edges)
            });
            (system.into_parts().0, looked.is_ok())
        });
        visitor.least
    }
}
