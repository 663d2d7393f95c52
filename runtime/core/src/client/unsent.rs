//! Calls that are not sent yet, with their client.

use serde::de::DeserializeOwned;

use crate::client::client::Client;
use crate::error::Error;
use crate::request::call::Call;
use crate::request::request::Request;
use crate::response::response::Response;

/// A call that is not sent yet, with its client. The builders of generated crates and [`RawCall`](crate::RawCall) implement it.
pub trait Unsent: Call {
    /// Returns the client and the request. For generated code, which alone implements this trait.
    #[doc(hidden)]
    fn unsent(&self) -> (&Client, Request);
    /// Returns the client, mutable. For generated code.
    #[doc(hidden)]
    fn client_mut(&mut self) -> &mut Client;

    /// Makes the call and decodes its JSON as a type of the caller.
    ///
    /// # Errors
    ///
    /// Those of the `send` method of the call.
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

            fn client_mut(&mut self) -> &mut $crate::Client {
                &mut self.$client
            }
        }
    };
}
