//! Calls that are not sent yet: their options as methods, the same for every operation.

use std::fmt::Display;
#[cfg(feature = "metered")]
use std::mem;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::client::client::Client;
use crate::error::Error;
#[cfg(feature = "metered")]
use crate::money::credits::Credits;
#[cfg(feature = "metered")]
use crate::money::quote::Quote;
use crate::request::options::{CallOptions, RetryPolicy};
use crate::request::request::Request;
use crate::response::response::Response;

/// A call that is not sent yet, with its client and its options.
///
/// Builders of generated crates and [`RawCall`](crate::RawCall) implement it, and have the same methods of their own: only functions of any call
/// need the trait. If a parameter has the name of an option, the method of the builder sets the parameter, and `Call::deadline(call, …)` the
/// option.
///
/// `extra_query` and `header` refuse credentials, arguments that are already set, and headers that the client sets itself. The call then
/// fails before anything is sent.
///
/// ```
/// use std::time::Duration;
///
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

    /// Returns the client and the request. For generated code.
    #[doc(hidden)]
    fn unsent(&self) -> (&Client, Request);

    /// Returns the client, mutable. For generated code.
    #[doc(hidden)]
    fn client_mut(&mut self) -> &mut Client;

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

    /// Reuses a stored response that is no older than this, whatever the document or the [cache](crate::cache) says.
    #[cfg(feature = "cache")]
    fn max_age(mut self, age: Duration) -> Self {
        self.options_mut().cache.max_age = Some(age);
        self
    }

    /// Makes the call, and replaces a stored response.
    #[cfg(feature = "cache")]
    fn refresh(mut self) -> Self {
        self.options_mut().cache.is_refreshed = true;
        self
    }

    /// Sends nothing: without a fresh stored response, the call fails with [`Error::Refused`].
    #[cfg(feature = "cache")]
    fn only_if_cached(mut self) -> Self {
        self.options_mut().cache.is_only = true;
        self
    }

    /// Reserves this much of the budget instead of the known price or an estimate. With zero nothing is reserved, and no budget bounds the
    /// cost of the call.
    #[cfg(feature = "metered")]
    fn price(mut self, credits: Credits) -> Self {
        let options = mem::take(self.options_mut());
        *self.options_mut() = options.price(credits);
        self
    }

    /// States the highest price of the call, which is reserved unless a higher one is listed or was seen.
    ///
    /// The price of a call with an [`extra_query`](Self::extra_query) is unknown, unless [`price`](Self::price) says what to reserve. An added
    /// header changes no price.
    ///
    /// ```
    /// use generated_client::{Client, Credits, Error, Method};
    ///
    /// # async fn example(client: Client) -> Result<(), Error> {
    /// let call = client.raw(Method::GET, "/v2/things").assume_price(Credits::new(2));
    /// println!("at most {:?}", call.quote().at_most);
    /// println!("{}", call.send::<serde_json::Value>().await?.body);
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "metered")]
    fn assume_price(mut self, credits: Credits) -> Self {
        let options = mem::take(self.options_mut());
        *self.options_mut() = options.assume_price(credits);
        self
    }

    /// Returns the possible cost of the call. Nothing is sent.
    #[cfg(feature = "metered")]
    #[must_use]
    fn quote(&self) -> Quote {
        let (client, request) = self.unsent();
        client.quote(&request)
    }

    /// Makes the call and decodes its JSON as a type of the caller.
    ///
    /// # Errors
    ///
    /// Those of the `send` method of the call.
    ///
    /// ```
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

/// Implements [`Call`] for a builder, from its fields and its method `request`, and gives it the options as methods: all of them, those of calls
/// without money, or those that are listed.
#[doc(hidden)]
#[macro_export]
macro_rules! call {
    ($name:ident, $client:ident, $options:ident) => {
        $crate::call!($name, $client, $options, [header extra_query deadline retry detached max_age refresh only_if_cached send_as]);
    };
    ($name:ident, $client:ident, $options:ident, metered) => {
        $crate::call!($name, $client, $options, [header extra_query deadline retry detached max_age refresh only_if_cached send_as price assume_price quote]);
    };
    ($name:ident, $client:ident, $options:ident, [$($method:ident)*]) => {
        impl $crate::Call for $name {
            fn options_mut(&mut self) -> &mut $crate::request::CallOptions {
                &mut self.$options
            }

            fn unsent(&self) -> (&$crate::Client, $crate::request::Request) {
                (&self.$client, self.request())
            }

            fn client_mut(&mut self) -> &mut $crate::Client {
                &mut self.$client
            }
        }

        /// The options of every call.
        impl $name {
            $($crate::option!($method);)*
        }
    };
}

/// Defines a method of [`Call`] as one of a builder.
#[doc(hidden)]
#[macro_export]
macro_rules! option {
    (header) => {
        /// Adds an undocumented header.
        pub fn header(self, name: &str, value: impl ::std::fmt::Display) -> Self {
            $crate::Call::header(self, name, value)
        }
    };
    (extra_query) => {
        /// Adds an undocumented query parameter, as [`Call::extra_query`](crate::Call::extra_query) says.
        pub fn extra_query(self, name: &str, value: impl ::std::fmt::Display) -> Self {
            $crate::Call::extra_query(self, name, value)
        }
    };
    (deadline) => {
        /// Limits the duration of the call: its waits, attempts and retries; for paging, of each call.
        pub fn deadline(self, deadline: ::std::time::Duration) -> Self {
            $crate::Call::deadline(self, deadline)
        }
    };
    (retry) => {
        /// Replaces the retry policy of the client.
        pub fn retry(self, policy: $crate::RetryPolicy) -> Self {
            $crate::Call::retry(self, policy)
        }
    };
    (detached) => {
        /// Lets an in-flight request finish even if its future is dropped. It is not retried.
        pub fn detached(self) -> Self {
            $crate::Call::detached(self)
        }
    };
    (max_age) => {
        $crate::cache_option! {
            /// Reuses a stored response that is no older than this, whatever the document or the cache says.
            pub fn max_age(self, age: ::std::time::Duration) -> Self {
                $crate::Call::max_age(self, age)
            }
        }
    };
    (refresh) => {
        $crate::cache_option! {
            /// Makes the call, and replaces a stored response.
            pub fn refresh(self) -> Self {
                $crate::Call::refresh(self)
            }
        }
    };
    (only_if_cached) => {
        $crate::cache_option! {
            /// Sends nothing: without a fresh stored response, the call fails with [`Error::Refused`](crate::Error::Refused).
            pub fn only_if_cached(self) -> Self {
                $crate::Call::only_if_cached(self)
            }
        }
    };
    (send_as) => {
        /// Makes the call and decodes its JSON as a type of the caller.
        ///
        /// # Errors
        ///
        /// Those of the `send` method of the call.
        pub async fn send_as<T>(self) -> ::std::result::Result<$crate::Response<T>, $crate::Error>
        where
            T: ::serde::de::DeserializeOwned + ::std::marker::Send + 'static,
        {
            $crate::Call::send_as(self).await
        }
    };
    (price) => {
        /// Reserves this much of the budget instead of the known price or an estimate. With zero nothing is reserved, and no budget bounds the
        /// cost of the call.
        pub fn price(self, credits: $crate::Credits) -> Self {
            $crate::Call::price(self, credits)
        }
    };
    (assume_price) => {
        /// States the highest price of the call, which is reserved unless a higher one is listed or was seen.
        pub fn assume_price(self, credits: $crate::Credits) -> Self {
            $crate::Call::assume_price(self, credits)
        }
    };
    (quote) => {
        /// Returns the possible cost of the call. Nothing is sent.
        #[must_use]
        pub fn quote(&self) -> $crate::money::Quote {
            $crate::Call::quote(self)
        }
    };
}

/// Defines a method about stored responses, with the feature `cache`.
#[cfg(feature = "cache")]
#[doc(hidden)]
#[macro_export]
macro_rules! cache_option {
    ($($method:tt)*) => { $($method)* };
}

/// Defines nothing, without the feature `cache`.
#[cfg(not(feature = "cache"))]
#[doc(hidden)]
#[macro_export]
macro_rules! cache_option {
    ($($method:tt)*) => {};
}
