//! The parts of a builder about prices, in a crate whose calls cost credits.

use openapi_model::{Model, Operation};
use proc_macro2::TokenStream;
use quote::quote;

use super::{charge, option, prices};

/// The parts of a builder and their documentation.
pub(super) struct Money {
    /// Fields of the operation's table.
    pub(super) facts: TokenStream,
    /// Documentation of `send`.
    pub(super) send: &'static str,
    /// Documentation of its errors.
    pub(super) errors: &'static str,
}

impl Money {
    pub(super) fn of(model: &Model, operation: &Operation) -> Self {
        if !model.is_metered {
            return Self {
                facts: quote!(extension: None,),
                send: " Makes the call.",
                errors: " [`Error`](crate::Error) has a variant for each reason.",
            };
        }
        let prices = prices::prices(operation);
        let priced_by = prices::priced_by(operation);
        let charge = option(charge::member(model, operation));
        Self {
            facts: quote! {
                extension: Some(&::generated_client::document::Tariff {
                    prices: #prices,
                    priced_by: #priced_by,
                    charge: #charge,
                }),
            },
            send: " Sends the request, which may be billed.",
            errors: " [`Error`](crate::Error) has a variant for each reason, and the cost of the call.",
        }
    }
}
