//! Structs that cannot be built or matched whole from outside: a new field upstream breaks no caller.
//! What a caller builds stays open, because nothing else builds it.

use std::collections::BTreeSet;

use super::Context;
use super::items::structs;
use crate::openapi::{Model, reference};
use crate::pointer;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let given = given(context.model);
    for item in structs(file) {
        let given_whole = given.contains(item.ident.to_string().as_str());
        if matches!(item.fields, syn::Fields::Named(_)) && !given_whole {
            item.attrs.push(syn::parse_quote!(#[non_exhaustive]));
        }
    }
    Ok(())
}

/// The schemas whose values a caller builds: what is sent, unless its properties are arguments and it is part of nothing else.
fn given(model: &Model) -> BTreeSet<&str> {
    let mut given = BTreeSet::new();
    for operation in &model.operations {
        let spread = operation.body.as_ref().and_then(|body| model.spread(body));
        let sent = operation.sent().filter_map(reference);
        given.extend(sent.filter(|name| spread.is_none_or(|spread| spread.name != *name)));
    }
    for schema in model.schemas.iter().filter(|schema| schema.usage.request) {
        pointer::walk(&schema.value, "", &mut |_, value| {
            given.extend(reference(value))
        });
    }
    for operation in &model.operations {
        for sent in operation.sent() {
            pointer::walk(sent, "", &mut |at, value| {
                if !at.is_empty() {
                    given.extend(reference(value));
                }
            });
        }
    }
    given
}
