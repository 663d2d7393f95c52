//! Bounds and quotes of runs through pages.

use generated_client::paging::Run;

use super::client::MeteredClient;
use crate::money::credits::Credits;
use crate::money::quote::{LargestPage, Quote};

/// Bounds and quotes of runs through pages.
///
/// # The cheapest page
///
/// Each page is a call, and is billed as one. Where the price does not depend on the size of a page, the largest page is the cheapest: 250
/// records in pages of 10, a usual default, are 25 calls, and in pages of 100 they are 3. The client sends the size that the call says and
/// never chooses one, because a price may depend on it. [`quote`](Self::quote) shows the calls of the largest documented page in
/// [`Quote::largest_page`], with what they cost if the price of such a page is known.
///
/// A page of unknown price reserves an estimate. Say what to reserve with
/// [`MeteredBuilder::assume_price`](crate::MeteredBuilder::assume_price),
/// [`MeteredBuilder::assume_price_of`](crate::MeteredBuilder::assume_price_of), or with `assume_price` or `price` of the call.
///
/// Dropping a stream cancels its call in flight; the price of this call becomes at risk. A run that resumes is billed again.
pub trait MeteredPages: Sized {
    /// Bounds the total cost of the pages. A page that would exceed the bound is not requested. The stream ends with an error that has
    /// the offset to resume from.
    #[must_use]
    fn at_most(self, credits: Credits) -> Self;

    /// Returns the possible cost of the remaining pages. Their number is known after the first page, or from `take`.
    #[must_use]
    fn quote(&self) -> Quote;
}

impl<R: Run> MeteredPages for R {
    fn at_most(self, credits: Credits) -> Self {
        let scoped = self.client().scoped(credits);
        self.with_client(scoped)
    }

    fn quote(&self) -> Quote {
        let remaining = self.remaining_calls();
        let client = self.client();
        let largest_page = remaining.largest_page.map(|largest| LargestPage {
            size: largest.size,
            calls: largest.calls,
            at_most: client.quote_calls(&largest.request, largest.calls).at_most,
        });
        Quote {
            largest_page,
            ..client.quote_calls(&remaining.request, remaining.calls)
        }
    }
}
