//! How structs are read: each by a private twin that tells serde about its fields.
//!
//! serde reads a struct from an array too, by position, and would take `[]` for an object without fields. The twin is only ever
//! given an object. Properties with other names on the wire have one more field for each name in it, because `serde(alias)` refuses
//! a payload that carries two of them. The property's own name wins; an alias counts where that name is absent or null.
//! What a response always has is an option in the twin, and empty where it is missing: an option costs less code than a function that
//! reads each of these fields. A value that has no empty form, such as a number, has to be there under one of its names.

use openapi_model::names;
use openapi_model::{Aliases, Model, Presence, Schema};
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::{Field, Hold, Kind};

/// The twins of all structs, in the module that they are in.
pub(super) fn module(twins: &[TokenStream]) -> TokenStream {
    quote! {
        /// How objects look on the wire: what is read, and from which names.
        mod wire {
            use super::*;

            #(#twins)*
        }
    }
}

/// The implementation that reads a struct, and the twin that it reads through.
pub(super) fn read(
    model: &Model,
    schema: &Schema,
    fields: &[Field<'_>],
) -> (TokenStream, TokenStream) {
    let fields: Vec<Held<'_>> = fields.iter().map(Held::of).collect();
    let is_own = fields.iter().any(|field| !field.is_as_it_is());
    let original = names::ident(&schema.name);
    let name = twin_name(schema, model);
    let nothing = nothing(&fields, schema);
    let (twin, twin_reads, remote) = match is_own {
        true => (
            own_twin(&original, &name, &fields, nothing.is_some()),
            quote!(<wire::#name as ::serde::Deserialize>::deserialize),
            None,
        ),
        false => (
            remote_twin(schema, &name, &fields),
            quote!(wire::#name::deserialize),
            Some(quote!(remote)),
        ),
    };
    if nothing.is_none() && !is_fallible(&fields) {
        return (
            quote!(::generated_client::wire::read_as!(#original, #remote wire::#name);),
            twin,
        );
    }
    let mut reads = quote!(::generated_client::wire::object(deserializer, #twin_reads));
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
    (implementation, twin)
}

/// The patterns of the fields of a twin that have no value in what has no member that the document requires, with the names of these members; for an
/// envelope that has no content.
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
    // An empty list looks the same, whether it came or not.
    let all_tell = required
        .iter()
        .all(|held| held.field.hold != Hold::Plain || !held.is_as_it_is());
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
    (!required.is_empty() && all_tell).then(|| (members.collect(), envelope.required.as_slice()))
}

/// A name that no type of the document has.
fn twin_name(of: &Schema, model: &Model) -> syn::Ident {
    let mut name = format!("{}Wire", names::ident(&of.name));
    while model.schema(&name).is_some() {
        name.push('_');
    }
    names::ident(&name)
}

/// The twin of a struct whose fields have one name each: serde reads the struct itself by it.
fn remote_twin(schema: &Schema, name: &syn::Ident, held: &[Held<'_>]) -> TokenStream {
    let original = names::ident(&schema.name).to_string();
    let fields = held.iter().map(|one| {
        let Field {
            ident, ty, serde, ..
        } = one.field;
        let attribute = serde.of_twin();
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

/// A field of a struct, as its twin holds it.
struct Held<'f> {
    field: &'f Field<'f>,
    /// Its name on the wire.
    wire: &'f str,
    others: &'f [String],
    /// Whether it is empty where a response lacks it.
    is_promised: bool,
    /// Whether a response that lacks it does not decode.
    is_certain: bool,
}

/// Whether what serde has read may still lack something: a value that has several names.
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

    /// Whether the twin has the field as the struct has it.
    fn is_as_it_is(&self) -> bool {
        self.others.is_empty() && !self.is_promised
    }

    /// The other names, each with the field of the twin that it is read into.
    fn aliases(&self) -> impl Iterator<Item = (&String, syn::Ident)> {
        self.others.iter().map(|other| {
            let ident = format!("{}_or_{}", self.field.ident, names::snake(other));
            (other, names::ident(&ident))
        })
    }
}

/// The twin of a struct with fields that have several names or a default; `is_open` to the struct's own module.
fn own_twin(
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
        if one.is_as_it_is() {
            let attribute = one.field.serde.of_twin();
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
    let moved = match is_fallible(held) {
        true => quote! {
            impl #name {
                #[inline]
                pub(super) fn whole<E: ::serde::de::Error>(self) -> ::std::result::Result<#original, E> {
                    let wire = self;
                    Ok(#original { #(#moves),* })
                }
            }
        },
        false => quote! {
            impl ::std::convert::From<#name> for #original {
                #[inline]
                fn from(wire: #name) -> Self {
                    Self { #(#moves),* }
                }
            }
        },
    };
    quote! {
        #[derive(::serde::Deserialize)]
        pub(super) struct #name {
            #(#fields),*
        }

        #moved
    }
}

/// What reads a list or a map of a plain field into an option.
fn optional_collection(field: &Field<'_>) -> Option<&'static str> {
    match (field.hold, field.kind) {
        (Hold::Plain, Kind::List | Kind::Map) => field.collection().map(|one| one.optional),
        _ => None,
    }
}
