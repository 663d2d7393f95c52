use std::fmt;

use super::sums::Usage;
use crate::money::credits::Credits;

/// The budget is too small for a call, even if all calls in flight cost nothing, or it is [frozen](Self::frozen). Nothing was reserved.
///
/// The fields describe the budget whose limit refused the call; see `levels_up`. To free credits, raise the limit
/// ([`Budget::raise`](crate::Budget::raise)) or settle calls at risk ([`Budget::settle`](crate::Budget::settle)). The message contains only
/// the amounts and these ways out, because it may be shown to an end user; a scope in [`refused_by`](Self::refused_by) may have the name
/// of a customer.
///
/// ```
/// use generated_client::{Budget, Credits};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let budget = Budget::of(Credits::from_micros(2_000_000));
/// let price = Credits::from_micros(5_000_000);
/// let error = budget.reserve(price).await.unwrap_err();
/// assert_eq!(error.limit, Credits::from_micros(2_000_000));
/// assert_eq!(
///     error.to_string(),
///     "the call needs 5 credits, but the budget has 2 of 2 credits left (0 spent, 0 reserved for calls in flight, 0 at risk)"
/// );
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetError {
    /// What the call needs.
    pub asked: Asked,
    /// The most that may be spent.
    pub limit: Credits,
    /// The charged amount. It exceeds the limit if a call cost more than its reservation.
    pub spent: Credits,
    /// The amount reserved for calls in flight.
    pub reserved: Credits,
    /// The amount of calls whose charge is unknown.
    pub at_risk: Credits,
    /// The budget that refused: 0 for this budget, 1 for its parent, and so on.
    pub levels_up: usize,
    /// Whose limit refused.
    pub refused_by: RefusedBy,
    /// Why the budget is [frozen](crate::Budget::freeze); `None` if it is too small.
    pub frozen: Option<String>,
}

/// Whose limit refused a call.
///
/// ```
/// use generated_client::error::BudgetError;
/// use generated_client::money::RefusedBy;
///
/// fn is_of_the_operation(refused: &BudgetError) -> bool {
///     refused.refused_by == RefusedBy::OperationBudget
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusedBy {
    /// The budget of the client, or the one that was asked.
    Budget,
    /// The budget of the operation: [`budget_for`](crate::ClientBuilder::budget_for).
    OperationBudget,
    /// The account of the client, by its name and the path of the scope. The message does not have it.
    Account(String),
}

/// What a refused call needs of a budget.
///
/// ```
/// use generated_client::error::BudgetError;
/// use generated_client::money::Asked;
///
/// fn advice(refused: &BudgetError) -> &'static str {
///     match refused.asked {
///         Asked::Price(_) => "raise the limit",
///         _ => "raise the limit, or state the price with `assume_price`",
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Asked {
    /// Its price.
    Price(Credits),
    /// At least this much: its price is unknown, and this is the lowest estimate. `assume_price` states another.
    Estimate(Credits),
    /// A price. None is known, in the document or from earlier calls: `assume_price` states the highest.
    Unknown,
}

impl BudgetError {
    /// Makes the error of a budget with this usage.
    pub(crate) fn new(asked: Asked, usage: Usage) -> Self {
        Self {
            asked,
            limit: usage.limit.unwrap_or_default(),
            spent: usage.spent,
            reserved: usage.reserved,
            at_risk: usage.at_risk,
            levels_up: 0,
            refused_by: RefusedBy::Budget,
            frozen: None,
        }
    }

    /// Says what the budget lacks, where a person has set one budget: without its place among others, and without items of Rust.
    #[doc(hidden)]
    pub fn facts(&self) -> String {
        self.facts_of(match self.refused_by {
            RefusedBy::Account(_) => "the budget of the account",
            RefusedBy::Budget | RefusedBy::OperationBudget => "the budget",
        })
    }

    fn facts_of(&self, place: &str) -> String {
        if let Some(reason) = &self.frozen {
            return format!("{place} is frozen: {reason}");
        }
        let needs = match self.asked {
            Asked::Price(price) => format!("the call needs {}", in_credits(price)),
            Asked::Estimate(least) => {
                let least = in_credits(least);
                format!("the price of the call is unknown and estimated at {least}")
            }
            Asked::Unknown => {
                return "no price of the call is known, in the document or from earlier calls, and a budget needs one".to_owned();
            }
        };
        format!(
            "{needs}, but {place} has {} of {} left ({} spent, {} reserved for calls in flight, {} at risk)",
            self.left(),
            in_credits(self.limit),
            self.spent,
            self.reserved,
            self.at_risk,
        )
    }

    /// Names the budget that refused.
    fn place(&self) -> String {
        let whose = match self.refused_by {
            RefusedBy::Budget => "",
            RefusedBy::OperationBudget => " of the operation",
            RefusedBy::Account(_) => " of the account",
        };
        match self.levels_up {
            0 => format!("the budget{whose}"),
            1 => format!("the budget{whose} one level up"),
            levels => format!("the budget{whose} {levels} levels up"),
        }
    }

    /// Returns the amount that would fit if all calls in flight cost nothing.
    pub(crate) fn left_at_best(&self) -> Credits {
        let taken = self.spent + self.at_risk;
        self.limit.checked_sub(taken).unwrap_or_default()
    }

    /// Returns the remainder of the limit.
    pub fn left(&self) -> Credits {
        let taken = self.spent + self.reserved + self.at_risk;
        self.limit.checked_sub(taken).unwrap_or_default()
    }
}

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts_of(&self.place()))?;
        if self.frozen.is_some() {
            return Ok(());
        }
        match self.asked {
            Asked::Price(_) => {}
            Asked::Estimate(_) => f.write_str("; `assume_price` states another price")?,
            Asked::Unknown => return f.write_str(": `assume_price` states the highest"),
        }
        if self.at_risk > Credits::ZERO {
            f.write_str(
                "; `settle` frees what was not charged, and `unbilled` names status codes that never are",
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for BudgetError {}

/// Returns an amount with its unit, for the command line of a generated crate.
pub fn in_credits(amount: Credits) -> String {
    if amount == Credits::new(1) {
        "1 credit".to_owned()
    } else {
        format!("{amount} credits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_was_asked_and_whose_limit_refused_it() {
        let of = |credits: u64| Credits::from_micros(credits * 1_000_000);
        let error = |asked, at_risk, levels_up| BudgetError {
            asked,
            limit: of(10),
            spent: of(6),
            reserved: of(1),
            at_risk: of(at_risk),
            levels_up,
            refused_by: RefusedBy::Budget,
            frozen: None,
        };
        for (error, message) in [
            (
                error(Asked::Price(of(4)), 0, 0),
                "the call needs 4 credits, but the budget has 3 of 10 credits left (6 spent, 1 reserved for calls in flight, \
                 0 at risk)",
            ),
            (
                error(Asked::Price(of(1)), 3, 1),
                "the call needs 1 credit, but the budget one level up has 0 of 10 credits left (6 spent, 1 reserved for calls \
                 in flight, 3 at risk); `settle` frees what was not charged, and `unbilled` names status codes that never are",
            ),
            (
                error(Asked::Estimate(of(4)), 0, 2),
                "the price of the call is unknown and estimated at 4 credits, but the budget 2 levels up has 3 of 10 credits \
                 left (6 spent, 1 reserved for calls in flight, 0 at risk); `assume_price` states another price",
            ),
            (
                error(Asked::Unknown, 0, 0),
                "no price of the call is known, in the document or from earlier calls, and a budget needs one: `assume_price` states \
                 the highest",
            ),
            (
                BudgetError {
                    refused_by: RefusedBy::Account("research/acme".to_owned()),
                    ..error(Asked::Price(of(4)), 0, 0)
                },
                "the call needs 4 credits, but the budget of the account has 3 of 10 credits left (6 spent, 1 reserved for calls in \
                 flight, 0 at risk)",
            ),
            (
                BudgetError {
                    refused_by: RefusedBy::Account("research".to_owned()),
                    ..error(Asked::Price(of(4)), 0, 1)
                },
                "the call needs 4 credits, but the budget of the account one level up has 3 of 10 credits left (6 spent, 1 reserved for \
                 calls in flight, 0 at risk)",
            ),
            (
                BudgetError {
                    refused_by: RefusedBy::Account("research".to_owned()),
                    frozen: Some("an invoice is disputed".to_owned()),
                    ..error(Asked::Price(of(4)), 0, 1)
                },
                "the budget of the account one level up is frozen: an invoice is disputed",
            ),
            (
                BudgetError {
                    refused_by: RefusedBy::OperationBudget,
                    ..error(Asked::Price(of(4)), 0, 0)
                },
                "the call needs 4 credits, but the budget of the operation has 3 of 10 credits left (6 spent, 1 reserved for calls in \
                 flight, 0 at risk)",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
