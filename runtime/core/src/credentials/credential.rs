//! What a caller gives a client to prove who is calling.

use std::fmt;
use std::sync::Arc;

use secrecy::SecretString;

use crate::credentials::token::TokenProvider;
use crate::values::SecretText;

/// A credential for one security scheme of an API. Generated crates have a function for each of their schemes, which cannot be misspelt.
#[derive(Clone)]
pub struct Credential {
    pub(crate) scheme: String,
    pub(crate) given: Given,
}

/// In which form it was given.
#[derive(Clone)]
pub(crate) enum Given {
    Text(SecretString),
    Basic {
        user: SecretString,
        password: SecretString,
    },
    Provider(Arc<dyn TokenProvider>),
}

impl Credential {
    /// A key, a bearer token, or the whole value of the header that a scheme names.
    pub fn text(scheme: impl Into<String>, secret: impl Into<SecretText>) -> Self {
        Self {
            scheme: scheme.into(),
            given: Given::Text(secret.into().into_erased()),
        }
    }

    /// A user name and a password, either of which may be empty. The user name holds no colon.
    pub fn basic(
        scheme: impl Into<String>,
        user: impl Into<SecretText>,
        password: impl Into<SecretText>,
    ) -> Self {
        let (user, password) = (user.into().into_erased(), password.into().into_erased());
        Self {
            scheme: scheme.into(),
            given: Given::Basic { user, password },
        }
    }

    /// Bearer tokens that are obtained when they are needed.
    pub fn provider(scheme: impl Into<String>, provider: impl TokenProvider) -> Self {
        Self {
            scheme: scheme.into(),
            given: Given::Provider(Arc::new(provider)),
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
