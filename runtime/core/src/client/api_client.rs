//! The clients that a builder can make: that of this crate, and those of generated crates that wrap it.

use crate::client::client::Client;

/// A client of one API, as [`ClientBuilder::build`](crate::ClientBuilder::build) returns it. Only generated code implements the trait.
///
/// Use it as the bound of functions that set up clients of any API. A client of one API cannot become one of another API: its calls would
/// reach the wrong service with the wrong credentials.
///
/// ```
/// use std::time::Duration;
///
/// use generated_client::{ApiClient, ClientBuilder};
///
/// fn patient<C: ApiClient>(builder: ClientBuilder<C>) -> ClientBuilder<C> {
///     builder.deadline(Duration::from_secs(600)).max_in_flight(2)
/// }
/// ```
pub trait ApiClient: Sized {
    /// Wraps the core client. For generated code.
    #[doc(hidden)]
    fn wrap(core: Client) -> Self;
}

impl ApiClient for Client {
    fn wrap(core: Client) -> Self {
        core
    }
}

/// Implements [`ApiClient`] for the client of a generated crate, from its field `core`, and gives it the methods that do not depend on the API.
#[doc(hidden)]
#[macro_export]
macro_rules! client_type {
    ($name:ident) => {
        impl $crate::ApiClient for $name {
            fn wrap(core: $crate::Client) -> Self {
                Self { core }
            }
        }

        impl $name {
            /// Starts a call of any endpoint, documented or not, with the settings of the client. `path` starts with `/`, and is appended to
            /// the base URL unchanged, so it must be encoded.
            pub fn raw(
                &self,
                method: $crate::Method,
                path: impl ::std::convert::Into<::std::string::String>,
            ) -> $crate::RawCall {
                self.core.raw(method, path)
            }
        }
    };
}
