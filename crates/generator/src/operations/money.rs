//! The parts of a builder about prices, in a crate whose calls cost credits.

use openapi_model::{Model, Operation};
use proc_macro2::TokenStream;
use quote::quote;

use super::{charge, prices};

/// The parts of a builder and their documentation.
pub(super) struct Money {
    /// The prices of the operation.
    pub(super) tariff: Option<TokenStream>,
    /// Documentation of `send`.
    pub(super) send: &'static str,
    /// Documentation of its errors.
    pub(super) errors: &'static str,
}

impl Money {
    pub(super) fn of(model: &Model, operation: &Operation) -> Self {
        if !model.is_metered {
            return Self {
                tariff: None,
                send: " Makes the call.",
                errors: " [`Error`](crate::Error) has a variant for each reason.",
            };
        }
        let charge = charge::member(model, operation).map(|member| quote!(.charge(#member)));
        let prices = prices::prices(operation).map(|prices| quote!(.prices(#prices)));
        let priced_by = prices::priced_by(operation).map(|names| quote!(.priced_by(#names)));
        Self {
            tariff: Some(quote! {
                ::generated_client::document::Tariff::UNKNOWN #prices #priced_by #charge
            }),
            send: " Sends the request, which may be billed.",
            errors: " [`Error`](crate::Error) has a variant for each reason, and the cost of the call.",
        }
    }
}
