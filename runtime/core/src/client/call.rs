//! Calls that are not sent yet: their options as methods, the same for every operation.

#[cfg(feature = "cache")]
use std::time::Duration;

#[cfg(feature = "cache")]
use crate::cache::Stored;
use crate::client::client::Client;
#[cfg(feature = "cache")]
use crate::error::Error;
use crate::request::options::CallOptions;
use crate::request::request::Request;

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

    /// Returns the stored response to the call, of any age; `None` if none is stored. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the store of the cache fails.
    #[cfg(feature = "cache")]
    fn stored(&self) -> impl Future<Output = Result<Option<Stored>, Error>> + Send {
        let (client, request) = self.unsent();
        let fetch = client.fetch(&request);
        async move {
            match fetch {
                Some(fetch) => fetch.stored().await,
                None => Ok(None),
            }
        }
    }

    /// Returns the calls, each with its name, whose stored responses are older than `every` or missing: the missing ones first, then the oldest.
    /// Sends nothing.
    ///
    /// Each is returned with `every` as its [`max_age`](Self::max_age): if another process makes it first, it gets the response of that one.
    /// [`Response::changes_since`](crate::Response::changes_since) then compares the two responses.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the response to one of the calls is never stored, or the store of the cache fails.
    #[cfg(feature = "cache")]
    fn due<K>(
        calls: impl IntoIterator<Item = (K, Self)>,
        every: Duration,
    ) -> impl Future<Output = Result<Vec<(K, Self)>, Error>> {
        let calls: Vec<(K, Self)> = calls.into_iter().collect();
        async move {
            let mut due = Vec::new();
            for (name, mut call) in calls {
                call.options_mut().cache.max_age = Some(every);
                let (client, request) = call.unsent();
                let stored = client.watched(&request).await?;
                if !stored.as_ref().is_some_and(|stored| stored.is_fresh) {
                    due.push((stored.map(|stored| stored.at), (name, call)));
                }
            }
            due.sort_by_key(|(at, _)| *at);
            Ok(due.into_iter().map(|(_, named)| named).collect())
        }
    }

    crate::option!(header);
    crate::option!(extra_query);
    crate::option!(deadline);
    crate::option!(retry);
    crate::option!(detached);
    crate::option!(max_age);
    crate::option!(refresh);
    crate::option!(only_if_cached);
    crate::option!(send_as);
    #[cfg(feature = "metered")]
    crate::option!(price);
    #[cfg(feature = "metered")]
    crate::option!(assume_price);
    #[cfg(feature = "metered")]
    crate::option!(quote);
}

/// Implements [`Call`] for a builder, from its fields for the client and the options and its method `request`. Gives it these options as methods:
/// those of calls without money, `metered` ones, or those that are listed.
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
            $($crate::option!(pub $method);)*
        }
    };
}

/// Gives a builder its constructor and its options, and the method that sends the call. Its table has these rows:
///
/// - `new`: the fields for the client and the options, the required arguments with their types, and behind them the optional arguments.
/// - `options`: those of [`call`](crate::call).
/// - `send`: the type of a JSON response, or `text`, `bytes` or `nothing`. A type with `by_status` has a function `read`.
#[doc(hidden)]
#[macro_export]
macro_rules! builder {
    ($name:ident {
        new($client:ident, $options:ident $(, $argument:ident: $type:ty)*) $($optional:ident)*,
        $($rows:tt)*
    }) => {
        impl $name {
            pub(crate) fn new($client: $crate::Client $(, $argument: $type)*) -> Self {
                Self {
                    $client,
                    $options: ::std::default::Default::default(),
                    $($argument,)*
                    $($optional: ::std::default::Default::default(),)*
                }
            }
        }

        $crate::builder!(@ $name $client $options $($rows)*);
    };
    (@ $name:ident $client:ident $options:ident options, $($send:tt)*) => {
        $crate::send!($name $client $($send)*);
        $crate::call!($name, $client, $options);
    };
    (@ $name:ident $client:ident $options:ident options $methods:tt, $($send:tt)*) => {
        $crate::send!($name $client $($send)*);
        $crate::call!($name, $client, $options, $methods);
    };
}

/// Defines the method that sends a call, by the type of its response.
#[doc(hidden)]
#[macro_export]
macro_rules! send {
    ($name:ident $client:ident send -> $output:ty,) => {
        $crate::send!(@ $name $client $crate::response::Undecoded::json, $output);
    };
    ($name:ident $client:ident send collection -> $output:ty,) => {
        $crate::send!(@ $name $client $crate::response::Undecoded::collection, $output);
    };
    ($name:ident $client:ident send text,) => {
        $crate::send!(@ $name $client $crate::response::Undecoded::text, ::std::string::String);
    };
    ($name:ident $client:ident send bytes,) => {
        $crate::send!(@ $name $client $crate::response::Undecoded::bytes, $crate::Bytes);
    };
    ($name:ident $client:ident send nothing,) => {
        $crate::send!(@ $name $client $crate::response::Undecoded::nothing, ());
    };
    ($name:ident $client:ident send by_status -> $output:ty,) => {
        $crate::send!(@ $name $client <$output>::read, $output);
    };
    (@ $name:ident $client:ident $read:expr, $output:ty) => {
        impl $name {
            /// Makes the call.
            ///
            /// # Errors
            ///
            /// [`Error`](crate::Error) has a variant for each reason.
            pub async fn send(self) -> ::std::result::Result<$crate::Response<$output>, $crate::Error> {
                self.$client.send_with(self.request(), $read).await
            }
        }
    };
}

/// Defines an option of calls as a method, of [`Call`] and of each builder.
#[doc(hidden)]
#[macro_export]
macro_rules! option {
    ($visible:vis header) => {
        /// Adds an undocumented header.
        $visible fn header(mut self, name: &str, value: impl ::std::fmt::Display) -> Self {
            $crate::Call::options_mut(&mut self).extras.header(name, &value);
            self
        }
    };
    ($visible:vis extra_query) => {
        /// Adds an undocumented query parameter. It can also replace an argument by a value that its enumeration lacks. Each use adds one
        /// value.
        $visible fn extra_query(mut self, name: &str, value: impl ::std::fmt::Display) -> Self {
            $crate::Call::options_mut(&mut self).extras.query(name, &value);
            self
        }
    };
    ($visible:vis deadline) => {
        /// Limits the duration of the call: its waits, attempts and retries; for paging, of each call.
        $visible fn deadline(mut self, deadline: ::std::time::Duration) -> Self {
            $crate::Call::options_mut(&mut self).deadline = ::std::option::Option::Some(deadline);
            self
        }
    };
    ($visible:vis retry) => {
        /// Replaces the retry policy of the client.
        $visible fn retry(mut self, policy: $crate::RetryPolicy) -> Self {
            $crate::Call::options_mut(&mut self).retry = ::std::option::Option::Some(policy);
            self
        }
    };
    ($visible:vis detached) => {
        /// Lets an in-flight request finish even if its future is dropped. It is not retried.
        $visible fn detached(mut self) -> Self {
            $crate::Call::options_mut(&mut self).detached = ::std::option::Option::Some(true);
            self
        }
    };
    ($visible:vis max_age) => {
        $crate::cache_option! {
            /// Reuses a stored response that is no older than this, whatever the document or the cache says.
            $visible fn max_age(mut self, age: ::std::time::Duration) -> Self {
                $crate::Call::options_mut(&mut self).cache.max_age = ::std::option::Option::Some(age);
                self
            }
        }
    };
    ($visible:vis refresh) => {
        $crate::cache_option! {
            /// Makes the call, and replaces a stored response.
            $visible fn refresh(mut self) -> Self {
                $crate::Call::options_mut(&mut self).cache.is_refreshed = true;
                self
            }
        }
    };
    ($visible:vis only_if_cached) => {
        $crate::cache_option! {
            /// Sends nothing: without a fresh stored response, the call fails with [`Error::Refused`](crate::Error::Refused).
            $visible fn only_if_cached(mut self) -> Self {
                $crate::Call::options_mut(&mut self).cache.is_only = true;
                self
            }
        }
    };
    ($visible:vis send_as) => {
        /// Makes the call and decodes its JSON as a type of the caller, as `serde_json` does.
        ///
        /// # Errors
        ///
        /// Those of the `send` method of the call.
        $visible fn send_as<T>(
            self,
        ) -> impl ::std::future::Future<Output = ::std::result::Result<$crate::Response<T>, $crate::Error>>
        + ::std::marker::Send
        where
            T: ::serde::de::DeserializeOwned + ::std::marker::Send + 'static,
        {
            let (client, request) = $crate::Call::unsent(&self);
            let client = ::std::clone::Clone::clone(client);
            async move { client.send(request).await }
        }
    };
    ($visible:vis price) => {
        /// Reserves this much of the budget instead of the known price or an estimate. With zero nothing is reserved, and no budget bounds the
        /// cost of the call.
        $visible fn price(mut self, credits: $crate::Credits) -> Self {
            $crate::Call::options_mut(&mut self).set_price(credits);
            self
        }
    };
    ($visible:vis assume_price) => {
        /// States the highest price of the call, which is reserved unless a higher one is listed or was seen.
        ///
        /// The price of a call with an undocumented query parameter is unknown, unless `price` says what to reserve. An added header changes
        /// no price.
        $visible fn assume_price(mut self, credits: $crate::Credits) -> Self {
            $crate::Call::options_mut(&mut self).set_assumed_price(credits);
            self
        }
    };
    ($visible:vis quote) => {
        /// Returns the possible cost of the call. Nothing is sent.
        #[must_use]
        $visible fn quote(&self) -> $crate::money::Quote {
            let (client, request) = $crate::Call::unsent(self);
            client.quote(&request)
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
