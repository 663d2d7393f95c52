//! Ids of reservations: no two in all processes are the same.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a reservation in an account, across all processes.
///
/// It is formatted with `Display` and parsed with `FromStr`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReservationId(String);

impl ReservationId {
    /// Returns an id that no process has used.
    pub fn unused() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}-{number}", Self::process()))
    }

    /// Returns what all ids of this process begin with, before the `-`.
    pub(super) fn process() -> &'static str {
        static PROCESS: OnceLock<String> = OnceLock::new();
        // The keys of a `RandomState` come from the operating system.
        PROCESS.get_or_init(|| {
            let [one, two] = [(); 2].map(|()| RandomState::new().hash_one(std::process::id()));
            format!("{one:016x}{two:016x}")
        })
    }

    /// Returns the id as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReservationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error for a string that is not a valid [`ReservationId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the id of a reservation: 32 hexadecimal digits, `-`, and a number")]
pub struct ParseReservationIdError(String);

impl std::str::FromStr for ReservationId {
    type Err = ParseReservationIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('-');
        let is_id = parts.is_some_and(|(process, number)| {
            process.len() == 32
                && process.bytes().all(|byte| byte.is_ascii_hexdigit())
                && number.parse::<u64>().is_ok()
        });
        if is_id {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseReservationIdError(text.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_are_read_from_their_text() {
        let [one, two] = [(); 2].map(|()| ReservationId::unused());
        assert_ne!(one, two);
        assert_eq!(one.to_string().parse(), Ok(one));
        for wrong in [
            "",
            "-",
            "7",
            "0123-4",
            "zz",
            &format!("{}-x", "a".repeat(32)),
        ] {
            assert!(wrong.parse::<ReservationId>().is_err(), "{wrong}");
        }
    }
}
