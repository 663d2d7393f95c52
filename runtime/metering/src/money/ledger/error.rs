use std::fmt;

use super::account::Amount;
use crate::money::credits::Credits;

/// The budget is too small for a call, even if all calls in flight cost nothing. Nothing was reserved.
///
/// The fields describe the ledger whose limit refused the call; see `levels_up`. To free credits, raise the limit
/// ([`Ledger::raise`](crate::Ledger::raise)) or settle calls at risk ([`Ledger::settle`](crate::Ledger::settle)). The message contains only
/// the amounts, because it may be shown to an end user; a scope in [`account`](Self::account) may have the name of a customer.
///
/// ```
/// use metered_client::money::Amount;
/// use metered_client::{Credits, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let ledger = Ledger::with_budget(Credits::from_micros(2_000_000));
/// let price = Credits::from_micros(5_000_000);
/// let error = ledger.reserve(Amount::Exactly(price)).await.unwrap_err();
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
    /// The requested amount.
    pub asked: Amount,
    /// The most that may be spent.
    pub limit: Credits,
    /// The charged amount. It exceeds the limit if a call cost more than its reservation.
    pub spent: Credits,
    /// The amount reserved for calls in flight.
    pub reserved: Credits,
    /// The amount of calls whose charge is unknown.
    pub at_risk: Credits,
    /// The ledger that refused: 0 for this ledger, 1 for its parent, and so on.
    pub levels_up: usize,
    /// The account that refused, with the path of its scope; `None` when the ledger of this process did. The fields are then those of the
    /// account. The message does not have it.
    pub account: Option<String>,
}

impl BudgetError {
    /// Returns the remainder of the limit.
    pub fn left(&self) -> Credits {
        let taken = [self.spent, self.reserved, self.at_risk];
        let taken = taken.iter().map(|part| part.micros());
        let left = taken.fold(self.limit.micros(), u64::saturating_sub);
        Credits::from_micros(left)
    }
}

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.asked {
            Amount::Exactly(price) => write!(f, "the call needs {}", InCredits(price))?,
            Amount::UpTo(_) | Amount::AllThatIsLeft => {
                f.write_str("the price of the call is unknown")?;
            }
        }
        f.write_str(", but the budget")?;
        match (&self.account, self.levels_up) {
            (Some(_), 0) => f.write_str(" of the account")?,
            (Some(_), levels) => write!(f, " of the account {}", Above(levels))?,
            (None, 0) => {}
            (None, levels) => write!(f, " {}", Above(levels))?,
        }
        write!(
            f,
            " has {} of {} left ({} spent, {} reserved for calls in flight, {} at risk)",
            self.left(),
            InCredits(self.limit),
            self.spent,
            self.reserved,
            self.at_risk,
        )
    }
}

impl std::error::Error for BudgetError {}

struct Above(usize);

impl fmt::Display for Above {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("one level up"),
            levels => write!(f, "{levels} levels up"),
        }
    }
}

struct InCredits(Credits);

impl fmt::Display for InCredits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(credits) = self;
        let unit = match credits.micros() {
            1_000_000 => "credit",
            _ => "credits",
        };
        write!(f, "{credits} {unit}")
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
            account: None,
        };
        for (error, message) in [
            (
                error(Amount::Exactly(of(4)), 0, 0),
                "the call needs 4 credits, but the budget has 3 of 10 credits left (6 spent, 1 reserved for calls in flight, \
                 0 at risk)",
            ),
            (
                error(Amount::Exactly(of(1)), 3, 1),
                "the call needs 1 credit, but the budget one level up has 0 of 10 credits left (6 spent, 1 reserved for calls \
                 in flight, 3 at risk)",
            ),
            (
                error(Amount::AllThatIsLeft, 9, 2),
                "the price of the call is unknown, but the budget 2 levels up has 0 of 10 credits \
                 left (6 spent, 1 reserved for calls in flight, 9 at risk)",
            ),
            (
                BudgetError {
                    account: Some("research/acme".to_owned()),
                    ..error(Amount::Exactly(of(4)), 0, 0)
                },
                "the call needs 4 credits, but the budget of the account has 3 of 10 credits left (6 spent, 1 reserved for calls in \
                 flight, 0 at risk)",
            ),
            (
                BudgetError {
                    account: Some("research".to_owned()),
                    ..error(Amount::Exactly(of(4)), 0, 1)
                },
                "the call needs 4 credits, but the budget of the account one level up has 3 of 10 credits left (6 spent, 1 reserved for \
                 calls in flight, 0 at risk)",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
