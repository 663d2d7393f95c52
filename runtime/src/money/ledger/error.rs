use std::fmt;

use super::account::Amount;
use crate::money::credits::Credits;

/// A [`Ledger`](crate::Ledger) has no room for a call, and would have none if all calls in flight cost nothing. Nothing was reserved.
///
/// The numbers are those of the bound that refused.
///
/// ```
/// use metered_client::{Amount, Credits, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let ledger = Ledger::with_budget(Credits::from_micros(2_000_000));
/// let price = Credits::from_micros(5_000_000);
/// let error = ledger.reserve(Amount::Exactly(price)).await.unwrap_err();
/// assert_eq!(error.limit, Credits::from_micros(2_000_000));
/// assert_eq!(
///     error.to_string(),
///     "the call needs 5 credits, and the budget has 2 left of 2 credits (0 spent, 0 reserved for calls in flight, 0 at risk); \
///      raise the limit"
/// );
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetError {
    /// What was to be reserved.
    pub asked: Amount,
    /// What may be spent.
    pub limit: Credits,
    /// What was charged; more than the limit after a charge above what was reserved for it.
    pub spent: Credits,
    /// What is set aside for calls in flight.
    pub reserved: Credits,
    /// What calls may have been charged whose outcome is unknown.
    pub at_risk: Credits,
    /// Whose bound it is: 0 for the ledger that was asked, 1 for the one that it was scoped from, and so on.
    pub levels_up: usize,
}

impl BudgetError {
    /// What was left of the limit.
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
            Amount::AllThatIsLeft => {
                f.write_str("the call has no known price and needs what is left")?;
            }
        }
        f.write_str(", and the budget")?;
        match self.levels_up {
            0 => {}
            1 => f.write_str(" one level up")?,
            levels => write!(f, " {levels} levels up")?,
        }
        write!(
            f,
            " has {} left of {} ({} spent, {} reserved for calls in flight, {} at risk); ",
            self.left(),
            InCredits(self.limit),
            self.spent,
            self.reserved,
            self.at_risk,
        )?;
        match self.at_risk > Credits::ZERO {
            true => f.write_str("settle what is at risk, or raise the limit"),
            false => f.write_str("raise the limit"),
        }
    }
}

impl std::error::Error for BudgetError {}

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
    fn messages_say_what_was_asked_whose_bound_it_is_and_what_to_do() {
        let of = |credits: u64| Credits::from_micros(credits * 1_000_000);
        let error = |asked, at_risk, levels_up| BudgetError {
            asked,
            limit: of(10),
            spent: of(6),
            reserved: of(1),
            at_risk: of(at_risk),
            levels_up,
        };
        for (error, message) in [
            (
                error(Amount::Exactly(of(4)), 0, 0),
                "the call needs 4 credits, and the budget has 3 left of 10 credits (6 spent, 1 reserved for calls in flight, \
                 0 at risk); raise the limit",
            ),
            (
                error(Amount::Exactly(of(1)), 3, 1),
                "the call needs 1 credit, and the budget one level up has 0 left of 10 credits (6 spent, 1 reserved for calls \
                 in flight, 3 at risk); settle what is at risk, or raise the limit",
            ),
            (
                error(Amount::AllThatIsLeft, 9, 2),
                "the call has no known price and needs what is left, and the budget 2 levels up has 0 left of 10 credits \
                 (6 spent, 1 reserved for calls in flight, 9 at risk); settle what is at risk, or raise the limit",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
