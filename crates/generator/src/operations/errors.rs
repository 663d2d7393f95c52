//! The documented errors of an operation: what each status code is read as. The enums of several schemas are among the types.

use openapi_model::names;
use openapi_model::{ErrorVariant, Errors, Operation};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::paths;

/// Returns the code that reads the documented errors of an operation; `None` without documented errors.
pub(super) fn read(operation: &Operation) -> Option<TokenStream> {
    let errors = operation.errors.as_ref()?;
    let builder = names::ident(&operation.type_name);
    let (alias, error) = match &errors.enumeration {
        Some(enumeration) => {
            let enumeration = names::ident(enumeration);
            let name = names::ident(&format!("{}Error", operation.type_name));
            let docs = format!(
                " The documented errors of `{}`, as [`Error::documented`](crate::Error::documented) returns them.",
                operation.id
            );
            let alias = quote!(#[doc = #docs] pub type #name = types::#enumeration;);
            (Some(alias), quote!(types::#enumeration))
        }
        None => (None, paths::place(&errors.variants.first()?.schema)),
    };
    let read = by_status(errors);
    Some(quote! {
        #alias

        impl ::generated_client::error::DocumentedErrors for #builder {
            type Error = #error;
            const OPERATION: &'static ::generated_client::document::Operation = &OPERATION;

            fn read(error: &::generated_client::error::StatusError) -> Option<Self::Error> {
                #read
            }
        }
    })
}

/// The expression that reads a body: exact status codes come before ranges, and these before `default`.
fn by_status(errors: &Errors) -> TokenStream {
    let read = |variant: &ErrorVariant| match &errors.enumeration {
        Some(enumeration) => {
            let (enumeration, name) = (names::ident(enumeration), names::ident(&variant.name));
            quote!(error.body_as().map(types::#enumeration::#name).ok())
        }
        None => quote!(error.body_as().ok()),
    };
    let is_default = |variant: &&ErrorVariant| variant.statuses.iter().any(|one| one == "default");
    let default = errors.variants.iter().find(is_default);
    let arms = |codes: fn(&str) -> Option<(u16, u16)>| {
        let others = errors.variants.iter();
        let others = others.filter_map(move |variant| {
            let patterns = patterns(variant.statuses.iter().filter_map(|one| codes(one)));
            (!patterns.is_empty()).then_some((patterns, variant))
        });
        others.collect::<Vec<_>>()
    };
    let all: Vec<_> = arms(code).into_iter().chain(arms(range)).collect();
    let is_one = default.is_some() && errors.enumeration.is_none();
    if let (Some(default), true) = (default, is_one || all.is_empty()) {
        return read(default);
    }
    let all = all.into_iter().map(|(patterns, variant)| {
        let read = read(variant);
        quote!(#(#patterns)|* => #read,)
    });
    let other = default.map_or_else(|| quote!(None), read);
    quote! {
        match error.status.as_u16() {
            #(#all)*
            _ => #other,
        }
    }
}

/// Returns the patterns of status codes, from each first to each last. Adjacent codes are one range.
fn patterns(codes: impl Iterator<Item = (u16, u16)>) -> Vec<TokenStream> {
    let mut codes: Vec<(u16, u16)> = codes.collect();
    codes.sort_unstable();
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for (first, last) in codes {
        match ranges.last_mut() {
            Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
            _ => ranges.push((first, last)),
        }
    }
    let written = ranges.into_iter().map(|(first, last)| {
        let (start, end) = (
            Literal::u16_unsuffixed(first),
            Literal::u16_unsuffixed(last),
        );
        match last - first {
            0 => quote!(#start),
            1 => quote!(#start | #end),
            _ => quote!(#start..=#end),
        }
    });
    written.collect()
}

fn code(status: &str) -> Option<(u16, u16)> {
    let code = status.parse().ok()?;
    Some((code, code))
}

/// `4XX` → 400 to 499.
fn range(status: &str) -> Option<(u16, u16)> {
    let class: u16 = status.strip_suffix("XX")?.parse().ok()?;
    let first = class.checked_mul(100)?;
    Some((first, first.checked_add(99)?))
}
