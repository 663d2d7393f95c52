//! How structs are read: each by a private twin that tells serde about its fields.
//!
//! serde reads a struct from an array too, by position, and would take `[]` for an object without fields. The twin is only ever
//! given an object. Properties with other names on the wire have one more field for each name in it, because `serde(alias)` refuses
//! a payload that carries two of them. The property's own name wins; an alias counts where that name is absent or null.
//! What a response always has is an option in the twin, and empty where it is missing: an option costs less code than a function that
//! reads each of these fields. A value that has no empty form, such as a number, has to be there under one of its names.

use quote::quote;
use syn::punctuated::Punctuated;

use super::Context;
use super::envelopes::drop_derive;
use super::fields::wire_name;
use super::items::argument_of;
use crate::names;
use crate::openapi::{Aliases, Presence, Schema};
use crate::types::runtime::LOOSE;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let mut twins: Vec<proc_macro2::TokenStream> = Vec::new();
    let mut items = Vec::new();
    for mut item in std::mem::take(&mut file.items) {
        let impls = match &mut item {
            syn::Item::Struct(item) => read(item, context, &mut twins),
            _ => None,
        };
        items.push(item);
        if let Some(impls) = impls {
            items.push(syn::parse2(impls)?);
        }
    }
    file.items = items;
    if !twins.is_empty() {
        file.items.push(syn::parse2(quote! {
            /// How objects look on the wire: what is read, and from which names.
            mod wire {
                use super::*;

                #(#twins)*
            }
        })?);
    }
    Ok(())
}

/// Moves the attributes about reading from a struct to its twin; returns the implementation that reads through it.
fn read(
    item: &mut syn::ItemStruct,
    context: &Context<'_>,
    twins: &mut Vec<proc_macro2::TokenStream>,
) -> Option<proc_macro2::TokenStream> {
    let schema = context.model.schema(&item.ident.to_string())?;
    if !matches!(item.fields, syn::Fields::Named(_)) {
        return None;
    }
    let fields = held(item, schema, |property| {
        context.model.presence(schema, property)
    });
    let is_own = fields.iter().any(|field| !field.is_as_it_is());
    let original = &item.ident;
    let twin = twin_name(original, context);
    let nothing = nothing(&fields, schema);
    let twin_reads = if is_own {
        twins.push(own_twin(original, &twin, &fields, nothing.is_some()));
        quote!(<wire::#twin as ::serde::Deserialize>::deserialize)
    } else {
        twins.push(remote_twin(item, &twin));
        quote!(wire::#twin::deserialize)
    };
    let mut reads = quote!(::metered_client::wire::object(deserializer, #twin_reads));
    if let Some((idents, names)) = nothing {
        let (of, made) = match (is_own, is_fallible(&fields)) {
            (true, false) => (quote!(wire::#twin), quote!(Ok(Self::from(read)))),
            (true, true) => (quote!(wire::#twin), quote!(read.whole())),
            (false, _) => (quote!(Self), quote!(Ok(read))),
        };
        reads = quote! {
            match #reads? {
                #of { #(#idents: None,)* .. } => Err(::metered_client::wire::none_of(&[#(#names),*])),
                read => #made,
            }
        };
    } else if is_own && is_fallible(&fields) {
        reads = quote!(#reads.and_then(wire::#twin::whole));
    } else if is_own {
        reads = quote!(#reads.map(Self::from));
    }
    let implementation = quote! {
        impl<'de> ::serde::Deserialize<'de> for #original {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                #reads
            }
        }
    };
    drop_derive(&mut item.attrs, "Deserialize");
    for field in &mut item.fields {
        field.attrs = std::mem::take(&mut field.attrs)
            .into_iter()
            .filter_map(|attribute| match attribute.path().is_ident("serde") {
                true => only(&attribute, |key| !is_about_reading(key)),
                false => Some(attribute),
            })
            .collect();
    }
    Some(implementation)
}

/// The fields of a twin that are all `None` in what has no member that the document requires, with the names of these members; for an
/// envelope that has no content.
fn nothing<'s>(fields: &[Held<'_>], schema: &'s Schema) -> Option<(Vec<syn::Ident>, &'s [String])> {
    let envelope = schema.envelope.as_ref()?;
    if !envelope.content.is_empty() {
        return None;
    }
    let required: Vec<&Held<'_>> = fields
        .iter()
        .filter(|held| envelope.required.contains(&held.wire))
        .collect();
    // An empty list looks the same, whether it came or not.
    let all_tell = required
        .iter()
        .all(|held| held.is_option || !held.is_as_it_is());
    let idents = required.iter().flat_map(|held| {
        let own = std::iter::once(held.ident.clone());
        own.chain(held.aliases().map(|(_, ident)| ident))
    });
    (!required.is_empty() && all_tell).then(|| (idents.collect(), envelope.required.as_slice()))
}

fn is_about_reading(key: &syn::Path) -> bool {
    key.is_ident("default") || key.is_ident("deserialize_with")
}

/// The part of a `serde` attribute whose keys are wanted; nothing if none is.
fn only(attribute: &syn::Attribute, wanted: impl Fn(&syn::Path) -> bool) -> Option<syn::Attribute> {
    let list = attribute.meta.require_list().ok()?;
    let metas = list
        .parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated)
        .ok()?;
    let kept: Vec<&syn::Meta> = metas.iter().filter(|meta| wanted(meta.path())).collect();
    (!kept.is_empty()).then(|| syn::parse_quote!(#[serde(#(#kept),*)]))
}

/// What the attributes of a field say about reading it; a twin is never documented or written.
fn for_reading(
    field: &syn::Field,
    wanted: impl Fn(&syn::Path) -> bool,
) -> impl Iterator<Item = syn::Attribute> {
    let serde = field
        .attrs
        .iter()
        .filter(|one| one.path().is_ident("serde"));
    serde.filter_map(move |attribute| {
        only(attribute, |key| {
            !key.is_ident("skip_serializing_if") && wanted(key)
        })
    })
}

/// A name that no type of the document has.
fn twin_name(of: &syn::Ident, context: &Context<'_>) -> syn::Ident {
    let mut name = format!("{of}Wire");
    while context.model.schema(&name).is_some() {
        name.push('_');
    }
    names::ident(&name)
}

/// The twin of a struct whose fields have one name each: serde reads the struct itself by it.
fn remote_twin(item: &syn::ItemStruct, name: &syn::Ident) -> proc_macro2::TokenStream {
    let original = item.ident.to_string();
    let fields = item.fields.iter().map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        let attributes = for_reading(field, |_| true);
        quote!(#(#attributes)* #ident: #ty)
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
struct Held<'i> {
    field: &'i syn::Field,
    ident: syn::Ident,
    wire: String,
    others: &'i [String],
    is_option: bool,
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

fn held<'i>(
    item: &'i syn::ItemStruct,
    schema: &'i Schema,
    presence: impl Fn(&str) -> Presence,
) -> Vec<Held<'i>> {
    let fields = item.fields.iter().filter_map(|field| {
        let wire = wire_name(field);
        let place = schema.property(&wire);
        let aliases = place.and_then(|place| place.aliases.as_ref());
        // These have a form for what is missing.
        let is_empty = ["Vec", "BTreeMap", "Map", "Records", LOOSE]
            .iter()
            .any(|one| argument_of(&field.ty, one).is_some());
        Some(Held {
            ident: field.ident.clone()?,
            others: aliases.map_or(&[], Aliases::names),
            is_option: argument_of(&field.ty, "Option").is_some(),
            is_promised: !is_empty && presence(&wire) == Presence::Promised,
            is_certain: !is_empty && presence(&wire) == Presence::Certain,
            wire,
            field,
        })
    });
    fields.collect()
}

impl Held<'_> {
    /// Whether the twin has the field as the struct has it.
    fn is_as_it_is(&self) -> bool {
        self.others.is_empty() && !self.is_promised
    }

    /// The other names, each with the field of the twin that it is read into.
    fn aliases(&self) -> impl Iterator<Item = (&String, syn::Ident)> {
        self.others.iter().map(|other| {
            let ident = format!("{}_or_{}", self.ident, names::snake(other));
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
) -> proc_macro2::TokenStream {
    let mut fields = Vec::new();
    let mut moves = Vec::new();
    let shown = is_open.then(|| quote!(pub(super)));
    for one in held {
        let (ident, ty, wire) = (&one.ident, &one.field.ty, &one.wire);
        if one.is_as_it_is() {
            let attributes = for_reading(one.field, |_| true);
            fields.push(quote!(#(#attributes)* #shown #ident: #ty));
            moves.push(quote!(#ident: wire.#ident));
            continue;
        }
        // Presence decides, so that an empty list under the property's own name wins too.
        let option = quote!(::std::option::Option<#ty>);
        let (field_type, default) = match (one.is_option, one.is_certain) {
            (true, _) => (quote!(#ty), quote!()),
            (false, true) => (
                option,
                quote!(.ok_or_else(|| ::serde::de::Error::missing_field(#wire))?),
            ),
            (false, false) => (option, quote!(.unwrap_or_default())),
        };
        let reads = match optional_collection(ty) {
            Some(read) => vec![syn::parse_quote!(#[serde(default, deserialize_with = #read)])],
            None if one.is_certain => Vec::new(),
            None => for_reading(one.field, is_about_reading).collect(),
        };
        let rename = (*ident != wire.as_str()).then(|| quote!(#[serde(rename = #wire)]));
        fields.push(quote!(#rename #(#reads)* #shown #ident: #field_type));
        let mut alternatives = Vec::new();
        for (other, alias) in one.aliases() {
            fields.push(quote!(#[serde(rename = #other)] #(#reads)* #shown #alias: #field_type));
            alternatives.push(quote!(.or(wire.#alias)));
        }
        moves.push(quote!(#ident: wire.#ident #(#alternatives)* #default));
    }
    let moved = match is_fallible(held) {
        true => quote! {
            impl #name {
                pub(super) fn whole<E: ::serde::de::Error>(self) -> ::std::result::Result<#original, E> {
                    let wire = self;
                    Ok(#original { #(#moves),* })
                }
            }
        },
        false => quote! {
            impl ::std::convert::From<#name> for #original {
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

/// What reads a collection that may be absent.
fn optional_collection(ty: &syn::Type) -> Option<&'static str> {
    [
        ("Vec", "::metered_client::wire::some_list"),
        ("BTreeMap", "::metered_client::wire::some_map"),
    ]
    .into_iter()
    .find_map(|(container, read)| argument_of(ty, container).map(|_| read))
}
