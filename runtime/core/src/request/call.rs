//! The options of a call as methods, the same for every operation.

use std::fmt::Display;
use std::time::Duration;

use crate::request::options::{CallOptions, RetryPolicy};

/// The options that every call has, whatever its operation.
///
/// Builders of generated crates and [`RawCall`](crate::RawCall) implement it. The trait is in the `prelude` of each generated crate. A
/// parameter of an operation may have the name of an option: the setter of the builder is then the method, and the option is reachable as
/// `Call::deadline(call, …)`.
///
/// `extra_query` and `header` refuse a credential, an argument that is set already, and a header that the client sets itself. The refusal is
/// an error of the call, before anything is sent.
///
/// ```
/// use std::time::Duration;
///
/// use generated_client::prelude::*;
/// use generated_client::{Client, Error, Method, RetryPolicy};
///
/// # async fn example(client: Client) -> Result<(), Error> {
/// let call = client.raw(Method::GET, "/v2/things");
/// let call = call.deadline(Duration::from_secs(30)).retry(RetryPolicy::Never);
/// println!("{}", call.send::<serde_json::Value>().await?.body);
/// # Ok(()) }
/// ```
pub trait Call: Sized {
    /// Returns the options. For generated code, which alone implements this trait.
    #[doc(hidden)]
    fn options_mut(&mut self) -> &mut CallOptions;

    /// Adds a header that is not documented.
    fn header(mut self, name: &str, value: impl Display) -> Self {
        self.options_mut().extras.header(name, &value);
        self
    }

    /// Adds a query parameter that is not documented, or a value that an enumeration of an argument lacks, in place of that argument. One
    /// call adds one value.
    fn extra_query(mut self, name: &str, value: impl Display) -> Self {
        self.options_mut().extras.query(name, &value);
        self
    }

    /// Bounds how long the call may take: its waits, attempts and retries; of pages each call.
    /// [`ClientBuilder::deadline`](crate::ClientBuilder::deadline) describes the end of an attempt in flight.
    fn deadline(mut self, deadline: Duration) -> Self {
        self.options_mut().deadline = Some(deadline);
        self
    }

    /// Replaces the [`RetryPolicy`] of the client.
    fn retry(mut self, policy: RetryPolicy) -> Self {
        self.options_mut().retry = Some(policy);
        self
    }

    /// Lets an in-flight request finish even if its future is dropped. It is not attempted again.
    fn detached(mut self) -> Self {
        self.options_mut().detached = Some(true);
        self
    }
}

impl Call for CallOptions {
    fn options_mut(&mut self) -> &mut CallOptions {
        self
    }
}
