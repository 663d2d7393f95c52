//! Why a client could not be built, or a call gave no body: what the variants of [`Error`](crate::Error) hold, and all other error types.

mod argument;
mod cause;
mod configuration;
mod credential;
#[expect(clippy::module_inception, reason = "the room has the name of its type")]
pub(crate) mod error;
mod held;
mod missing;
mod paging;
mod record;
mod report;
mod response;
mod transport;
mod waiting;

pub use crate::decode::enums::ParseEnumError;
pub use crate::money::credits::ParseCreditsError;
pub use crate::money::ledger::BudgetError;
pub use crate::response::failure::TransportErrorKind;

pub use argument::ArgumentError;
pub use configuration::ConfigurationError;
pub use credential::CredentialError;
pub(crate) use credential::ProviderFailure;
pub(crate) use error::Error;
pub use error::{PagingCause, PagingError, WaitingCause, WaitingError};
pub(crate) use held::Delay;
pub use held::{BudgetExceeded, DeadlineExceeded};
pub use missing::MissingValue;
pub use record::RecordError;
pub use response::{BodyError, DecodeError, StatusError};
pub use transport::TransportError;
