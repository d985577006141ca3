//! A model with a property process as a graph with acceptance, for the emptiness checks.
//!
//! The property's control point is part of the row; its acceptance sets are the marks of all
//! edges that leave the row.

use lariat_core::{Batch, Cursor, Flat, Graph, Limit, Marks, Successors, Word};

use super::ModelSpace;
use crate::ir::Model;
use crate::ir::layout::FRAME_LOCATION;
use crate::ir::transition::Property;

pub struct PropertyGraph<'m> {
    space: ModelSpace<'m>,
    property: &'m Property,
    /// The word of a row whose upper half is the property's control point.
    word: usize,
}

impl<'m> PropertyGraph<'m> {
    /// The product of the model and its property process, if it has one.
    pub fn new(model: &'m Model) -> Option<Self> {
        let property = model.property.as_ref()?;
        let queues = model.channel_types.iter().map(|channel| channel.size);
        let frames = model.initial_processes[..property.pid as usize].iter();
        let frames = frames.map(|process| model.proctype(process.proctype).frame_size);
        let base: u32 = model.globals_size + queues.sum::<u32>() + frames.sum::<u32>();
        let width = ModelSpace::minimal_width(model);
        let word = base as usize / size_of::<Word>();
        debug_assert_eq!((base % 4, FRAME_LOCATION), (0, 2));
        Some(PropertyGraph { space: ModelSpace::new(model, width, Vec::new()), property, word })
    }

    /// Words of a row.
    pub fn width(&self) -> usize {
        self.space.wanted_width()
    }

    fn marks(&self, row: &[Word]) -> Marks {
        // In the error state the control point is 0, which has no marks.
        let location = (row[self.word] >> 16) as usize;
        Marks(self.property.marks[location])
    }
}

impl Successors for PropertyGraph<'_> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        self.space.batch(room)
    }

    fn initial(&mut self, out: &mut Flat) {
        self.space.initial(out);
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        let marks = self.marks(src);
        let first = out.len();
        self.space.expand(src, at, out);
        for edge in first..out.len() {
            out.set_marks(edge, marks);
        }
    }

    fn stopped(&self) -> Option<Limit> {
        self.space.stopped()
    }
}

impl Graph for PropertyGraph<'_> {
    fn accepting(&self, state: &[Word]) -> bool {
        !self.marks(state).is_empty()
    }

    fn mark_count(&self) -> u32 {
        self.property.mark_count
    }
}
