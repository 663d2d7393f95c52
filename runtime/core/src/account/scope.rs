//! Scopes of an account, and the periods after which their sums restart.

use std::fmt;

use super::error::OpenError;
use crate::money::period::Window;

/// The sums that a reservation counts in: an account or a part of it, in a period if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The names from the account down to the scope, joined by `/`. The account itself has an empty path.
    pub path: String,
    /// Its period.
    pub window: Option<Window>,
}

/// The path, and `@` and the name of the period.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        match &self.window {
            Some(window) => write!(f, "@{}", window.name),
            None => Ok(()),
        }
    }
}

/// Checks that a name can be part of a key.
pub(super) fn checked(name: &str) -> Result<&str, OpenError> {
    let mut bytes = name.bytes();
    let is_fit = bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte));
    if (1..=100).contains(&name.len()) && is_fit {
        Ok(name)
    } else {
        Err(OpenError::Name(name.to_owned()))
    }
}
