//! Prices of an operation for the runtime: those that were observed, with their conditions, and the arguments that they may depend on.

use openapi_model::extensions::{Presence, Price};
use openapi_model::{Location, Model, Operation, ParameterType};
use proc_macro2::TokenStream;
use quote::quote;

use super::option;

/// The operation's price list, as a constant expression; `None` without prices.
pub(super) fn prices(operation: &Operation) -> Option<TokenStream> {
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
pub(super) fn priced_by(operation: &Operation) -> Option<TokenStream> {
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
