//! Why a client could not be built, or a call gave no body.

mod argument;
mod cause;
mod configuration;
mod credential;
#[expect(clippy::module_inception, reason = "the room has the name of its type")]
mod error;
mod held;
mod missing;
mod paging;
mod record;
mod response;
mod transport;
mod waiting;

pub use argument::ArgumentError;
pub use configuration::ConfigurationError;
pub use credential::CredentialError;
pub(crate) use credential::ProviderFailure;
pub use error::{Error, PagingCause, PagingError, WaitingCause, WaitingError};
pub(crate) use held::Delay;
pub use held::{BudgetExceeded, DeadlineExceeded};
pub use missing::MissingValue;
pub use record::RecordError;
pub use response::{BodyError, DecodeError, StatusError};
pub use transport::TransportError;
