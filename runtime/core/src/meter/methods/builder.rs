//! Settings of a client about money.

use crate::client::api_client::ApiClient;
use crate::client::builder::ClientBuilder;
use http::StatusCode;

#[cfg(feature = "redis")]
use crate::account::Account;
use crate::meter::meter::{Meter, Settings};
use crate::money::budget::Budget;
use crate::money::credits::Credits;
use crate::money::quote::SeenPrice;

/// Settings of a client about money.
///
/// | setting | method | default |
/// |---|---|---|
/// | budget | [`budget`](Self::budget) | unlimited |
/// | budget of some operations | [`budget_for`](Self::budget_for) | that of the client |
/// | budget of all processes together | `account`, with the feature `redis` | none |
/// | what calls of unknown price reserve | [`assume_price`](Self::assume_price) | [learned](crate::money::PriceSource::Learned) |
/// | prices that an earlier client has seen | [`seen_prices`](Self::seen_prices) | none |
/// | status codes that are never billed | [`unbilled`](Self::unbilled) | none |
///
/// A call can override its price.
impl<C: ApiClient> ClientBuilder<C> {
    /// Counts the calls of an API that charges for none, in a budget whose amounts stay zero. Changes nothing for other APIs.
    #[must_use]
    pub fn counted(self) -> Self {
        self.metering(|_| ())
    }

    /// Bounds what the calls of this client and its clones can cost together: a limit, or a [`Budget`] that other clients may draw on too.
    /// Without it they draw on an unlimited one.
    #[must_use]
    pub fn budget(self, budget: impl Into<Budget>) -> Self {
        self.metering(|meter| meter.budget = budget.into())
    }

    /// Bounds what the calls of these operations can cost together, of this client and of all that are scoped from it. They need room there and
    /// in the budget of the client. Each operation has one such bound: a later one replaces it.
    ///
    /// An operation is named by its id in the document ([`Operation::id`](crate::document::Operation::id)), and `raw` stands for all raw
    /// calls; [`build`](ClientBuilder::build) refuses an id that no operation has. `budget` is a limit, or a [`Budget`] that the program can look
    /// at. [`build`](ClientBuilder::build) refuses the budget of the client, and one with the same root: calls would count there twice.
    ///
    /// ```
    /// use generated_client::{ApiClient, ClientBuilder, Credits};
    ///
    /// fn bounded<C: ApiClient>(builder: ClientBuilder<C>) -> ClientBuilder<C> {
    ///     builder
    ///         .budget(Credits::new(100))
    ///         .budget_for(["lookUp"], Credits::new(30))
    ///         .budget_for(["first", "second"], Credits::new(50))
    /// }
    /// ```
    #[must_use]
    pub fn budget_for<O: Into<String>>(
        self,
        operations: impl IntoIterator<Item = O>,
        budget: impl Into<Budget>,
    ) -> Self {
        let budget = budget.into();
        self.metering(|meter| {
            for operation in operations {
                meter.budgets.insert(operation.into(), budget.clone());
            }
        })
    }

    /// Draws on this account too, which other processes may draw on: a call needs room in the budget and in the account. They also share
    /// prices that were seen.
    #[cfg(feature = "redis")]
    #[must_use]
    pub fn account(self, account: Account) -> Self {
        self.metering(|meter| meter.account = Some(account))
    }

    /// Starts with prices that an earlier client has seen: the result of its [`prices`](crate::Client::prices), saved as JSON for
    /// example. They count like prices from another process, until eight charges here have shown other prices.
    ///
    /// ```
    /// use generated_client::money::SeenPrice;
    /// use generated_client::{ApiClient, ClientBuilder};
    ///
    /// fn again<C: ApiClient>(builder: ClientBuilder<C>, saved: &str) -> serde_json::Result<ClientBuilder<C>> {
    ///     let prices: Vec<SeenPrice> = serde_json::from_str(saved)?;
    ///     Ok(builder.seen_prices(prices))
    /// }
    /// ```
    #[must_use]
    pub fn seen_prices(self, prices: impl IntoIterator<Item = SeenPrice>) -> Self {
        self.metering(|meter| {
            for seen in prices {
                let book = meter.prices();
                book.learn(seen.operation, &seen.arguments, seen.credits);
            }
        })
    }

    /// States the highest price of all calls whose price is not in the document. Each reserves this much of the budget, or the price that
    /// was seen if that is higher. A lost call has this much at risk, and once its price was seen, that price. What a call costs above its
    /// reservation, or above what it has at risk, can exceed the budget by the difference.
    ///
    /// A call whose price is in the document reserves that price, until a response has exceeded it. `assume_price` of a call raises a documented
    /// price too.
    #[must_use]
    pub fn assume_price(self, credits: Credits) -> Self {
        self.metering(|meter| meter.stated.all = Some(credits))
    }

    /// Names the statuses that are not billed by the provider's contract, such as `[StatusCode::NOT_FOUND]`. A response with one of them,
    /// and without a report of credits, gives back what was reserved for it; otherwise that stays at risk.
    #[must_use]
    pub fn unbilled(self, statuses: impl IntoIterator<Item = StatusCode>) -> Self {
        self.metering(|meter| meter.unbilled = statuses.into_iter().collect())
    }

    /// Changes the settings of the meter.
    fn metering(self, change: impl FnOnce(&mut Settings)) -> Self {
        self.change_interceptor(Meter::without, |meter| change(meter.settings()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_defaults_is_that_of_the_code() {
        let mut meter = Meter::new(None, None, true);
        let settings = meter.settings();
        let or = |is_some: bool, none: &'static str| if is_some { "another" } else { none };
        let learned = "[learned](crate::money::PriceSource::Learned)";
        let (limit, unbilled) = (settings.budget.usage().limit, &settings.unbilled);
        #[rustfmt::skip]
        let table = [
            ("budget", or(limit.is_some(), "unlimited")),
            ("budget_for", or(!settings.budgets.is_empty(), "that of the client")),
            ("assume_price", or(settings.stated.all.is_some(), learned)),
            ("seen_prices", or(!settings.prices().list().is_empty(), "none")),
            ("unbilled", or(!unbilled.is_empty(), "none")),
        ];
        for (method, default) in table {
            let row = format!("[`{method}`](Self::{method}) | {default} |\n");
            assert!(
                include_str!("builder.rs").contains(&row),
                "a row has to end: {row}"
            );
        }
    }
}
