//! The clients that a builder can make: the one of this crate, and those of generated crates around it.

use crate::client::client::Client;

/// A client of one API, as [`ClientBuilder::build`](crate::ClientBuilder::build) returns it. Only generated code implements the trait.
///
/// It is the bound of a function that sets up clients of any API. A client is not made of that of another API: its calls would go to the
/// wrong service, with the credentials of the other.
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
    /// Makes the client of a generated crate. For generated code.
    #[doc(hidden)]
    fn wrap(core: Client) -> Self;
}

impl ApiClient for Client {
    fn wrap(core: Client) -> Self {
        core
    }
}
