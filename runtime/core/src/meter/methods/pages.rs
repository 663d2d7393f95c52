//! Bounds and quotes of runs through pages.

use crate::money::credits::Credits;
use crate::money::quote::Quote;
use crate::paging::{Items, Paged, Pages, Run};

/// Defines the methods about money of a run.
macro_rules! priced {
    ($run:ty) => {
        impl<P: Paged> $run {
            /// Bounds the total cost of the pages. A page that would exceed the bound is not requested. The stream ends with an error that has
            /// the offset to resume from.
            ///
            /// Dropping a stream cancels its call in flight; the price of this call becomes at risk. A run that resumes is billed again.
            pub fn at_most(self, credits: Credits) -> Self {
                let scoped = self.client().scoped(credits);
                self.with_client(scoped)
            }

            /// Returns the possible cost of the remaining pages. Their number is known after the first page, or from `take`.
            ///
            /// A page of unknown price reserves an estimate. Say what to reserve with
            /// [`ClientBuilder::assume_price`](crate::ClientBuilder::assume_price), or with `assume_price` or `price` of the call.
            ///
            /// # The cheapest page
            ///
            /// Each page is a call, and is billed as one. Where the price does not depend on the size of a page, the largest page is the
            /// cheapest: 250 records in pages of 10, a usual default, are 25 calls, and in pages of 100 they are 3. The client sends the size
            /// that the call says and never chooses one, because a price may depend on it.
            #[must_use]
            pub fn quote(&self) -> Quote {
                quote(self)
            }
        }
    };
}

priced!(Pages<P>);
priced!(Items<P>);

fn quote(run: &impl Run) -> Quote {
    let remaining = run.remaining_calls();
    let client = run.client();
    client.quote_calls(&remaining.request, remaining.calls)
}
