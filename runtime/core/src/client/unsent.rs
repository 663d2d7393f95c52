//! Calls that were not sent yet, with the client that would send them.

use serde::de::DeserializeOwned;

use crate::client::client::Client;
use crate::error::Error;
use crate::request::request::Request;
use crate::response::response::Response;

/// A call that was not sent, with the client that would send it. The builders of generated crates and [`RawCall`](crate::RawCall) implement it.
pub trait Unsent: Sized {
    /// Returns the client and the request that it would send. For generated code, which alone implements this trait.
    #[doc(hidden)]
    fn unsent(&self) -> (&Client, Request);

    /// Makes the call, and decodes JSON as a type of your own.
    ///
    /// # Errors
    ///
    /// Those of the call's own `send`.
    ///
    /// ```
    /// use generated_client::prelude::*;
    /// use generated_client::{Error, RawCall};
    ///
    /// # async fn example(call: RawCall) -> Result<(), Error> {
    /// let response = call.send_as::<Vec<u64>>().await?;
    /// println!("{}", response.body.len());
    /// # Ok(()) }
    /// ```
    fn send_as<T: DeserializeOwned + Send + 'static>(
        self,
    ) -> impl Future<Output = Result<Response<T>, Error>> + Send {
        let (client, request) = self.unsent();
        let client = client.clone();
        async move { client.send(request).await }
    }
}

/// Implements [`Call`] and [`Unsent`] for a builder, from its fields and its method `request`.
#[doc(hidden)]
#[macro_export]
macro_rules! call {
    ($name:ident, $client:ident, $options:ident) => {
        impl $crate::Call for $name {
            fn options_mut(&mut self) -> &mut $crate::request::CallOptions {
                &mut self.$options
            }
        }

        impl $crate::Unsent for $name {
            fn unsent(&self) -> (&$crate::Client, $crate::request::Request) {
                (&self.$client, self.request())
            }
        }
    };
}
