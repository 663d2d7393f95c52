//! Deserialization of structs: each has a private wire struct that declares its fields to serde.
//!
//! serde reads a struct from an array too, by position, and would take `[]` for an object without fields. The wire struct is only ever
//! given an object. Properties with other names on the wire have one more field for each name in it, because `serde(alias)` refuses a
//! payload that contains two of them. The property's own name wins; an alias counts where that name is absent or null. A member that a
//! response always has is an option in the wire struct, and empty if it is missing. An option costs less code than a function per field. A
//! value without an empty form, such as a number, is required under one of its names.

use openapi_model::names;
use openapi_model::{Aliases, Model, Presence, Schema};
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::{Field, Hold, Kind};

/// Returns the module of all wire structs.
pub(super) fn module(wire_structs: &[syn::Item]) -> TokenStream {
    quote! {
        /// How objects look on the wire: what is read, and from which names.
        mod wire {
            use super::*;

            #(#wire_structs)*
        }
    }
}

/// Returns the implementation that reads a struct, and its wire struct.
pub(super) fn read(
    model: &Model,
    schema: &Schema,
    fields: &[Field<'_>],
) -> (TokenStream, TokenStream) {
    let fields: Vec<Held<'_>> = fields.iter().map(Held::of).collect();
    let is_own = fields.iter().any(|field| !field.is_unchanged());
    let original = names::ident(&schema.name);
    let name = wire_name(schema, model);
    let nothing = nothing(&fields, schema);
    let (wire, wire_reads, remote) = if is_own {
        (
            wire_struct(&original, &name, &fields, nothing.is_some()),
            quote!(<wire::#name as ::serde::Deserialize>::deserialize),
            None,
        )
    } else {
        (
            serde_remote(schema, &name, &fields),
            quote!(wire::#name::deserialize),
            Some(quote!(remote)),
        )
    };
    if nothing.is_none() && !is_fallible(&fields) {
        return (
            quote!(::generated_client::wire::read_as!(#original, #remote wire::#name);),
            wire,
        );
    }
    let mut reads = quote!(::generated_client::wire::object(deserializer, #wire_reads));
    if let Some((members, names)) = nothing {
        let (of, made) = match (is_own, is_fallible(&fields)) {
            (true, false) => (quote!(wire::#name), quote!(Ok(read.into()))),
            (true, true) => (quote!(wire::#name), quote!(read.whole())),
            (false, _) => (quote!(Self), quote!(Ok(read))),
        };
        reads = quote! {
            match #reads? {
                #of { #(#members,)* .. } => Err(::generated_client::wire::none_of(&[#(#names),*])),
                read => #made,
            }
        };
    } else {
        reads = quote!(#reads.and_then(wire::#name::whole));
    }
    let implementation = quote! {
        impl<'de> ::serde::Deserialize<'de> for #original {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                #reads
            }
        }
    };
    (implementation, wire)
}

/// Returns patterns for the fields of an empty envelope, and the names of its members. The patterns match a wire struct without any of the
/// members that the document requires.
fn nothing<'s>(
    fields: &[Held<'_>],
    schema: &'s Schema,
) -> Option<(Vec<TokenStream>, &'s [String])> {
    let envelope = schema.envelope.as_ref()?;
    if !envelope.content.is_empty() {
        return None;
    }
    let required: Vec<&Held<'_>> = fields
        .iter()
        .filter(|held| envelope.required.iter().any(|name| name == held.wire))
        .collect();
    // An empty list looks the same, whether it came or not, and so does a null among members that all may be null.
    let all_distinguish = required
        .iter()
        .all(|held| held.field.hold != Hold::Plain || !held.is_unchanged())
        && required.iter().any(|held| !held.may_be_null());
    let members = required.iter().flat_map(|held| {
        let own = std::iter::once(held.field.ident.clone());
        let idents = own.chain(held.aliases().map(|(_, ident)| ident));
        idents.map(|ident| match held.field.hold {
            Hold::Nullable => quote! {
                #ident: ::generated_client::values::Nullable::Absent | ::generated_client::values::Nullable::Null
            },
            Hold::Plain | Hold::Option => quote!(#ident: None),
        })
    });
    (!required.is_empty() && all_distinguish)
        .then(|| (members.collect(), envelope.required.as_slice()))
}

/// A name that no type of the document has.
fn wire_name(of: &Schema, model: &Model) -> syn::Ident {
    let mut name = format!("{}Wire", names::ident(&of.name));
    while model.schema(&name).is_some() {
        name.push('_');
    }
    names::ident(&name)
}

/// Returns a serde remote, for a struct whose fields have one name each: serde builds the struct itself.
fn serde_remote(schema: &Schema, name: &syn::Ident, held: &[Held<'_>]) -> TokenStream {
    let original = names::ident(&schema.name).to_string();
    let fields = held.iter().map(|one| {
        let Field {
            ident, ty, serde, ..
        } = one.field;
        let attribute = serde.for_reading();
        quote!(#attribute #ident: #ty)
    });
    quote! {
        #[derive(::serde::Deserialize)]
        #[serde(remote = #original)]
        pub(super) struct #name {
            #(#fields),*
        }
    }
}

/// A field of a struct, and its form in the wire struct.
struct Held<'f> {
    field: &'f Field<'f>,
    /// Its name on the wire.
    wire: &'f str,
    others: &'f [String],
    /// True if it is empty when a response lacks it.
    is_promised: bool,
    /// True if a response that lacks it does not decode.
    is_certain: bool,
}

/// Returns whether a decoded wire struct may still lack a value: one that has several names.
fn is_fallible(fields: &[Held<'_>]) -> bool {
    fields
        .iter()
        .any(|held| held.is_certain && !held.others.is_empty())
}

impl<'f> Held<'f> {
    fn of(field: &'f Field<'f>) -> Self {
        let aliases = field.property.and_then(|one| one.place.aliases.as_ref());
        // The others have a form for what is missing.
        let may_lack = field.hold != Hold::Plain || field.kind == Kind::Plain;
        Self {
            wire: field.property.map_or("", |property| &property.name),
            others: aliases.map_or(&[], Aliases::names),
            is_promised: may_lack && field.presence == Presence::Promised,
            is_certain: may_lack && field.presence == Presence::Certain,
            field,
        }
    }

    /// Returns whether the document allows it to be null.
    fn may_be_null(&self) -> bool {
        self.field
            .property
            .is_some_and(|property| property.place.nullable)
    }

    /// Returns whether the wire struct declares the field with the struct's type.
    fn is_unchanged(&self) -> bool {
        self.others.is_empty() && !self.is_promised
    }

    /// Returns the other names, each with its field in the wire struct.
    fn aliases(&self) -> impl Iterator<Item = (&String, syn::Ident)> {
        self.others.iter().map(|other| {
            let ident = format!("{}_or_{}", self.field.ident, names::snake(other));
            (other, names::ident(&ident))
        })
    }
}

/// Returns a wire struct with fields that have several names or a default; `is_open` to the struct's module.
fn wire_struct(
    original: &syn::Ident,
    name: &syn::Ident,
    held: &[Held<'_>],
    is_open: bool,
) -> TokenStream {
    let mut fields = Vec::new();
    let mut moves = Vec::new();
    let shown = is_open.then(|| quote!(pub(super)));
    for one in held {
        let (ident, ty, wire) = (&one.field.ident, &one.field.ty, one.wire);
        if one.is_unchanged() {
            let attribute = one.field.serde.for_reading();
            fields.push(quote!(#attribute #shown #ident: #ty));
            moves.push(quote!(#ident: wire.#ident));
            continue;
        }
        // Presence decides, so that an empty list under the property's own name wins too.
        let option = quote!(::std::option::Option<#ty>);
        let (field_type, default) = match (one.field.hold, one.is_certain) {
            (Hold::Option | Hold::Nullable, _) => (quote!(#ty), quote!()),
            (Hold::Plain, true) => (
                option,
                quote!(.ok_or_else(|| ::serde::de::Error::missing_field(#wire))?),
            ),
            (Hold::Plain, false) => (option, quote!(.unwrap_or_default())),
        };
        let reads = match optional_collection(one.field) {
            Some(read) => Some(syn::parse_quote!(#[serde(default, deserialize_with = #read)])),
            None if one.is_certain => None,
            None => one.field.serde.without_name(),
        };
        let rename = (*ident != wire).then(|| quote!(#[serde(rename = #wire)]));
        fields.push(quote!(#rename #reads #shown #ident: #field_type));
        let mut alternatives = Vec::new();
        for (other, alias) in one.aliases() {
            fields.push(quote!(#[serde(rename = #other)] #reads #shown #alias: #field_type));
            alternatives.push(quote!(.or(wire.#alias)));
        }
        moves.push(quote!(#ident: wire.#ident #(#alternatives)* #default));
    }
    let moved = if is_fallible(held) {
        quote! {
            impl #name {
                #[inline]
                pub(super) fn whole<E: ::serde::de::Error>(self) -> ::std::result::Result<#original, E> {
                    let wire = self;
                    Ok(#original { #(#moves),* })
                }
            }
        }
    } else {
        quote! {
            impl ::std::convert::From<#name> for #original {
                #[inline]
                fn from(wire: #name) -> Self {
                    Self { #(#moves),* }
                }
            }
        }
    };
    quote! {
        #[derive(::serde::Deserialize)]
        pub(super) struct #name {
            #(#fields),*
        }

        #moved
    }
}

/// Returns the function that reads a list or a map of a plain field into an option.
fn optional_collection(field: &Field<'_>) -> Option<&'static str> {
    match (field.hold, field.kind) {
        (Hold::Plain, Kind::List | Kind::Map) => field.collection().map(|one| one.optional),
        _ => None,
    }
}
