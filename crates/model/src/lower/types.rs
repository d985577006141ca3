//! Types, typedefs and symbols.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::layout::{Packer, VariableKind};
use crate::ir::{ExprId, ProctypeId, Region, Scalar};
use lariat_syntax::diagnostics::{Span, similar};
use lariat_syntax::promela::ast;

/// The type of a variable or field, arrays aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Number { scalar: Scalar, kind: VariableKind },
    Struct(usize),
}

impl Type {
    pub(super) fn number(scalar: Scalar) -> Type {
        Type::Number { scalar, kind: VariableKind::Number }
    }

    pub(super) fn is_channel(&self) -> bool {
        matches!(self, Type::Number { kind: VariableKind::Channel, .. })
    }
}

/// In which order Spin initialises variables: by type, then by declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum InitRank {
    Unsigned,
    Bit,
    Byte,
    Chan,
    Mtype,
    Short,
    Int,
    Struct,
}

impl InitRank {
    pub(super) fn of(ty: &ast::TypeKind) -> InitRank {
        match ty {
            ast::TypeKind::Unsigned => InitRank::Unsigned,
            ast::TypeKind::Bit | ast::TypeKind::Bool => InitRank::Bit,
            ast::TypeKind::Byte | ast::TypeKind::Pid => InitRank::Byte,
            ast::TypeKind::Chan => InitRank::Chan,
            ast::TypeKind::Mtype(_) => InitRank::Mtype,
            ast::TypeKind::Short => InitRank::Short,
            ast::TypeKind::Int => InitRank::Int,
            ast::TypeKind::User(_) => InitRank::Struct,
        }
    }
}

/// A typedef with its layout.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: Arc<str>,
    pub(super) fields: Vec<StructField>,
    pub(super) size: u32,
    pub(super) align: u32,
}

#[derive(Clone, Debug)]
pub(super) struct StructField {
    pub(super) name: Arc<str>,
    pub(super) ty: Type,
    pub(super) array: Option<u32>,
    pub(super) offset: u32,
    pub(super) init: FieldInit,
}

/// How a field of every instance starts.
#[derive(Clone, Debug)]
pub(super) enum FieldInit {
    Zero,
    Value(ExprId),
    List(Vec<i32>),
    Channel(crate::ir::ChannelTypeId),
}

/// A variable that can be named.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) region: Region,
    pub(super) offset: u32,
    pub(super) ty: Type,
    pub(super) array: Option<u32>,
    /// The value of its constant initialiser, which array bounds and `active [n]` may use.
    pub(super) constant: Option<i32>,
    pub(super) channel: Option<crate::ir::ChannelTypeId>,
    pub(super) span: Span,
}

/// An mtype constant.
#[derive(Clone, Debug)]
pub(super) struct MtypeConstant {
    pub(super) set: Option<Arc<str>>,
    pub(super) value: i32,
}

/// All names, by kind. Locals are in nested scopes; a name may not be declared again in an
/// inner scope.
#[derive(Clone, Default, Debug)]
pub(super) struct Names {
    pub(super) globals: HashMap<Arc<str>, Symbol>,
    pub(super) structs: Vec<Struct>,
    /// By name; none if the typedef was refused, and all that is made of it with it.
    pub(super) struct_ids: HashMap<Arc<str>, Option<usize>>,
    pub(super) mtypes: HashMap<Arc<str>, MtypeConstant>,
    pub(super) proctypes: HashMap<Arc<str>, ProctypeId>,
    /// Parameters and locals of proctypes, for remote references; of equal names the first.
    pub(super) locals: HashMap<(ProctypeId, Arc<str>), Symbol>,
    scopes: Vec<HashMap<Arc<str>, Symbol>>,
}

impl Names {
    pub(super) fn open_scope(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn close_scope(&mut self) {
        self.scopes.pop();
    }

    /// A variable by name, innermost scope first.
    pub(super) fn find(&self, name: &str) -> Option<&Symbol> {
        let locals = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        locals.or_else(|| self.globals.get(name))
    }

    /// A name that may have been meant by one that is not known.
    pub(super) fn similar(&self, name: &str) -> Option<&str> {
        const WORDS: [&str; 8] =
            ["true", "false", "else", "skip", "break", "timeout", "_pid", "_nr_pr"];
        let variables = self.scopes.iter().flat_map(HashMap::keys).chain(self.globals.keys());
        let names = variables.chain(self.mtypes.keys()).map(|name| &**name);
        similar(name, names.chain(WORDS))
    }

    /// Adds a variable to the innermost scope.
    pub(super) fn declare(&mut self, name: Arc<str>, symbol: Symbol) {
        match self.scopes.last_mut() {
            Some(scope) => scope.insert(name, symbol),
            None => self.globals.insert(name, symbol),
        };
    }

    pub(super) fn size_of(&self, ty: &Type) -> u32 {
        match ty {
            Type::Number { scalar, .. } => scalar.size(),
            Type::Struct(id) => self.structs[*id].size,
        }
    }

    fn align_of(&self, ty: &Type) -> u32 {
        match ty {
            Type::Number { scalar, .. } => scalar.size(),
            Type::Struct(id) => self.structs[*id].align,
        }
    }

    pub(super) fn place(&self, packer: &mut Packer, ty: &Type, count: u32) -> u32 {
        packer.place_block(self.size_of(ty).saturating_mul(count), self.align_of(ty))
    }

    /// The scalars of a value of this type, in order, with their paths below it.
    pub(super) fn leaves(&self, ty: &Type) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, String::new(), 0, &mut leaves);
        leaves
    }

    // Typedefs cannot contain themselves, so the recursion ends.
    fn collect_leaves(&self, ty: &Type, path: String, offset: u32, leaves: &mut Vec<Leaf>) {
        let id = match ty {
            Type::Number { scalar, kind } => {
                leaves.push(Leaf { path, offset, scalar: *scalar, kind: kind.clone() });
                return;
            }
            Type::Struct(id) => *id,
        };
        for field in &self.structs[id].fields {
            let size = self.size_of(&field.ty);
            for element in 0..field.array.unwrap_or(1) {
                let path = match field.array {
                    Some(_) => format!("{path}.{}[{element}]", field.name),
                    None => format!("{path}.{}", field.name),
                };
                let offset = offset + field.offset + element * size;
                self.collect_leaves(&field.ty, path, offset, leaves);
            }
        }
    }
}

/// A scalar inside a value.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) path: String,
    pub(super) offset: u32,
    pub(super) scalar: Scalar,
    pub(super) kind: VariableKind,
}
