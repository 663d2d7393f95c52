use std::fmt;

use super::account::Ask;
use crate::credits::Credits;

/// A [`Ledger`](crate::Ledger) has no room for a call, and would have none if all calls in flight cost nothing. Nothing was reserved.
///
/// The numbers are those of the bound that refused.
///
/// ```
/// use metered_client::{Ask, Credits, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let ledger = Ledger::with_budget(Credits::from_micros(2_000_000));
/// let price = Credits::from_micros(5_000_000);
/// let error = ledger.reserve(Ask::Exactly(price)).await.unwrap_err();
/// assert_eq!(error.limit, Credits::from_micros(2_000_000));
/// assert_eq!(
///     error.to_string(),
///     "a call asks for 5 credits, which the budget cannot give: of its 2 credits, 0 are spent, 0 are reserved for calls in flight, \
///      and 0 are at risk; start a ledger with a higher limit"
/// );
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetError {
    /// What was to be reserved.
    pub asked: Ask,
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

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.asked {
            Ask::Exactly(price) => write!(f, "a call asks for {}", Amount(price))?,
            Ask::AllThatIsLeft => {
                f.write_str("a call without a known price asks for what is left")?
            }
        }
        f.write_str(", which the budget ")?;
        match self.levels_up {
            0 => {}
            1 => f.write_str("one level up ")?,
            levels => write!(f, "{levels} levels up ")?,
        }
        write!(
            f,
            "cannot give: of its {}, {} are spent, {} are reserved for calls in flight, and {} are at risk; ",
            Amount(self.limit),
            self.spent,
            self.reserved,
            self.at_risk,
        )?;
        if self.at_risk > Credits::ZERO {
            f.write_str("look up what the provider charged and reconcile what is at risk, or ")?;
        }
        f.write_str("start a ledger with a higher limit")
    }
}

impl std::error::Error for BudgetError {}

struct Amount(Credits);

impl fmt::Display for Amount {
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
                error(Ask::Exactly(of(1)), 0, 0),
                "a call asks for 1 credit, which the budget cannot give: of its 10 credits, 6 are spent, 1 are reserved for calls in \
                 flight, and 0 are at risk; start a ledger with a higher limit",
            ),
            (
                error(Ask::Exactly(of(5)), 3, 1),
                "a call asks for 5 credits, which the budget one level up cannot give: of its 10 credits, 6 are spent, 1 are \
                 reserved for calls in flight, and 3 are at risk; look up what the provider charged and reconcile what is at \
                 risk, or start a ledger with a higher limit",
            ),
            (
                error(Ask::AllThatIsLeft, 3, 2),
                "a call without a known price asks for what is left, which the budget 2 levels up cannot give: of its 10 \
                 credits, 6 are spent, 1 are reserved for calls in flight, and 3 are at risk; look up what the provider charged and \
                 reconcile what is at risk, or start a ledger with a higher limit",
            ),
        ] {
            assert_eq!(error.to_string(), message);
        }
    }
}
