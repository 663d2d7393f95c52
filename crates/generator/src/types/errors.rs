//! The types of error bodies, each with the operations and status codes that the document has them for.

use std::collections::BTreeMap;

use openapi_model::{Model, Operation, OtherResponse, Place, Shape, names};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::docs::condition;

/// The codes that `default` stands for.
const ALL: Codes = (100, 999);

/// Status codes, from a first to a last one.
type Codes = (u16, u16);

/// Operations by the status codes that they have a type for.
type Operations<'m> = BTreeMap<Vec<Codes>, Vec<&'m str>>;

/// Returns the types of an operation's error bodies, in the order of the document.
pub(crate) fn error_types(operation: &Operation) -> impl Iterator<Item = &str> {
    operation.other_responses.iter().filter_map(type_name)
}

/// The type of a body; `None` for one that is no type of the crate.
fn type_name(response: &OtherResponse) -> Option<&str> {
    let schema = response.schema.as_ref();
    let schema = schema.filter(|schema| schema.rust_type.is_none());
    schema.and_then(Place::reference)
}

/// Emits what each type is documented for.
pub(super) fn documented(model: &Model) -> TokenStream {
    let mut types: BTreeMap<&str, Operations<'_>> = BTreeMap::new();
    for operation in &model.operations {
        for (name, codes) in codes_by_type(operation) {
            let operations = types.entry(name).or_default().entry(codes).or_default();
            operations.push(&operation.known_as);
        }
    }
    let all = types.into_iter().filter_map(|(name, operations)| {
        let condition = condition(model.schema(name)?.feature.as_deref());
        let name = names::ident(name);
        let arms = operations.into_iter().map(|(codes, operations)| {
            let codes = codes.into_iter().map(|(first, last)| {
                let [first, last] = [first, last].map(Literal::u16_unsuffixed);
                quote!((#first, #last))
            });
            quote!(#(#operations)|* => &[#(#codes),*],)
        });
        Some(quote! {
            #condition
            impl ::generated_client::error::DocumentedError for #name {
                fn statuses(operation: &str) -> &'static [(u16, u16)] {
                    match operation {
                        #(#arms)*
                        _ => &[],
                    }
                }
            }
        })
    });
    all.collect()
}

/// Returns the status codes of each type: those of an exact code come before those of a range, and these before `default`.
fn codes_by_type(operation: &Operation) -> BTreeMap<&str, Vec<Codes>> {
    let described = operation.other_responses.iter();
    let described = described.filter(|one| {
        let schema = one.schema.as_ref();
        schema.is_some_and(|schema| schema.shape != Shape::Any)
    });
    let mut all: Vec<(Codes, &OtherResponse)> = described
        .filter_map(|response| Some((codes(&response.status)?, response)))
        .collect();
    all.sort_by_key(|((first, last), _)| (last - first, *first));
    let mut free = vec![ALL];
    let mut by_type: BTreeMap<&str, Vec<Codes>> = BTreeMap::new();
    for (codes, response) in all {
        let (taken, rest) = split(&free, codes);
        free = rest;
        if let Some(name) = type_name(response) {
            by_type.entry(name).or_default().extend(taken);
        }
    }
    for codes in by_type.values_mut() {
        *codes = joined(std::mem::take(codes));
    }
    by_type.retain(|_, codes| !codes.is_empty());
    by_type
}

/// `404`, `4XX` → 400 to 499, or `default` → all.
fn codes(status: &str) -> Option<Codes> {
    if status == "default" {
        return Some(ALL);
    }
    if let Ok(code) = status.parse() {
        return Some((code, code));
    }
    let class: u16 = status.strip_suffix("XX")?.parse().ok()?;
    let first = class.checked_mul(100)?;
    Some((first, first.checked_add(99)?))
}

/// Splits free codes into those that are among others, and the rest.
fn split(free: &[Codes], (first, last): Codes) -> (Vec<Codes>, Vec<Codes>) {
    let (mut taken, mut rest) = (Vec::new(), Vec::new());
    for (start, end) in free {
        if *end < first || *start > last {
            rest.push((*start, *end));
            continue;
        }
        taken.push(((*start).max(first), (*end).min(last)));
        if *start < first {
            rest.push((*start, first - 1));
        }
        if *end > last {
            rest.push((last + 1, *end));
        }
    }
    (taken, rest)
}

/// Joins adjacent codes.
fn joined(mut codes: Vec<Codes>) -> Vec<Codes> {
    codes.sort_unstable();
    let mut joined: Vec<Codes> = Vec::new();
    for (first, last) in codes {
        match joined.last_mut() {
            Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
            _ => joined.push((first, last)),
        }
    }
    joined
}
