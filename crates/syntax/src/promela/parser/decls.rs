//! Declarations of variables and mtypes.

use super::{Parse, Parser};
use crate::diagnostics::{Diagnostic, Span};
use crate::promela::ast::*;
use crate::promela::lexer::Tok;

impl Parser<'_> {
    /// Does a declaration start here?
    pub(super) fn at_declaration(&mut self) -> bool {
        let token = self.peek();
        match token.kind {
            Tok::Hidden | Tok::Show | Tok::Local => true,
            Tok::Name => self.typedefs.contains(self.lexer.text(token)),
            kind => is_type(kind),
        }
    }

    pub(super) fn global_declaration(&mut self) -> Parse<ItemKind> {
        let start = self.peek();
        let visibility = self.visibility();
        if !self.at(Tok::Mtype) {
            return Ok(ItemKind::Vars(self.var_decl_from(start.span, visibility, None)?));
        }
        let keyword = self.next();
        let set = if self.eat(Tok::Colon) {
            Some(self.expect_name("the name of the mtype set")?)
        } else {
            None
        };
        let braces = self.at(Tok::Assign) || (set.is_none() && self.at(Tok::OpenBrace));
        if !braces {
            let ty = TypeName { kind: TypeKind::Mtype(set), span: self.since(keyword.span) };
            return Ok(ItemKind::Vars(self.var_decl_from(start.span, visibility, Some(ty))?));
        }
        if visibility.is_some() {
            self.record(Diagnostic::error(
                start.span,
                "names of an mtype cannot be hidden or shown",
            ));
        }
        self.eat(Tok::Assign);
        let open = self.expect(Tok::OpenBrace)?;
        let names = self.mtype_names(open.span)?;
        Ok(ItemKind::Mtype(MtypeDecl { set, names }))
    }

    /// Names parted by commas or by nothing, as Spin takes them.
    fn mtype_names(&mut self, open: Span) -> Parse<Vec<Ident>> {
        let mut names = vec![self.expect_name("the name of an mtype constant")?];
        loop {
            let token = self.peek();
            match token.kind {
                Tok::Comma => {
                    self.next();
                }
                Tok::Name => {
                    self.next();
                    names.push(self.ident(token));
                }
                _ => {
                    self.expect_close(Tok::CloseBrace, open)?;
                    return Ok(names);
                }
            }
        }
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.peek().kind {
            Tok::Hidden => Visibility::Hidden,
            Tok::Show => Visibility::Show,
            Tok::Local => Visibility::Local,
            _ => return None,
        };
        self.next();
        Some(visibility)
    }

    /// A declaration in a body, parameter list or typedef.
    pub(super) fn var_decl(&mut self) -> Parse<VarDecl> {
        let start = self.peek();
        let visibility = self.visibility();
        self.var_decl_from(start.span, visibility, None)
    }

    fn var_decl_from(
        &mut self,
        start: Span,
        visibility: Option<Visibility>,
        ty: Option<TypeName>,
    ) -> Parse<VarDecl> {
        let ty = match ty {
            Some(ty) => ty,
            None => self.type_name()?,
        };
        if matches!(ty.kind, TypeKind::Mtype(_))
            && (self.at(Tok::Assign) || self.at(Tok::OpenBrace))
        {
            let error =
                Diagnostic::error(ty.span, "mtype constants must be declared at the top level");
            return self.report(error);
        }
        let mut vars = Vec::new();
        loop {
            vars.push(self.declarator()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(VarDecl { visibility, ty, vars, span: self.since(start) })
    }

    fn type_name(&mut self) -> Parse<TypeName> {
        let token = self.peek();
        let kind = match token.kind {
            Tok::Bit => TypeKind::Bit,
            Tok::Bool => TypeKind::Bool,
            Tok::Byte => TypeKind::Byte,
            Tok::Short => TypeKind::Short,
            Tok::IntType => TypeKind::Int,
            Tok::Unsigned => TypeKind::Unsigned,
            Tok::Pid => TypeKind::Pid,
            Tok::Chan => TypeKind::Chan,
            Tok::Mtype => TypeKind::Mtype(None),
            Tok::Name if self.typedefs.contains(self.lexer.text(token)) => {
                TypeKind::User(self.ident(token))
            }
            _ => return self.unexpected("a type"),
        };
        self.next();
        if kind == TypeKind::Mtype(None) && self.eat(Tok::Colon) {
            let set = self.expect_name("the name of the mtype set")?;
            let span = self.since(token.span);
            return Ok(TypeName { kind: TypeKind::Mtype(Some(set)), span });
        }
        Ok(TypeName { kind, span: token.span })
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        let name = self.expect_name("the name of a variable")?;
        let mut width = None;
        let mut array = None;
        if self.eat(Tok::Colon) {
            width = Some(self.int_literal("the number of bits")?);
        } else if self.eat(Tok::OpenBracket) {
            array = Some(self.const_or_name()?);
            self.expect(Tok::CloseBracket)?;
        }
        let init = if self.eat(Tok::Assign) { Some(self.initialiser()?) } else { None };
        let span = self.since(name.span);
        Ok(Declarator { name, width, array, init, span })
    }

    fn initialiser(&mut self) -> Parse<Initialiser> {
        let token = self.peek();
        match token.kind {
            Tok::OpenBracket => {
                self.next();
                let capacity = self.const_expr()?;
                self.expect(Tok::CloseBracket)?;
                self.expect(Tok::Of)?;
                let open = self.expect(Tok::OpenBrace)?;
                let mut fields = Vec::new();
                loop {
                    fields.push(self.type_name()?);
                    if !self.eat(Tok::Comma) {
                        break;
                    }
                }
                self.expect_close(Tok::CloseBrace, open.span)?;
                let span = self.since(token.span);
                Ok(Initialiser::Chan(ChanInit { capacity, fields, span }))
            }
            Tok::OpenBrace => {
                self.next();
                let mut values = Vec::new();
                loop {
                    values.push(self.int_literal("a constant")?);
                    if !self.eat(Tok::Comma) {
                        break;
                    }
                }
                self.expect_close(Tok::CloseBrace, token.span)?;
                Ok(Initialiser::List(values))
            }
            _ => Ok(Initialiser::Expr(self.expr()?)),
        }
    }

    /// `byte a, b; bit c`
    pub(super) fn params(&mut self) -> Parse<Vec<VarDecl>> {
        let mut params = Vec::new();
        if self.at(Tok::CloseParen) {
            return Ok(params);
        }
        loop {
            if !self.at_declaration() {
                return self.unexpected("a parameter declaration");
            }
            let group = self.var_decl()?;
            self.check_param(&group);
            params.push(group);
            if self.at(Tok::Comma) || !self.eat(Tok::Semi) {
                break;
            }
        }
        if self.at(Tok::CloseParen) {
            return Ok(params);
        }
        let mut error = self.unexpected_error("`;` or `)`");
        if self.at_declaration() || self.at(Tok::Comma) {
            error = error.help("groups of parameters are parted by `;`: `(byte a, b; bit c)`");
        }
        self.report(error)
    }

    fn check_param(&mut self, group: &VarDecl) {
        if group.visibility.is_some() {
            self.record(Diagnostic::error(group.span, "a parameter cannot be hidden or shown"));
        }
        for var in &group.vars {
            if var.init.is_some() {
                self.record(Diagnostic::error(var.span, "a parameter cannot have an initialiser"));
            }
            if var.array.is_some() {
                self.record(Diagnostic::error(var.span, "a parameter cannot be an array"));
            }
        }
    }
}

fn is_type(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Bit
            | Tok::Bool
            | Tok::Byte
            | Tok::Short
            | Tok::IntType
            | Tok::Unsigned
            | Tok::Pid
            | Tok::Chan
            | Tok::Mtype
    )
}
