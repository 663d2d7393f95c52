//! Prices of an operation for the runtime: those that were observed, with their conditions, and the arguments that they may depend on.

use openapi_model::extensions::{Presence, Price};
use openapi_model::{Location, Model, Operation, ParameterType};
use proc_macro2::TokenStream;
use quote::quote;

use super::{charge, option};

/// What is known about the price of an operation, as a constant expression; `None` in a crate whose calls cost no credits.
pub(super) fn tariff(model: &Model, operation: &Operation) -> Option<TokenStream> {
    if !model.is_metered {
        return None;
    }
    let charge = charge::member(model, operation).map(|member| quote!(.charge(#member)));
    let prices = prices(operation).map(|prices| quote!(.prices(#prices)));
    let priced_by = priced_by(operation).map(|names| quote!(.priced_by(#names)));
    Some(quote!(::generated_client::document::Tariff::UNKNOWN #prices #priced_by #charge))
}

/// The operation's price list; `None` without prices.
fn prices(operation: &Operation) -> Option<TokenStream> {
    let prices: Vec<TokenStream> = operation.prices.iter().filter_map(price).collect();
    (!prices.is_empty()).then(|| quote!(&[#(#prices),*]))
}

fn price(price: &Price) -> Option<TokenStream> {
    let micros = proc_macro2::Literal::u64_unsuffixed(price.micros()?);
    let conditions = price.when.iter().map(|(parameter, presence)| {
        let presence = match presence {
            Presence::Present => quote!(::generated_client::document::Presence::Present),
            Presence::Absent => quote!(::generated_client::document::Presence::Absent),
        };
        quote!((#parameter, #presence))
    });
    Some(quote!(::generated_client::document::Price::micros(#micros, &[#(#conditions),*])))
}

/// The highest price of any operation, as a constant expression.
pub(super) fn dearest(model: &Model) -> TokenStream {
    let operations = model.operations.iter();
    let prices = operations.flat_map(|operation| &operation.prices);
    option(prices.filter_map(Price::micros).max().map(|micros| {
        let micros = proc_macro2::Literal::u64_unsuffixed(micros);
        quote!(::generated_client::Credits::from_micros(#micros))
    }))
}

/// The parameters that a price may depend on: those that `x-credits-by` names, or the page size and all lists of values.
fn priced_by(operation: &Operation) -> Option<TokenStream> {
    let page_size = operation
        .pagination
        .as_ref()
        .and_then(|paging| paging.limit.as_ref());
    let by_rule = operation.parameters.iter().filter(|parameter| {
        let is_list = matches!(parameter.kind, ParameterType::List { .. });
        parameter.location == Location::Query && (is_list || Some(&parameter.name) == page_size)
    });
    let names: Vec<&String> = match &operation.credits_by {
        Some(names) => names.iter().collect(),
        None => by_rule.map(|parameter| &parameter.name).collect(),
    };
    (!names.is_empty()).then(|| quote!(&[#(#names),*]))
}
