//! `d_step`: a deterministic program that is one step. It works on the row behind the step;
//! what blocks or fails inside is left to the interpreter.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, StackSlotData, StackSlotKind, types};
use lariat_model::ir::{Action, DStep, DStepId, DStepNode, NodeId};

use crate::action::Effect;
use crate::code::{Code, Who};

/// After so many statements the interpreter sees whether the program ends.
const BUDGET: i64 = 100_000;

impl<'m> Code<'_, '_, 'm> {
    /// Goes to `no` unless one of the first statements is executable.
    pub(crate) fn d_step_guard(
        &mut self,
        id: DStepId,
        who: Who,
        else_allowed: impl Fn(&mut Self, Block, Block),
        yes: Block,
        no: Block,
    ) {
        let guards = &self.facts.model.d_steps[id.0 as usize].guards;
        if guards.is_empty() {
            return self.jump(yes);
        }
        for guard in guards {
            let otherwise = self.block();
            match guard {
                Action::Else => else_allowed(self, yes, otherwise),
                guard => self.can_execute(guard, who, yes, otherwise),
            }
            self.switch_to(otherwise);
        }
        self.jump(no);
    }

    /// The program, in the row of `who`.
    pub(crate) fn run_program(&mut self, id: DStepId, who: Who) {
        let program = &self.facts.model.d_steps[id.0 as usize];
        let blocks: Vec<Block> = program.nodes.iter().map(|_| self.block()).collect();
        let heads = loop_heads(program);
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3);
        let budget = self.b.create_sized_stack_slot(slot);
        if heads.contains(&true) {
            let limit = self.long(BUDGET);
            self.b.ins().stack_store(types::I64, limit, budget, 0);
        }
        self.jump(blocks[program.entry.0 as usize]);
        let done = self.block();
        for ((node, &block), is_head) in program.nodes.iter().zip(&blocks).zip(heads) {
            self.switch_to(block);
            if is_head {
                let left = self.b.ins().stack_load(types::I64, types::I64, budget, 0);
                let left = self.b.ins().iadd_imm_s(left, -1);
                self.b.ins().stack_store(types::I64, left, budget, 0);
                let is_endless = self.b.ins().icmp_imm_s(IntCC::Equal, left, 0);
                self.ask_if(is_endless);
            }
            match node {
                DStepNode::Exit => self.jump(done),
                DStepNode::Do { action, next, .. } => {
                    let blocked = self.block();
                    self.statement(action, who, blocked, blocks[next.0 as usize]);
                    self.switch_to(blocked);
                    self.leave();
                }
                DStepNode::Select { options, .. } => {
                    for option in options {
                        let otherwise = self.block();
                        match &program.nodes[option.0 as usize] {
                            DStepNode::Do { action, next, .. } => {
                                self.statement(action, who, otherwise, blocks[next.0 as usize]);
                            }
                            DStepNode::Select { .. } | DStepNode::Exit => {
                                self.jump(blocks[option.0 as usize]);
                            }
                        }
                        self.switch_to(otherwise);
                    }
                    self.leave();
                }
            }
        }
        self.switch_to(done);
    }

    fn statement(&mut self, action: &'m Action, who: Who, blocked: Block, next: Block) {
        self.attempt(action, who, blocked, &mut |code, effect| match effect {
            Effect::Offer { .. } => code.leave(),
            effect => {
                code.apply(&effect, who);
                code.jump(next);
            }
        });
    }
}

/// Nodes that are reached from themselves or from later ones: every loop has one.
fn loop_heads(program: &DStep) -> Vec<bool> {
    let mut heads = vec![false; program.nodes.len()];
    let mut edge = |from: usize, to: NodeId| heads[to.0 as usize] |= to.0 as usize <= from;
    for (at, node) in program.nodes.iter().enumerate() {
        match node {
            DStepNode::Exit => {}
            DStepNode::Do { next, .. } => edge(at, *next),
            DStepNode::Select { options, .. } => {
                for &option in options {
                    // The first statement of an option is part of the choice.
                    match &program.nodes[option.0 as usize] {
                        DStepNode::Do { next, .. } => edge(at, *next),
                        DStepNode::Select { .. } | DStepNode::Exit => edge(at, option),
                    }
                }
            }
        }
    }
    heads
}
