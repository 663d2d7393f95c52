//! Errors of a client: the contents of the variants of [`Error`], and all other error types.
//!
//! Advice for each kind:
//!
//! ```
//! use generated_client::Error;
//! use generated_client::error::{
//!     ArgumentError, BodyError, ConfigurationError, CredentialError, DeadlineExceeded, DecodeError, PagingCause, PagingError,
//!     RecordError, Refused, StatusError, TransportError, TransportErrorKind, WaitingCause,
//!     WaitingError,
//! };
//!
//! fn advice(error: &Error) -> String {
//!     match error {
//!         Error::Configuration(error) => configuration(error),
//!         Error::Argument(error) => argument(error),
//!         Error::Credential(error) => credential(error),
//!         Error::Refused(error) => refused(error),
//!         Error::DeadlineExceeded(error) => deadline(error),
//!         Error::Transport(error) => transport(error),
//!         Error::Status(error) => status(error),
//!         Error::Decode(error) => decode(error),
//!         Error::Paging(error) => paging(error),
//!         Error::Record(error) => record(error),
//!         Error::Waiting(error) => waiting(error),
//!         _ => error.to_string(),
//!     }
//! }
//!
//! fn configuration(error: &ConfigurationError) -> String {
//!     match error {
//!         ConfigurationError::MissingVariable { variable, .. } => format!("set {variable}"),
//!         other => other.to_string(),
//!     }
//! }
//!
//! fn argument(error: &ArgumentError) -> String {
//!     format!("correct `{}`", error.argument())
//! }
//!
//! fn credential(error: &CredentialError) -> String {
//!     format!("{} needs another credential, or a token", error.operation().id)
//! }
//!
//! fn refused(error: &Refused) -> String {
//!     format!("an interceptor refused it: {}", error.cause())
//! }
//!
//! fn deadline(error: &DeadlineExceeded) -> String {
//!     format!("allow more time for {}", error.operation().id)
//! }
//!
//! fn transport(error: &TransportError) -> String {
//!     match error.kind() {
//!         TransportErrorKind::Connect => "check the network; nothing was sent".to_owned(),
//!         _ => format!("{} bytes arrived", error.partial().map_or(0, |partial| partial.body().len())),
//!     }
//! }
//!
//! fn status(error: &StatusError) -> String {
//!     let reason: Result<String, BodyError> = error.body_as();
//!     reason.unwrap_or_else(|_| format!("{} says {}", error.operation.id, error.status))
//! }
//!
//! fn decode(error: &DecodeError) -> String {
//!     format!("keep {} bytes; `{}` does not fit", error.body.len(), error.path)
//! }
//!
//! fn paging(error: &PagingError) -> String {
//!     match &error.cause {
//!         PagingCause::Call(error) => advice(error),
//!         _ => format!("go on at offset {}", error.offset),
//!     }
//! }
//!
//! fn record(error: &RecordError) -> String {
//!     format!("keep {}", error.reject.raw)
//! }
//!
//! fn waiting(error: &WaitingError) -> String {
//!     match &error.cause {
//!         WaitingCause::Failed { reason, .. } => reason.clone(),
//!         WaitingCause::Call(error) => advice(error),
//!         _ => "ask again later".to_owned(),
//!     }
//! }
//!
//! let error = Error::from(TransportError::new(TransportErrorKind::Connect, "no route to host"));
//! assert_eq!(advice(&error), "check the network; nothing was sent");
//! ```
//!
//! Next: [retries](crate::RetryPolicy).

mod argument;
#[cfg(feature = "full")]
pub(crate) mod batch;
mod cause;
mod configuration;
mod credential;
mod documented;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
pub(crate) mod error;
mod missing;
#[cfg(feature = "paging")]
mod paging;
#[cfg(feature = "paging")]
pub(crate) mod position;
#[cfg(feature = "paging")]
mod record;
mod refused;
mod report;
mod response;
mod transport;
#[cfg(feature = "waiting")]
mod waiting;

#[cfg(feature = "enums")]
pub use crate::decode::enums::ParseEnumError;
#[cfg(feature = "metered")]
pub use crate::money::{budget::BudgetError, credits::ParseCreditsError};
pub use crate::response::failure::TransportErrorKind;

pub use argument::ArgumentError;
pub use configuration::ConfigurationError;
pub use credential::CredentialError;
#[cfg(feature = "tokens")]
pub(crate) use credential::ProviderFailure;
pub use documented::DocumentedError;
pub(crate) use error::Error;
#[cfg(feature = "paging")]
pub use error::{PagingCause, PagingError};
#[cfg(feature = "waiting")]
pub use error::{WaitingCause, WaitingError};
pub use missing::MissingValue;
#[cfg(feature = "paging")]
pub use record::RecordError;
pub(crate) use refused::Delay;
pub use refused::{DeadlineExceeded, Refused};
pub use response::{BodyError, DecodeError, StatusError};
pub use transport::TransportError;
