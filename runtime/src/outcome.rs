//! What became of the caller's money.

use crate::credits::Credits;

/// What a call, or an attempt at it, did to the caller's credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Nothing reached the service.
    NotSent,
    /// The service turned it away; such answers are assumed not to be billed.
    Rejected,
    /// The service reported this charge.
    Charged(Credits),
    /// Nobody knows. This much was reserved and counts as at risk.
    Unknown(Credits),
}

impl Outcome {
    /// Whether sending the same call again could be a second charge.
    #[must_use]
    pub fn may_have_been_charged(self) -> bool {
        match self {
            Self::NotSent | Self::Rejected => false,
            Self::Charged(credits) => credits > Credits::ZERO,
            // Also of nothing: without a price and without a limit, nothing is reserved.
            Self::Unknown(_) => true,
        }
    }

    /// The outcome of this attempt and a later one together.
    pub(crate) fn then(self, later: Self) -> Self {
        match (self, later) {
            (Self::NotSent | Self::Rejected, later) => later,
            (earlier, Self::NotSent | Self::Rejected) => earlier,
            (Self::Charged(a), Self::Charged(b)) => Self::Charged(sum(a, b)),
            (Self::Charged(a) | Self::Unknown(a), Self::Charged(b) | Self::Unknown(b)) => {
                Self::Unknown(sum(a, b))
            }
        }
    }
}

fn sum(a: Credits, b: Credits) -> Credits {
    Credits::from_micros(a.micros().saturating_add(b.micros()))
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Charged, NotSent, Rejected, Unknown};
    use super::*;

    #[test]
    fn attempts_add_up_and_doubt_stays() {
        let credits = Credits::from_micros;
        for (earlier, later, both) in [
            (NotSent, Rejected, Rejected),
            (Unknown(credits(2)), NotSent, Unknown(credits(2))),
            (Unknown(credits(2)), Rejected, Unknown(credits(2))),
            (
                Unknown(credits(2)),
                Charged(credits(1)),
                Unknown(credits(3)),
            ),
            (
                Charged(credits(2)),
                Charged(credits(1)),
                Charged(credits(3)),
            ),
            (Rejected, Charged(credits(1)), Charged(credits(1))),
        ] {
            assert_eq!(earlier.then(later), both, "{earlier:?} then {later:?}");
        }
    }

    #[test]
    fn whatever_is_unknown_may_have_been_charged() {
        assert!(!Charged(Credits::ZERO).may_have_been_charged());
        assert!(Unknown(Credits::ZERO).may_have_been_charged());
        assert!(Unknown(Credits::from_micros(1)).may_have_been_charged());
        assert!(!Rejected.may_have_been_charged());
    }
}
