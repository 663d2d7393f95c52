//! What the builder of an operation has of prices, in a crate whose calls cost credits.

use openapi_model::{Model, Operation};
use proc_macro2::TokenStream;
use quote::quote;

use super::{charge, prices};

/// The parts of a builder and their documentation.
pub(super) struct Money {
    /// Fields of the operation's table.
    pub(super) facts: TokenStream,
    /// The fields that the table leaves out.
    pub(super) rest: Option<TokenStream>,
    /// Methods that say what to reserve.
    pub(super) prices: Option<TokenStream>,
    /// The method that says what the call may cost.
    pub(super) quote: Option<TokenStream>,
    pub(super) extra_query: &'static str,
    pub(super) send: &'static str,
    pub(super) errors: &'static str,
}

impl Money {
    pub(super) fn of(model: &Model, operation: &Operation) -> Self {
        if !model.is_metered {
            return Self {
                facts: TokenStream::new(),
                rest: Some(quote!(..::metered_client::document::PLAIN_OPERATION)),
                prices: None,
                quote: None,
                extra_query: " Adds a query parameter that is not documented.",
                send: " Makes the call.",
                errors: " [`Error`](crate::Error) has a variant for each reason.",
            };
        }
        let prices = prices::prices(operation);
        let priced_by = prices::priced_by(operation);
        let charge = charge::of_operation(model, operation);
        Self {
            facts: quote! {
                prices: #prices,
                priced_by: #priced_by,
                charge: #charge,
            },
            rest: None,
            prices: Some(quote! {
                /// Reserves this much of the budget, whatever the price. [`CallOptions`](crate::request::CallOptions) describes
                /// this and the other settings of a call.
                pub fn price(mut self, credits: ::metered_client::Credits) -> Self {
                    self.options.price = Some(credits);
                    self
                }

                /// States the highest price of the call, which is reserved unless a higher one is known.
                pub fn assume_price(mut self, credits: ::metered_client::Credits) -> Self {
                    self.options.assumed_price = Some(credits);
                    self
                }
            }),
            quote: Some(quote! {
                /// Says what the call may cost. Nothing is sent.
                #[must_use]
                pub fn quote(&self) -> ::metered_client::money::Quote {
                    self.client.quote(&self.request())
                }
            }),
            extra_query: " Adds a query parameter that is not documented. The price is then unknown.",
            send: " Makes the call, which may be billed.",
            errors: " [`Error`](crate::Error) has a variant for each reason, and says what the call cost.",
        }
    }
}
