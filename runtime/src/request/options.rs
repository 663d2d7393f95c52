//! What a caller says about one call, apart from its arguments.

use crate::money::credits::Credits;

/// What a caller says about one call, apart from its arguments. For generated code.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallOptions {
    /// Credits to reserve instead of the known price.
    pub price: Option<Credits>,
    /// Credits to reserve while the price is unknown, instead of what the client assumes.
    pub assumed_price: Option<Credits>,
    /// How to retry, instead of as the client does.
    pub retry: Option<RetryPolicy>,
    /// Whether a call whose future is dropped goes on to its end, instead of as the client says.
    pub detached: Option<bool>,
}

/// When a call is attempted again after a failure.
///
/// What an attempt that ended so did to the money, and whether it is made again by default:
///
/// | ended with | money | paid call | free call |
/// |---|---|---|---|
/// | no connection, DNS or TLS failure | [not sent](crate::Outcome::NotSent) | again | again |
/// | timeout, reset, response broke off | [unknown](crate::Outcome::Unknown) | no | again |
/// | a body above the bound on its size | unknown | no | no |
/// | a body that reports credits, also in the part of it that arrived | [charged](crate::Outcome::Charged) | no | no |
/// | a body that reports something that is no amount, or is no JSON and has the report's name | unknown | no | no |
/// | 2xx without a report | unknown | – | – |
/// | a status that [`ClientBuilder::unbilled`](crate::ClientBuilder::unbilled) names, without a report | rejected | as a free call below | as below |
/// | 429, or 503 with `Retry-After` | [rejected](crate::Outcome::Rejected) | again | again |
/// | 401, 403 | rejected | no | no |
/// | 408, 500, 502, 503, 504 | unknown | no | again |
/// | any other status | unknown | no | no |
///
/// What a body reports goes before its status; a report of zero credits leaves the last two columns to the status. A free call is one that
/// reserves nothing, of an operation whose prices are all zero and that was never charged for. At most three attempts are made, half a
/// second apart, then twice that, with jitter, or as far apart as `Retry-After` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryPolicy {
    /// As the table says: never when it could be a second charge.
    #[default]
    Unbilled,
    /// One attempt, whatever happens.
    Never,
    /// What a free call would attempt again, a paid call does too. **It may be billed more than once**; each attempt reserves its own price.
    Always,
}
