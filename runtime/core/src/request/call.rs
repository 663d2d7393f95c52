//! The options of a call as methods, the same for every operation.

use std::fmt::Display;
use std::time::Duration;

use crate::request::options::{CallOptions, RetryPolicy};

/// The options of every call.
///
/// Builders of generated crates and [`RawCall`](crate::RawCall) implement it. The trait is in the `prelude` of each generated crate. If a
/// parameter has the name of an option, the method of the builder sets the parameter, and `Call::deadline(call, …)` the option.
///
/// `extra_query` and `header` refuse credentials, arguments that are already set, and headers that the client sets itself. The call then
/// fails before anything is sent.
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

    /// Adds an undocumented header.
    fn header(mut self, name: &str, value: impl Display) -> Self {
        self.options_mut().extras.header(name, &value);
        self
    }

    /// Adds an undocumented query parameter. It can also replace an argument by a value that its enumeration lacks. Each use adds one
    /// value.
    fn extra_query(mut self, name: &str, value: impl Display) -> Self {
        self.options_mut().extras.query(name, &value);
        self
    }

    /// Limits the duration of the call: its waits, attempts and retries; for paging, of each call.
    /// [`ClientBuilder::deadline`](crate::ClientBuilder::deadline) describes the end of an in-flight attempt.
    fn deadline(mut self, deadline: Duration) -> Self {
        self.options_mut().deadline = Some(deadline);
        self
    }

    /// Replaces the [`RetryPolicy`] of the client.
    fn retry(mut self, policy: RetryPolicy) -> Self {
        self.options_mut().retry = Some(policy);
        self
    }

    /// Lets an in-flight request finish even if its future is dropped. It is not retried.
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
