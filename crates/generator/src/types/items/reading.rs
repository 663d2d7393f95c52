//! The table of a struct: its members, from which the runtime reads and writes it.
//!
//! A member with other names on the wire has a row for each of them. The member's own name wins; another one counts where that name is
//! absent or null. A member that a response always has is empty if it is missing. A value without an empty form, such as a number, is
//! required under one of its names.

use openapi_model::{Aliases, Object, Presence, Schema, Shape, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::{Field, Hold, Kind};

/// Returns the implementations that read and write a struct.
pub(super) fn read(schema: &Schema, fields: &[Field<'_>]) -> TokenStream {
    let name = names::ident(&schema.name);
    let members: Vec<&Field<'_>> = fields.iter().filter(|one| one.property.is_some()).collect();
    let rows = members.iter().map(|field| {
        let (ident, read) = (&field.ident, names::ident(read_by(field)));
        let (wire, aliases) = (wire_name(field), aliases(field));
        let (value, absent) = (only_value(field), absent(schema, field));
        quote!(#ident: #read #wire #value #(| #aliases)* #absent,)
    });
    let needs = needs(schema, &members);
    let needs = (!needs.is_empty()).then(|| quote!(needs [#(#needs),*]));
    let others = fields.iter().find(|one| one.property.is_none());
    let others = others.map(|field| {
        let ident = &field.ident;
        quote!(others #ident)
    });
    // A value that is needed for its own sake has no default to be read into.
    let is_needed =
        |field: &&Field<'_>| matches!(read_by(field), "required" | "content" | "content_entries");
    let default = (!members.iter().any(is_needed)).then(|| quote!(as default));
    quote!(::generated_client::wire::object!(#name { #(#rows)* } #default #needs #others);)
}

/// Returns the only value of a member whose type does not have it.
fn only_value(field: &Field<'_>) -> Option<TokenStream> {
    let place = field.property.map(|property| &property.place)?;
    match &place.shape {
        Shape::Texts { values, .. } if !field.is_constant() => {
            let value = values.first()?;
            Some(quote!(= #value))
        }
        _ => None,
    }
}

/// Returns what an object may have in place of a member; nothing for one that the document requires and that is always written.
fn absent(schema: &Schema, field: &Field<'_>) -> Option<TokenStream> {
    let object = schema.object();
    let mut required = object.into_iter().flat_map(Object::always_there);
    let is_required = required.any(|name| name == wire_name(field));
    match (is_required, field.is_omitted) {
        (true, false) => None,
        (true, true) => Some(quote!(or missing)),
        (false, true) => Some(quote!(or omitted)),
        (false, false) => Some(quote!(or constant)),
    }
}

/// Returns the name of a member on the wire.
fn wire_name<'f>(field: &Field<'f>) -> &'f str {
    field.property.map_or("", |property| &property.name)
}

/// Returns the other names of a member.
fn aliases<'f>(field: &Field<'f>) -> &'f [String] {
    let aliases = field.property.and_then(|one| one.place.aliases.as_ref());
    aliases.map_or(&[], Aliases::names)
}

/// Returns the function of the runtime that reads a member.
fn read_by(field: &Field<'_>) -> &'static str {
    let is_value = field.hold == Hold::Plain && field.kind == Kind::Plain;
    match field.read {
        // An envelope may have its content under any of its names.
        Some(_)
            if field.hold == Hold::Plain
                && field.kind != Kind::Plain
                && !aliases(field).is_empty() =>
        {
            field.collection().map_or("defaulted", |one| one.read)
        }
        Some(function) => function,
        None if is_value && field.presence == Presence::Promised => "null_as_default",
        None if field.hold == Hold::Plain && !field.has_default => "required",
        None => "defaulted",
    }
}

/// Returns the fields of the members of which a response has at least one.
fn needs<'f>(schema: &Schema, members: &[&'f Field<'_>]) -> Vec<&'f syn::Ident> {
    let Some(envelope) = schema.envelope.as_ref() else {
        return Vec::new();
    };
    let mut required = members.to_vec();
    required.retain(|field| {
        envelope
            .required
            .iter()
            .any(|name| name == wire_name(field))
    });
    let properties = required.iter().filter_map(|field| field.property);
    let is_told_apart = properties
        .map(|one| &one.place)
        .any(|place| !place.nullable);
    // Without a member that is required on its own, nothing is read anyway.
    let is_checked = required.iter().any(|field| read_by(field) == "required");
    if !envelope.content.is_empty() || !is_told_apart || is_checked {
        return Vec::new();
    }
    required.into_iter().map(|field| &field.ident).collect()
}
