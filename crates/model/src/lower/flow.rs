//! Control flow as Spin builds it: elements in sequences.
//!
//! What is a step, what is stored and where `else`, `break`, `goto` and `unless` lead is
//! decided by the shape of these lists, so they follow the construction of Spin 6.5.2: every
//! statement is an element; `if` and `do` have a join element behind them; `atomic`, `d_step`
//! and plain blocks hold a sequence. Jumps and joins are elements too; `graph.rs` jumps over
//! them.

use crate::ir::Action;
use lariat_syntax::diagnostics::Span;

/// Names an element of a body. Its number as a control point is one more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct ElementId(pub(super) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SequenceId(pub(super) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LoopId(pub(super) u32);

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    pub(super) next: Option<ElementId>,
    /// Options of `if` and `do`; main part and escape of `unless`.
    pub(super) sub: Vec<SequenceId>,
    /// Escapes that may take over here, the outermost first.
    pub(super) escapes: Vec<SequenceId>,
    /// Inside an atomic sequence and not its last element.
    pub(super) atomic: bool,
    /// The last element of an atomic sequence.
    pub(super) last_atomic: bool,
    /// Inside a `d_step`: which.
    pub(super) d_step: Option<u32>,
    pub(super) span: Span,
    pub(super) text: String,
}

impl Element {
    pub(super) fn new(kind: ElementKind, span: Span, text: String, d_step: Option<u32>) -> Self {
        Element {
            kind,
            next: None,
            sub: Vec::new(),
            escapes: Vec::new(),
            atomic: false,
            last_atomic: false,
            d_step,
            span,
            text,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum ElementKind {
    /// `skip`, `true`, `1`: always executable, no effect.
    Skip,
    /// Everything else that is one step.
    Act(Action),
    /// `false`, `0`: never executable.
    Never,
    Else,
    Goto(Jump),
    /// Where the options of an `if`, or the parts of an `unless`, come together; also stands
    /// before a `do`.
    Join,
    /// Behind a `do`: where `break` leads.
    Break,
    If,
    Do,
    Unless,
    Atomic(SequenceId),
    Block(SequenceId),
    DStep(SequenceId),
    /// The end of a body.
    Stop,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Jump {
    Break(LoopId),
    Label { name: String, scope: Vec<u32>, span: Span },
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    pub(super) first: Option<ElementId>,
    pub(super) last: Option<ElementId>,
    /// The last element when the sequence was closed; joins are appended later.
    pub(super) extent: Option<ElementId>,
}

/// A label that stands somewhere in the body.
#[derive(Clone, Debug)]
pub(super) struct LabelDef {
    pub(super) name: String,
    pub(super) scope: Vec<u32>,
    pub(super) element: ElementId,
    pub(super) span: Span,
}

/// A statement that is not in a sequence yet.
#[derive(Debug)]
pub(super) enum Node {
    Simple { kind: ElementKind, span: Span, text: String },
    If { options: Vec<SequenceId>, span: Span },
    Do { options: Vec<SequenceId>, exit: LoopId, span: Span },
    Unless { main: SequenceId, escape: SequenceId, span: Span },
    Labelled { labels: Vec<(String, Span)>, node: Box<Node> },
}

/// A body under construction, then finished.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) elements: Vec<Element>,
    pub(super) sequences: Vec<Sequence>,
    /// Newest last.
    pub(super) labels: Vec<LabelDef>,
    /// Where the `break`s of a loop lead.
    pub(super) loop_exits: Vec<Option<ElementId>>,
    open: Vec<SequenceId>,
    /// The block that is being built, as the path of blocks to it.
    pub(super) scope: Vec<u32>,
    /// The `d_step` that is being built.
    pub(super) d_step: Option<u32>,
    /// A second `else` in one choice, or one beside input or output.
    pub(super) duplicate_else: Vec<Span>,
    pub(super) dubious_else: Vec<Span>,
    /// A label was exposed: an element was made out of turn.
    pub(super) out_of_turn: bool,
}

impl Body {
    pub(super) fn open_sequence(&mut self) {
        self.sequences.push(Sequence::default());
        self.open.push(SequenceId(self.sequences.len() as u32 - 1));
    }

    pub(super) fn close_sequence(&mut self) -> SequenceId {
        let id = self.open.pop().expect("a sequence is open");
        let sequence = &mut self.sequences[id.0 as usize];
        sequence.extent = sequence.last;
        id
    }

    fn current(&self) -> SequenceId {
        *self.open.last().expect("a sequence is open")
    }

    pub(super) fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }

    pub(super) fn element_mut(&mut self, id: ElementId) -> &mut Element {
        &mut self.elements[id.0 as usize]
    }

    pub(super) fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    pub(super) fn new_element(&mut self, kind: ElementKind, span: Span, text: String) -> ElementId {
        self.elements.push(Element::new(kind, span, text, self.d_step));
        ElementId(self.elements.len() as u32 - 1)
    }

    pub(super) fn has_label(&self, element: ElementId) -> bool {
        self.labels.iter().any(|label| label.element == element)
    }

    /// Appends a statement to the open sequence.
    pub(super) fn add(&mut self, node: Node) {
        let (labels, node) = match node {
            Node::Labelled { labels, node } => (labels, *node),
            node => (Vec::new(), node),
        };
        let sequence = self.current();
        match node {
            Node::Simple { kind, span, text } => {
                let element = self.new_element(kind, span, text);
                self.set_labels(labels, element);
                self.append(element, sequence);
            }
            Node::If { options, span } => {
                let element = self.add_choice(options, None, span);
                self.set_labels(labels, element);
            }
            Node::Do { options, exit, span } => {
                let element = self.add_choice(options, Some(exit), span);
                self.set_labels(labels, element);
            }
            Node::Unless { main, escape, span } => {
                let element = self.add_unless(main, escape, span);
                self.set_labels(labels, element);
            }
            Node::Labelled { .. } => unreachable!("labels of one statement are in one list"),
        }
    }

    // The label next to the statement is set first.
    fn set_labels(&mut self, labels: Vec<(String, Span)>, element: ElementId) {
        for (name, span) in labels.into_iter().rev() {
            self.labels.push(LabelDef { name, scope: self.scope.clone(), element, span });
        }
    }

    /// Appends an element; a `goto` with a special label gets a `skip` before it that takes
    /// over the label, since a jump is no control point.
    fn append(&mut self, element: ElementId, sequence: SequenceId) {
        if matches!(self.element(element).kind, ElementKind::Goto(_)) {
            let special = |label: &LabelDef| {
                let name = &label.name;
                let special = ["accept", "end", "progress"];
                label.element == element && special.iter().any(|prefix| name.starts_with(prefix))
            };
            if self.labels.iter().any(special) {
                let span = self.element(element).span;
                let skip = self.new_element(ElementKind::Skip, span, "skip".into());
                let newest = self.labels.iter_mut().rev().find(|label| label.element == element);
                newest.expect("found above").element = skip;
                self.append(skip, sequence);
            }
        }
        let list = &mut self.sequences[sequence.0 as usize];
        match list.last.replace(element) {
            None => list.first = Some(element),
            Some(last) => self.elements[last.0 as usize].next = Some(element),
        }
    }

    fn add_choice(
        &mut self,
        mut options: Vec<SequenceId>,
        exit: Option<LoopId>,
        span: Span,
    ) -> ElementId {
        let kind = if exit.is_some() { ElementKind::Do } else { ElementKind::If };
        let element = self.new_element(kind, span, String::new());
        let join = self.new_element(ElementKind::Join, span, String::new());
        self.move_else_to_the_end(&mut options);
        for &option in &options {
            self.append(join, option);
        }
        self.element_mut(element).sub = options;
        let sequence = self.current();
        let mut behind = join;
        if let Some(exit) = exit {
            self.append(join, sequence);
            behind = self.new_element(ElementKind::Break, span, "break".into());
            self.loop_exits[exit.0 as usize] = Some(behind);
        }
        self.append(element, sequence);
        self.append(behind, sequence);
        element
    }

    fn first_kind(&self, sequence: SequenceId) -> Option<&ElementKind> {
        self.sequence(sequence).first.map(|first| &self.element(first).kind)
    }

    fn move_else_to_the_end(&mut self, options: &mut Vec<SequenceId>) {
        let is_else = |body: &Body, option: SequenceId| {
            matches!(body.first_kind(option), Some(ElementKind::Else))
        };
        let found: Vec<usize> =
            (0..options.len()).filter(|&at| is_else(self, options[at])).collect();
        if let &[_, second, ..] = &found[..] {
            let first = self.sequence(options[second]).first.expect("starts with else");
            let span = self.element(first).span;
            self.duplicate_else.push(span);
        }
        let Some(&at) = found.first() else { return };
        let option = options.remove(at);
        let communicates = options.iter().any(|&option| {
            let kind = self.first_kind(option);
            matches!(kind, Some(ElementKind::Act(Action::Send(_) | Action::Receive(_))))
        });
        if communicates {
            let first = self.sequence(option).first.expect("starts with else");
            self.dubious_else.push(self.element(first).span);
        }
        options.push(option);
    }

    fn add_unless(&mut self, main: SequenceId, escape: SequenceId, span: Span) -> ElementId {
        let element = self.new_element(ElementKind::Unless, span, String::new());
        let join = self.new_element(ElementKind::Join, span, String::new());
        self.element_mut(element).sub = vec![main, escape];
        self.append(join, main);
        self.append(join, escape);
        self.attach_escape(main, escape);
        let sequence = self.current();
        self.append(element, sequence);
        self.append(join, sequence);
        element
    }

    /// Every element of the main part can be left by the escape.
    fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = self.sequence(main);
        let mut at = first;
        while let Some(element) = at {
            self.escape_element(element, escape);
            if at == extent {
                break;
            }
            at = self.element(element).next;
        }
    }

    // Recursion is as deep as the nesting of statements, which the parser limits.
    fn escape_element(&mut self, id: ElementId, escape: SequenceId) {
        let element = self.element(id);
        if element.escapes.contains(&escape) {
            return;
        }
        // The escapes that are here already can themselves be left by the new one.
        for inner in element.escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.element_mut(id).escapes.insert(0, escape);
        let element = self.element(id);
        match element.kind {
            ElementKind::Unless => self.attach_escape(element.sub[0], escape),
            ElementKind::If | ElementKind::Do => {
                for option in element.sub.clone() {
                    self.attach_escape(option, escape);
                }
            }
            ElementKind::DStep(inner) => {
                // Only its guard can be left.
                if let Some(first) = self.sequence(inner).first {
                    self.escape_element(first, escape);
                }
            }
            ElementKind::Atomic(inner) | ElementKind::Block(inner) => {
                self.attach_escape(inner, escape);
            }
            _ => {}
        }
    }
}
