//! What the runtime has to know of an operation's money: known prices with their conditions, and where an answer reports its charge.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use crate::openapi::extensions::{Presence, Price};
use crate::openapi::{Model, Operation, ParameterType, Place};
use crate::types::runtime::CREDITS;

/// The operation's price list, as a constant expression.
pub(super) fn prices(operation: &Operation) -> TokenStream {
    let prices = operation.prices.iter().filter_map(price);
    quote!(&[#(#prices),*])
}

fn price(price: &Price) -> Option<TokenStream> {
    let micros = proc_macro2::Literal::u64_unsuffixed(price.micros()?);
    let conditions = price.when.iter().map(|(parameter, presence)| {
        let presence = match presence {
            Presence::Present => quote!(::metered_client::Presence::Present),
            Presence::Absent => quote!(::metered_client::Presence::Absent),
        };
        quote!((#parameter, #presence))
    });
    Some(quote! {
        ::metered_client::Price {
            credits: ::metered_client::Credits::from_micros(#micros),
            when: &[#(#conditions),*],
        }
    })
}

/// The parameters that a price may depend on: those that `x-credits-by` names, or the page size and all lists of values.
pub(super) fn priced_by(operation: &Operation) -> TokenStream {
    let page_size = operation.pagination.as_ref().map(|paging| &paging.limit);
    let by_rule = operation.parameters.iter().filter(|parameter| {
        let is_list = matches!(parameter.kind, ParameterType::List { .. });
        parameter.place == Place::Query && (is_list || Some(&parameter.name) == page_size)
    });
    let names: Vec<&String> = match &operation.credits_by {
        Some(names) => names.iter().collect(),
        None => by_rule.map(|parameter| &parameter.name).collect(),
    };
    quote!(&[#(#names),*])
}

/// The member of the success body that reports the charge, as a constant expression.
pub(super) fn charge(model: &Model, operation: &Operation) -> TokenStream {
    constant(field(model, operation))
}

/// The same for the whole document: the member that all operations share which report one.
pub(super) fn shared_charge(model: &Model) -> TokenStream {
    let operations = model.operations.iter();
    let fields: BTreeSet<_> = operations
        .filter_map(|operation| field(model, operation))
        .collect();
    constant(fields.first().copied().filter(|_| fields.len() == 1))
}

fn constant(field: Option<&str>) -> TokenStream {
    match field {
        Some(field) => quote!(Some(#field)),
        None => quote!(None),
    }
}

fn field<'m>(model: &'m Model, operation: &'m Operation) -> Option<&'m str> {
    let schema = operation
        .success
        .as_ref()
        .and_then(|success| model.referenced(success));
    schema
        .into_iter()
        .flat_map(|schema| schema.properties())
        .find(|(_, value)| value.get("x-rust-type").and_then(Value::as_str) == Some(CREDITS))
        .map(|(field, _)| field.as_str())
}
