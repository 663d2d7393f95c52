//! The cost of all calls of a batch together, before they are made.

use std::collections::BTreeSet;
use std::sync::Arc;

#[cfg(feature = "cache")]
use crate::cache::{Cache, Stored};
use crate::client::call::Call;
use crate::client::client::Client;
use crate::error::Error;
use crate::request::Request;

use crate::money::credits::Credits;
use crate::money::quote::BatchQuote;

impl BatchQuote {
    /// Returns what these calls would cost together, before the first one is made. Nothing is sent, and nothing is reserved. The budget is that of the
    /// first call.
    ///
    /// With a cache, a fresh stored response answers a call, and calls that are equal cost once.
    ///
    /// ```
    /// use generated_client::money::BatchQuote;
    /// use generated_client::{Client, Error, Method};
    ///
    /// # async fn example(client: Client, ids: Vec<u64>) -> Result<(), Error> {
    /// let calls = ids.iter().map(|id| client.raw(Method::GET, format!("/v1/things/{id}")));
    /// let quote = BatchQuote::add_up(calls).await?;
    /// println!("{:?} calls, {:?} credits at most", quote.calls, quote.at_most);
    /// println!("{} of {} fit into the budget", quote.fit, quote.to_call());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the store of the cache fails.
    pub async fn add_up<C: Call>(calls: impl IntoIterator<Item = C>) -> Result<Self, Error> {
        let calls: Vec<C> = calls.into_iter().collect();
        let mut batch = Batch::new(calls.first().map(|call| call.unsent().0));
        for call in &calls {
            let (client, request) = call.unsent();
            batch.add(client, &request, Some(1)).await?;
        }
        Ok(batch.quote)
    }
}

/// A quote to which inputs are added one by one.
#[doc(hidden)]
pub struct Batch {
    pub quote: BatchQuote,
    /// The texts of the calls so far whose responses are stored.
    #[cfg_attr(
        not(feature = "cache"),
        expect(dead_code, reason = "nothing is stored")
    )]
    seen: BTreeSet<Arc<str>>,
}

impl Batch {
    /// `client`: whose budget is looked at.
    pub fn new(client: Option<&Client>) -> Self {
        Self {
            quote: BatchQuote {
                calls: Some(0),
                at_most: Some(Credits::ZERO),
                left: client.and_then(|client| client.budget().left()),
                ..BatchQuote::default()
            },
            seen: BTreeSet::new(),
        }
    }

    /// Adds the calls of an input; `calls` is their number, if that is known.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the store of the cache fails.
    pub async fn add(
        &mut self,
        client: &Client,
        request: &Request,
        calls: Option<u64>,
    ) -> Result<(), Error> {
        self.quote.inputs = self.quote.inputs.saturating_add(1);
        #[cfg(feature = "cache")]
        if self.is_answered(client, request, calls).await? {
            return Ok(());
        }
        let quote = &mut self.quote;
        let cost = client.quote_calls(request, calls).at_most;
        quote.at_most = quote.at_most.zip(cost).map(|(sum, cost)| sum + cost);
        let count = quote.calls.zip(calls);
        quote.calls = count.map(|(count, calls)| count.saturating_add(calls));
        if let Some(sum) = quote.at_most
            && quote.left.is_none_or(|left| sum <= left)
        {
            quote.fit = quote.to_call();
        }
        Ok(())
    }

    /// Counts an input for which no call is made.
    #[cfg(feature = "cache")]
    async fn is_answered(
        &mut self,
        client: &Client,
        request: &Request,
        calls: Option<u64>,
    ) -> Result<bool, Error> {
        let is_only = Cache::is_only(client.cache.as_ref(), request);
        // Of several pages, the first one says nothing of the others.
        if calls != Some(1) && !is_only {
            return Ok(false);
        }
        // One that is refreshed is made, however often.
        let fetch = client.fetch(request);
        let fetch = fetch.filter(|_| !request.options.cache.is_refreshed);
        let stored = match &fetch {
            Some(fetch) => fetch.stored().await?,
            None => None,
        };
        let quote = &mut self.quote;
        if let Some(Stored { at, .. }) = stored.filter(|stored| stored.is_fresh) {
            quote.stored = quote.stored.saturating_add(1);
            quote.oldest = Some(quote.oldest.map_or(at, |oldest| oldest.min(at)));
        } else if is_only {
            quote.unanswered = quote.unanswered.saturating_add(1);
        } else if let Some(fetch) = fetch
            && !self.seen.insert(fetch.key)
        {
            quote.repeats = quote.repeats.saturating_add(1);
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
