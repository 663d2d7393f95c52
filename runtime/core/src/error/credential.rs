//! The error of a call that lacks credentials.

use std::error::Error;
use std::fmt;
#[cfg(feature = "tokens")]
use std::sync::Arc;

#[cfg(feature = "tokens")]
use super::cause;
use super::refused::again;
use crate::document::api::Operation;
use crate::document::security::Security;
use crate::response::history::CallHistory;
#[cfg(feature = "tokens")]
use crate::secret::key::ApiKey;

/// The client has no credential for the operation, or its token provider failed. This attempt was not made; earlier attempts of the call
/// may have been refused with 401.
#[derive(Clone)]
pub struct CredentialError {
    operation: &'static Operation,
    pub(crate) history: CallHistory,
    cause: Cause,
}

#[derive(Clone)]
enum Cause {
    Missing(Security),
    #[cfg(feature = "tokens")]
    Provider(&'static str, Arc<ProviderFailure>),
}

/// The reason why a provider returned no token, shared by all calls that waited for it.
#[cfg(feature = "tokens")]
pub(crate) struct ProviderFailure(String);

#[cfg(feature = "tokens")]
impl ProviderFailure {
    /// Makes a failure with a message of the client.
    pub(crate) fn new(line: impl Into<String>) -> Self {
        Self(line.into())
    }

    /// Makes a failure with the provider's own message, without the secrets that the client knows.
    pub(crate) fn of(error: &(dyn Error + 'static), secrets: Option<&ApiKey>) -> Self {
        let line = cause::line(error, secrets);
        Self::new(line.unwrap_or_else(|| "it does not say why".to_owned()))
    }
}

impl CredentialError {
    pub(crate) fn missing(
        operation: &'static Operation,
        history: CallHistory,
        needed: Security,
    ) -> Box<Self> {
        Box::new(Self {
            operation,
            history: history.with_retry(None, false),
            cause: Cause::Missing(needed),
        })
    }

    #[cfg(feature = "tokens")]
    pub(crate) fn provider(
        operation: &'static Operation,
        history: CallHistory,
        scheme: &'static str,
        failure: Arc<ProviderFailure>,
    ) -> Box<Self> {
        Box::new(Self {
            operation,
            history: history.with_retry(None, true),
            cause: Cause::Provider(scheme, failure),
        })
    }

    /// Returns the operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }
}

/// ``getPet was not sent: it needs a credential for `app` and `user`, or for `token` ``
impl fmt::Display for CredentialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let again = again(&self.history);
        write!(f, "{} was not sent{again}: ", self.operation)?;
        match &self.cause {
            Cause::Missing(needed) => {
                let alternatives = needed.iter().filter(|schemes| !schemes.is_empty());
                let named = alternatives.map(|schemes| format!("`{}`", schemes.join("` and `")));
                let named = named.collect::<Vec<_>>().join(", or for ");
                write!(f, "it needs a credential for {named}")
            }
            #[cfg(feature = "tokens")]
            Cause::Provider(scheme, failure) => {
                let line = &failure.0;
                write!(f, "the token provider of `{scheme}` failed: {line}")
            }
        }
    }
}

impl Error for CredentialError {}
