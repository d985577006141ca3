//! `#[derive(State)]` of crate `lariat`: a struct as its fields, each different value of a field kept once.
//!
//! - a field is one word of a row
//! - `#[state(each)]`: a `Vec` or an array whose elements are a word each
//! - `#[state(nested)]`: a struct that derives `State` itself, taken apart as well
//!
//! An enum, a tuple struct, a struct without fields are kept whole.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Field, Fields, GenericParam, Generics, Ident, parse_macro_input,
    parse_quote,
};

/// See the crate `lariat`.
#[proc_macro_derive(State, attributes(state))]
pub fn state(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    if let Some(lifetime) = input.generics.lifetimes().next() {
        return Err(Error::new(
            lifetime.span(),
            "a state cannot borrow: it outlives the step that makes it; own the value, or share it by `Arc`",
        ));
    }
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if !fields.named.is_empty() => {
                by_field(input, &fields.named.iter().collect::<Vec<_>>())
            }
            fields => whole(input, fields.iter()),
        },
        Data::Enum(data) => whole(input, data.variants.iter().flat_map(|variant| &variant.fields)),
        Data::Union(data) => {
            Err(Error::new(data.union_token.span(), "a union cannot be a state: it has no `Eq`"))
        }
    }
}

/// As other derives do: what is inside a state must be able to do what a state must.
fn with_bounds(input: &DeriveInput) -> Generics {
    let mut generics = input.generics.clone();
    for param in &mut generics.params {
        if let GenericParam::Type(param) = param {
            param.bounds.push(parse_quote!(::lariat::parts::Value));
        }
    }
    generics
}

/// A type that is kept whole. Its fields have nothing to say.
fn whole<'f>(
    input: &DeriveInput,
    fields: impl Iterator<Item = &'f Field>,
) -> syn::Result<TokenStream> {
    for field in fields {
        if let Some(attribute) =
            field.attrs.iter().find(|attribute| attribute.path().is_ident("state"))
        {
            return Err(Error::new(
                attribute.span(),
                "`#[state(…)]` is for structs with named fields; this type is kept whole",
            ));
        }
    }
    let name = &input.ident;
    let generics = with_bounds(input);
    let (generics, types, bounds) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::lariat::State for #name #types #bounds {}
    })
}

/// The type of the table that keeps a field.
fn table(field: &Field) -> syn::Result<TokenStream> {
    let of = &field.ty;
    let mut kind = None;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("state")) {
        let word: Ident = attribute.parse_args()?;
        if kind.replace(word).is_some() {
            return Err(Error::new(attribute.span(), "one of `each` and `nested` is enough"));
        }
    }
    match kind {
        None => Ok(quote_spanned! { of.span() => ::lariat::parts::Table<#of> }),
        Some(word) if word == "each" => {
            Ok(quote_spanned! { of.span() => ::lariat::parts::Each<#of> })
        }
        Some(word) if word == "nested" => {
            Ok(quote_spanned! { of.span() => ::lariat::parts::Nested<#of> })
        }
        Some(word) => Err(Error::new(word.span(), "write `each` or `nested` here")),
    }
}

/// The parts of a struct are a tuple of the parts of its fields, so that no name of a field can clash
/// with one of this macro.
fn by_field(input: &DeriveInput, fields: &[&Field]) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let generics = with_bounds(input);
    let (generics, types, bounds) = generics.split_for_impl();
    let turbofish = types.as_turbofish();
    let names: Vec<&Ident> = fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    let texts: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    let tables = fields.iter().map(|field| table(field)).collect::<syn::Result<Vec<_>>>()?;
    let places: Vec<syn::Index> = (0..fields.len()).map(syn::Index::from).collect();
    let of_type: Vec<_> = input
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            _ => None,
        })
        .collect();
    Ok(quote! {
        const _: () = {
            use ::lariat::parts::{Parts as __Parts, Word as __Word};

            struct __OfFields #generics (#(#tables,)* ::core::marker::PhantomData<fn() -> (#(#of_type,)*)>)
            #bounds;

            #[automatically_derived]
            impl #generics __Parts<#name #types> for __OfFields #types #bounds {
                fn width(&self) -> usize {
                    0 #(+ __Parts::width(&self.#places))*
                }
                fn fit(&mut self, __value: &#name #types) {
                    #(__Parts::fit(&mut self.#places, &__value.#names);)*
                }
                fn settle(&mut self) {
                    #(__Parts::settle(&mut self.#places);)*
                }
                #[inline]
                fn split(&mut self, __value: &#name #types, __row: &mut [__Word]) -> bool {
                    let mut __rest = __row;
                    let mut __fits = true;
                    #(
                        let (__own, __more) = __rest.split_at_mut(__Parts::width(&self.#places));
                        __fits &= __Parts::split(&mut self.#places, &__value.#names, __own);
                        __rest = __more;
                    )*
                    let _ = __rest;
                    __fits
                }
                #[inline]
                fn split_changes(
                    &mut self,
                    __value: &mut #name #types,
                    __old: &#name #types,
                    __row: &mut [__Word],
                ) -> bool {
                    let mut __rest = __row;
                    let mut __fits = true;
                    #(
                        let (__own, __more) = __rest.split_at_mut(__Parts::width(&self.#places));
                        __fits &= __Parts::split_changes(
                            &mut self.#places, &mut __value.#names, &__old.#names, __own,
                        );
                        __rest = __more;
                    )*
                    let _ = __rest;
                    __fits
                }
                #[inline]
                fn load(
                    &self,
                    [__one, __other]: [&mut #name #types; 2],
                    __now: &[__Word],
                    __row: &[__Word],
                ) {
                    let mut __at = 0;
                    #(
                        let __end = __at + __Parts::width(&self.#places);
                        __Parts::load(
                            &self.#places,
                            [&mut __one.#names, &mut __other.#names],
                            &__now[__at..__end],
                            &__row[__at..__end],
                        );
                        __at = __end;
                    )*
                    let _ = __at;
                }
                fn make(&self, __row: &[__Word]) -> #name #types {
                    let mut __rest = __row;
                    let __made = #name {
                        #(#names: {
                            let (__own, __more) = __rest.split_at(__Parts::width(&self.#places));
                            __rest = __more;
                            __Parts::make(&self.#places, __own)
                        },)*
                    };
                    let _ = __rest;
                    __made
                }
                fn bytes(&self) -> usize {
                    0 #(+ __Parts::bytes(&self.#places))*
                }
                fn counts(
                    &self,
                    _: &str,
                    __out: &mut ::std::vec::Vec<(::std::string::String, usize)>,
                ) {
                    #(__Parts::counts(&self.#places, #texts, __out);)*
                }
            }

            #[automatically_derived]
            impl #generics ::lariat::State for #name #types #bounds {
                fn parts() -> ::std::boxed::Box<dyn __Parts<Self>> {
                    ::std::boxed::Box::new(__OfFields #turbofish (
                        #(<#tables as ::core::default::Default>::default(),)*
                        ::core::marker::PhantomData,
                    ))
                }
            }
        };
    })
}
