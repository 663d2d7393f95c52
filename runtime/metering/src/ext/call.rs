//! The options of a call that costs credits.

use generated_client::Unsent;
use generated_client::request::{Call, CallOptions};

use super::client::MeteredClient;
use crate::meter::prices::OwnPrice;
use crate::money::credits::Credits;
use crate::money::quote::Quote;

/// The options of a call that costs credits, beside those of [`Call`].
///
/// The price of a call with an [`extra_query`](Call::extra_query) is unknown, unless [`price`](Self::price) says what to reserve. An added
/// header changes no price. [`Quoted::quote`] says what the call may cost.
///
/// ```
/// use metered_client::prelude::*;
/// use metered_client::{Client, Credits, Error, Method};
///
/// # async fn example(client: Client) -> Result<(), Error> {
/// let call = client.raw(Method::GET, "/v2/things").assume_price(Credits::new(2));
/// println!("at most {:?}", call.quote().at_most);
/// println!("{}", call.send::<serde_json::Value>().await?.body);
/// # Ok(()) }
/// ```
pub trait MeteredCall: Call {
    /// Reserves this much of the budget instead of the known price or an estimate. With zero nothing is reserved, and no budget bounds the
    /// cost of the call.
    fn price(mut self, credits: Credits) -> Self {
        own(self.options_mut()).given = Some(credits);
        self
    }

    /// States the highest price of the call, which is reserved unless a higher one is listed or was seen.
    fn assume_price(mut self, credits: Credits) -> Self {
        own(self.options_mut()).assumed = Some(credits);
        self
    }
}

impl<C: Call> MeteredCall for C {}

/// Quotes of calls; every call has them.
pub trait Quoted: Unsent {
    /// Returns the possible cost of the call. Nothing is sent.
    #[must_use]
    fn quote(&self) -> Quote {
        let (client, request) = self.unsent();
        client.quote(&request)
    }
}

fn own(options: &mut CallOptions) -> &mut OwnPrice {
    options.extensions.get_or_insert_default()
}

impl<C: Unsent> Quoted for C {}
