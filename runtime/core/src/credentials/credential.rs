//! The credentials that a caller gives to a client.

use std::fmt;
#[cfg(feature = "tokens")]
use std::sync::Arc;

use secrecy::SecretString;

#[cfg(feature = "tokens")]
use crate::credentials::token::TokenProvider;
use crate::values::SecretText;

/// A credential for one security scheme of an API. Generated crates have a function per scheme, which prevents misspelt names.
#[derive(Clone)]
pub struct Credential {
    pub(crate) scheme: String,
    pub(crate) given: CredentialValue,
}

#[derive(Clone)]
pub(crate) enum CredentialValue {
    Text(SecretString),
    Basic {
        user: SecretString,
        password: SecretString,
    },
    #[cfg(feature = "tokens")]
    Provider(Arc<dyn TokenProvider>),
}

impl Credential {
    /// Makes a credential from a key, a bearer token, or the complete value of the header that a scheme names.
    pub fn text(scheme: impl Into<String>, secret: impl Into<SecretText>) -> Self {
        Self {
            scheme: scheme.into(),
            given: CredentialValue::Text(secret.into().into_erased()),
        }
    }

    /// Makes a credential from a user name and a password, either of which may be empty. The user name must not contain a colon.
    pub fn basic(
        scheme: impl Into<String>,
        user: impl Into<SecretText>,
        password: impl Into<SecretText>,
    ) -> Self {
        let (user, password) = (user.into().into_erased(), password.into().into_erased());
        Self {
            scheme: scheme.into(),
            given: CredentialValue::Basic { user, password },
        }
    }

    /// Makes a credential from a provider, which is asked for bearer tokens when they are needed.
    #[cfg(feature = "tokens")]
    pub fn provider(scheme: impl Into<String>, provider: impl TokenProvider) -> Self {
        Self {
            scheme: scheme.into(),
            given: CredentialValue::Provider(Arc::new(provider)),
        }
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credential")
            .field("scheme", &self.scheme)
            .finish_non_exhaustive()
    }
}
