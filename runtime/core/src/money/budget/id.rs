//! Ids of calls at risk: no two in all processes are the same.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a call at risk, or a reservation that may become one: in a budget, and in an account across all processes.
///
/// It is formatted with `Display` and parsed with `FromStr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtRiskId {
    process: u128,
    number: u64,
}

impl AtRiskId {
    /// Returns an id that no process has used, greater than the earlier ones of this process.
    pub fn unused() -> Self {
        static PROCESS: OnceLock<u128> = OnceLock::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // The keys of a `RandomState` come from the operating system.
        let process = PROCESS.get_or_init(|| {
            let [high, low] = [(); 2].map(|()| RandomState::new().hash_one(std::process::id()));
            u128::from(high) << 64 | u128::from(low)
        });
        Self {
            process: *process,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// 32 hexadecimal digits of the process, `-`, and a number.
impl fmt::Display for AtRiskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}-{}", self.process, self.number)
    }
}

/// The error for a string that is not a valid [`AtRiskId`].
///
/// ```
/// use generated_client::money::{AtRiskId, ParseAtRiskIdError};
///
/// let read: Result<AtRiskId, ParseAtRiskIdError> = "7".parse();
/// assert!(read.is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a call at risk: 32 hexadecimal digits, `-`, and a number")]
pub struct ParseAtRiskIdError(String);

impl FromStr for AtRiskId {
    type Err = ParseAtRiskIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (process, number) = text.split_once('-').unwrap_or_default();
        let is_process = process.len() == 32 && !process.starts_with('+');
        match (u128::from_str_radix(process, 16), number.parse()) {
            (Ok(process), Ok(number)) if is_process => Ok(Self { process, number }),
            _ => Err(ParseAtRiskIdError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_are_read_from_their_text() {
        let [one, two] = [(); 2].map(|()| AtRiskId::unused());
        assert!(one < two);
        assert_eq!(one.to_string().parse(), Ok(one));
        for wrong in [
            "",
            "-",
            "7",
            "0123-4",
            "zz",
            &format!("{}-x", "a".repeat(32)),
            &format!("+{}-1", "a".repeat(31)),
        ] {
            assert!(wrong.parse::<AtRiskId>().is_err(), "{wrong}");
        }
    }
}
