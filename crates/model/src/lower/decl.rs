//! Declarations: types, layout, initialisers.

use std::sync::Arc;

use super::constant::{contains_run, fold};
use super::types::{FieldInit, InitRank, MtypeConstant, Struct, StructField, Symbol, Type};
use super::{Area, Lowerer};
use crate::ir::layout::{Packer, VariableKind};
use crate::ir::{
    ChannelType, ChannelTypeId, Expr, Init, MtypeSet, Place, Region, Scalar, Variable,
};
use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::promela::ast;

/// Globals, a frame, a typedef or a channel may not be larger than this.
const MAX_BYTES: u32 = 1 << 20;

/// What a declarator says about a variable, its place aside.
struct Shape {
    ty: Type,
    array: Option<u32>,
    rank: InitRank,
}

impl Lowerer {
    pub(super) fn mtype(&mut self, decl: &ast::MtypeDecl) {
        let set = decl.set.as_ref().map(|name| name.text.clone());
        let known = self.mtypes.iter().position(|s| s.name.as_deref() == set.as_deref());
        let at = known.unwrap_or_else(|| {
            let name = set.as_deref().map(String::from);
            self.mtypes.push(MtypeSet { name, names: Vec::new() });
            self.mtypes.len() - 1
        });
        for (number, name) in decl.names.iter().enumerate() {
            let earlier = decl.names[..number].iter().any(|other| other.text == name.text);
            if earlier || self.names.mtypes.contains_key(&name.text) {
                self.error(name.span, format!("mtype name `{}` is declared twice", name.text));
            }
        }
        // Numbered from the last to the first, a later declaration goes on.
        for name in decl.names.iter().rev() {
            self.mtypes[at].names.push(name.text.to_string());
            let value = self.mtypes[at].names.len() as i32;
            let constant = MtypeConstant { set: set.clone(), value };
            self.names.mtypes.insert(name.text.clone(), constant);
        }
        if self.mtypes[at].names.len() > 255 {
            let span = decl.names.first().map_or(Span::NOWHERE, |name| name.span);
            self.error(span, "an mtype may have at most 255 names");
        }
    }

    pub(super) fn typedef(&mut self, typedef: &ast::Typedef) {
        let name = &typedef.name;
        if self.names.struct_ids.contains_key(&name.text) {
            self.error(name.span, format!("typedef `{}` is declared twice", name.text));
            return;
        }
        let mut packer = Packer::new(0);
        let mut fields: Vec<StructField> = Vec::new();
        self.names.struct_ids.insert(name.text.clone(), None);
        let mut is_whole = true;
        for group in &typedef.fields {
            for declarator in &group.vars {
                let field = &declarator.name;
                if fields.iter().any(|f| f.name == field.text) {
                    self.error(field.span, format!("field `{}` is declared twice", field.text));
                    continue;
                }
                let Some(shape) = self.shape(&group.ty, declarator) else {
                    is_whole = false;
                    continue;
                };
                let init = self.field_init(declarator);
                let count = shape.array.unwrap_or(1);
                let offset = self.names.place(&mut packer, &shape.ty, count);
                let (ty, array) = (shape.ty, shape.array);
                fields.push(StructField { name: field.text.clone(), ty, array, offset, init });
            }
        }
        let (size, align) = (packer.finish(), packer.align());
        if size > MAX_BYTES {
            self.error(name.span, "this typedef needs more than 1 MiB");
            return;
        }
        if !is_whole {
            return;
        }
        let id = self.names.structs.len();
        self.names.structs.push(Struct { name: name.text.clone(), fields, size, align });
        self.names.struct_ids.insert(name.text.clone(), Some(id));
    }

    fn field_init(&mut self, declarator: &ast::Declarator) -> FieldInit {
        match &declarator.init {
            None => FieldInit::Zero,
            Some(ast::Initialiser::Expr(value)) => FieldInit::Value(self.expr(value)),
            Some(ast::Initialiser::List(values)) => {
                FieldInit::List(values.iter().map(|literal| literal.value).collect())
            }
            Some(ast::Initialiser::Chan(init)) => {
                let id = self.channel_type(&declarator.name.text, init);
                id.map_or(FieldInit::Zero, FieldInit::Channel)
            }
        }
    }

    pub(super) fn global_variables(&mut self, decl: &ast::VarDecl) {
        for declarator in &decl.vars {
            let hidden = decl.visibility == Some(ast::Visibility::Hidden);
            let region = if hidden { Region::Hidden } else { Region::Global };
            self.variable(&decl.ty, declarator, region);
        }
    }

    pub(super) fn parameters(&mut self, decl: &ast::VarDecl) {
        for declarator in &decl.vars {
            if declarator.array.is_some() {
                self.error(declarator.span, "a parameter cannot be an array");
            }
            if declarator.init.is_some() {
                self.error(declarator.span, "a parameter cannot have an initialiser");
            }
            self.variable(&decl.ty, declarator, Region::Local);
        }
    }

    /// Declares a variable: name, place, initialiser. The symbol, if all is well.
    pub(super) fn variable(
        &mut self,
        ty: &ast::TypeName,
        declarator: &ast::Declarator,
        region: Region,
    ) -> Option<Symbol> {
        let name = &declarator.name;
        let shape = self.shape(ty, declarator)?;
        if let Some(earlier) = self.names.find(&name.text) {
            let message = format!("`{}` is declared already", name.text);
            let diagnostic = Diagnostic::error(name.span, message)
                .also(earlier.span, "first declared here")
                .note("Promela does not let an inner name hide an outer one");
            self.diagnostics.push(diagnostic);
            return None;
        }
        if self.names.mtypes.contains_key(&name.text) {
            self.error(name.span, format!("`{}` is an mtype constant", name.text));
            return None;
        }
        let proctype = self.names.proctypes.get(&name.text);
        if proctype.is_some_and(|id| self.pending[id.0 as usize].is_some()) {
            self.error(name.span, format!("`{}` is the name of a proctype", name.text));
            return None;
        }
        let count = shape.array.unwrap_or(1);
        let area = match region {
            Region::Hidden => &mut self.hidden,
            Region::Local => &mut self.locals,
            _ => &mut self.globals,
        };
        let offset = self.names.place(&mut area.packer, &shape.ty, count);
        if area.packer.finish() > MAX_BYTES {
            self.error(declarator.span, "the variables need more than 1 MiB");
            return None;
        }
        let leaves = self.names.leaves(&shape.ty);
        list_variables(
            area,
            &name.text,
            region,
            offset,
            &shape,
            &leaves,
            self.names.size_of(&shape.ty),
        );
        let mut symbol = Symbol {
            region,
            offset,
            ty: shape.ty.clone(),
            array: shape.array,
            constant: Some(0),
            channel: None,
            span: name.span,
        };
        self.initialiser(declarator, &shape, &mut symbol);
        if let (Region::Local, Some(id)) = (region, self.current) {
            let known = self.names.locals.entry((id, name.text.clone()));
            known.or_insert_with(|| symbol.clone());
        }
        self.names.declare(name.text.clone(), symbol.clone());
        Some(symbol)
    }

    fn initialiser(&mut self, declarator: &ast::Declarator, shape: &Shape, symbol: &mut Symbol) {
        let count = shape.array.unwrap_or(1);
        let scalar = match shape.ty {
            Type::Number { scalar, .. } => scalar,
            Type::Struct(_) => {
                if declarator.init.is_some() {
                    let message = "the initialiser of a typedef variable is ignored";
                    self.warning(declarator.span, message);
                }
                let size = self.names.size_of(&shape.ty);
                for element in 0..count {
                    self.struct_inits(&shape.ty, symbol.region, symbol.offset + element * size);
                }
                return;
            }
        };
        let place = Place::simple(symbol.region, symbol.offset, scalar);
        match &declarator.init {
            None => {}
            Some(ast::Initialiser::Expr(value)) => {
                if contains_run(value) {
                    self.error(value.span, "`run` cannot stand in an initialiser");
                }
                symbol.constant = fold(value);
                if let Some(constant) = symbol.constant {
                    self.check_fit(constant, scalar, value.span);
                }
                // Head declarations are evaluated when the process is made; a later one is an
                // assignment where it stands.
                if symbol.region != Region::Local || self.at_head {
                    let value = self.expr(value);
                    self.push_init(symbol.region, shape.rank, Init::Fill { place, count, value });
                }
            }
            Some(ast::Initialiser::List(values)) => {
                if shape.array.is_none() {
                    self.error(declarator.span, "only an array can be initialised by a list");
                }
                for literal in values {
                    self.check_fit(literal.value, scalar, literal.span);
                }
                let values: Vec<i32> = values.iter().map(|literal| literal.value).collect();
                self.list_inits(&values, &place, count, shape.rank, declarator.span);
            }
            Some(ast::Initialiser::Chan(init)) => {
                if !shape.ty.is_channel() {
                    self.error(declarator.span, "only a `chan` can have a channel as initialiser");
                    return;
                }
                let Some(channel) = self.channel_type(&declarator.name.text, init) else { return };
                symbol.channel = Some(channel);
                self.push_init(symbol.region, shape.rank, Init::Channels { place, count, channel });
            }
        }
    }

    fn push_init(&mut self, region: Region, rank: InitRank, init: Init) {
        let area = match region {
            Region::Hidden => &mut self.hidden,
            Region::Local => &mut self.locals,
            _ => &mut self.globals,
        };
        area.inits.push((rank, init));
    }

    /// A list that is too short leaves the rest 0.
    fn list_inits(&mut self, values: &[i32], place: &Place, count: u32, rank: InitRank, at: Span) {
        if values.len() > count as usize {
            self.error(at, format!("{} values for {count} elements", values.len()));
        }
        for (element, &value) in values.iter().take(count as usize).enumerate() {
            let mut place = place.clone();
            place.offset += element as u32 * place.scalar.size();
            let value = self.exprs.add(Expr::Const(value), at);
            self.push_init(place.region, rank, Init::Fill { place, count: 1, value });
        }
    }

    /// The initialisers inside a typedef apply to every instance.
    fn struct_inits(&mut self, ty: &Type, region: Region, base: u32) {
        let Type::Struct(id) = ty else { return };
        for at in 0..self.names.structs[*id].fields.len() {
            let field = self.names.structs[*id].fields[at].clone();
            let offset = base + field.offset;
            let count = field.array.unwrap_or(1);
            let rank = InitRank::Struct;
            let Type::Number { scalar, .. } = field.ty else {
                let size = self.names.size_of(&field.ty);
                for element in 0..count {
                    self.struct_inits(&field.ty, region, offset + element * size);
                }
                continue;
            };
            let place = Place::simple(region, offset, scalar);
            match field.init {
                FieldInit::Zero => {}
                FieldInit::Value(value) => {
                    self.push_init(region, rank, Init::Fill { place, count, value });
                }
                FieldInit::List(values) => {
                    self.list_inits(&values, &place, count, rank, Span::NOWHERE);
                }
                FieldInit::Channel(channel) => {
                    self.push_init(region, rank, Init::Channels { place, count, channel });
                }
            }
        }
    }

    fn shape(&mut self, ty: &ast::TypeName, declarator: &ast::Declarator) -> Option<Shape> {
        let array = match &declarator.array {
            None => None,
            Some(bound) => Some(self.array_bound(bound)?),
        };
        let width = declarator.width.as_ref();
        let rank = InitRank::of(&ty.kind);
        let ty = self.type_of(ty, width, array.is_some())?;
        Some(Shape { ty, array, rank })
    }

    fn array_bound(&mut self, bound: &ast::Expr) -> Option<u32> {
        if let ast::ExprKind::Var(var) = &bound.kind
            && let Some(name) = var.as_name()
            && !self.names.mtypes.contains_key(&name.text)
        {
            // Spin takes the initial value of a variable, and 8 if that is 0.
            let Some(symbol) = self.names.find(&name.text) else {
                self.error(name.span, format!("undeclared name `{}`", name.text));
                return None;
            };
            let value = symbol.constant.filter(|&value| value > 0).unwrap_or(8);
            self.warning(
                bound.span,
                format!("`{}` in an array bound is taken as {value}", name.text),
            );
            return Some(value as u32);
        }
        let value = self.constant(bound)?;
        if !(1..=65536).contains(&value) {
            self.error(bound.span, format!("an array of {value} elements; the range is 1..65536"));
            return None;
        }
        Some(value as u32)
    }

    fn type_of(
        &mut self,
        ty: &ast::TypeName,
        width: Option<&ast::IntLit>,
        is_array: bool,
    ) -> Option<Type> {
        // Arrays of bits are arrays of bytes.
        let bit = if is_array { Scalar::Byte } else { Scalar::Bits(1) };
        let (scalar, kind) = match &ty.kind {
            ast::TypeKind::Bit => (bit, VariableKind::Number),
            ast::TypeKind::Bool => (bit, VariableKind::Bool),
            ast::TypeKind::Byte => (Scalar::Byte, VariableKind::Number),
            ast::TypeKind::Pid => (Scalar::Byte, VariableKind::Pid),
            ast::TypeKind::Short => (Scalar::Short, VariableKind::Number),
            ast::TypeKind::Int => (Scalar::Int, VariableKind::Number),
            ast::TypeKind::Chan => (Scalar::Byte, VariableKind::Channel),
            ast::TypeKind::Mtype(set) => {
                let set = set.as_ref().map(|name| name.text.to_string());
                (Scalar::Byte, VariableKind::Mtype(set))
            }
            ast::TypeKind::Unsigned => {
                let Some(width) = width else {
                    self.error(ty.span, "`unsigned` needs a width, as in `unsigned x : 5`");
                    return None;
                };
                if !(1..=32).contains(&width.value) {
                    self.error(width.span, "a width must be in 1..32");
                    return None;
                }
                (Scalar::Bits(width.value as u8), VariableKind::Number)
            }
            ast::TypeKind::User(name) => {
                let Some(&id) = self.names.struct_ids.get(&name.text) else {
                    self.error(name.span, format!("unknown type `{}`", name.text));
                    return None;
                };
                return id.map(Type::Struct);
            }
        };
        Some(Type::Number { scalar, kind })
    }

    fn channel_type(&mut self, name: &Arc<str>, init: &ast::ChanInit) -> Option<ChannelTypeId> {
        let capacity = self.constant(&init.capacity)?;
        if !(0..=255).contains(&capacity) {
            self.error(init.capacity.span, "the capacity of a channel must be in 0..255");
            return None;
        }
        let mut fields = Vec::new();
        for field in &init.fields {
            match self.type_of(field, None, false)? {
                Type::Number { scalar, kind } => fields.push((scalar, kind)),
                ty @ Type::Struct(_) => {
                    let leaves = self.names.leaves(&ty);
                    fields.extend(leaves.into_iter().map(|leaf| (leaf.scalar, leaf.kind)));
                }
            }
        }
        // A single bit is stored as a whole byte.
        if let [(scalar @ Scalar::Bits(1), _)] = &mut fields[..] {
            *scalar = Scalar::Byte;
        }
        self.max_fields = self.max_fields.max(fields.len());
        if self.channel_types.len() >= 255 {
            self.error(init.span, "a model may have at most 255 channel declarations");
            return None;
        }
        let channel = ChannelType::new(name.to_string(), capacity as u32, fields);
        if channel.size > MAX_BYTES {
            self.error(init.span, "this channel needs more than 1 MiB");
            return None;
        }
        self.channel_types.push(channel);
        Some(ChannelTypeId(self.channel_types.len() as u8 - 1))
    }
}

/// Makes the variable known to people, typedefs flattened.
fn list_variables(
    area: &mut Area,
    name: &str,
    region: Region,
    offset: u32,
    shape: &Shape,
    leaves: &[super::types::Leaf],
    size: u32,
) {
    if let Type::Number { scalar, kind } = &shape.ty {
        let (scalar, kind, count) = (*scalar, kind.clone(), shape.array);
        let name = name.to_string();
        area.variables.push(Variable { name, region, offset, scalar, count, kind });
        return;
    }
    for element in 0..shape.array.unwrap_or(1) {
        let base = match shape.array {
            Some(_) => format!("{name}[{element}]"),
            None => name.to_string(),
        };
        for leaf in leaves {
            area.variables.push(Variable {
                name: format!("{base}{}", leaf.path),
                region,
                offset: offset + element * size + leaf.offset,
                scalar: leaf.scalar,
                count: None,
                kind: leaf.kind.clone(),
            });
        }
    }
}
