//! The credentials of one attempt.

#[cfg(feature = "tokens")]
use std::sync::Arc;

use bytes::Bytes;
#[cfg(feature = "tokens")]
use http::header::AUTHORIZATION;

#[cfg(feature = "tokens")]
use crate::credentials::refresh::{CachedToken, TokenCell};
use crate::credentials::store::{CredentialStore, NoCredentials, Source};
use crate::document::security::Security;
use crate::transport::base_url::TooLong;

/// The credentials of the schemes that an operation needs.
pub(crate) struct AttemptCredentials<'e> {
    store: &'e CredentialStore,
    schemes: &'static [&'static str],
    #[cfg(feature = "tokens")]
    tokens: Vec<(Arc<TokenCell>, Arc<CachedToken>)>,
}

impl<'e> AttemptCredentials<'e> {
    /// Returns no credentials.
    pub(crate) fn none(store: &'e CredentialStore) -> Self {
        Self {
            store,
            schemes: &[],
            #[cfg(feature = "tokens")]
            tokens: Vec::new(),
        }
    }

    /// Returns the credentials that an operation needs, refreshed if due. `security`: overrides the default.
    pub(crate) async fn obtain(
        store: &'e CredentialStore,
        security: Option<Security>,
    ) -> Result<Self, NoCredentials> {
        let schemes = store.choose(security)?;
        #[cfg_attr(
            not(feature = "tokens"),
            expect(unused_mut, reason = "no token is added")
        )]
        let mut credentials = Self {
            schemes,
            ..Self::none(store)
        };
        #[cfg(feature = "tokens")]
        for (scheme, source) in store.sources(schemes) {
            if let Source::Token(cell) = source {
                let cached = cell.obtain().await;
                let cached = cached.map_err(|failure| NoCredentials::Provider(scheme, failure))?;
                credentials.tokens.push((Arc::clone(cell), cached));
            }
        }
        Ok(credentials)
    }

    /// Adds the credentials to a request, replacing existing values.
    pub(crate) fn apply_to(&self, message: &mut http::Request<Bytes>) -> Result<(), TooLong> {
        #[cfg(feature = "tokens")]
        for (_, cached) in &self.tokens {
            let value = cached.header.clone();
            message.headers_mut().insert(AUTHORIZATION, value);
        }
        for (_, source) in self.store.sources(self.schemes) {
            match source {
                Source::Fixed(part) => part.apply_to(message)?,
                #[cfg(feature = "tokens")]
                Source::Token(_) => {}
            }
        }
        Ok(())
    }
}

#[cfg(feature = "tokens")]
impl AttemptCredentials<'_> {
    /// Returns whether one of the tokens comes from a provider, which may supply another one.
    pub(crate) fn is_renewable(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// Returns whether a token expires soon, has expired, or was refused or replaced.
    pub(crate) fn is_stale(&self) -> bool {
        let mut tokens = self.tokens.iter();
        tokens.any(|(cell, cached)| !cell.is_current(cached))
    }

    /// Notes that the service accepted the tokens.
    pub(crate) fn accept(&self) {
        for (cell, cached) in &self.tokens {
            cell.accept(cached);
        }
    }

    /// Notes that the service refused the tokens, without knowing which of them.
    pub(crate) fn refuse(&self) {
        for (cell, cached) in &self.tokens {
            cell.refuse(cached);
        }
    }

    /// Returns whether the token strings are equal, so that they would be refused again.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.tokens.len() == other.tokens.len()
            && self
                .tokens
                .iter()
                .zip(&other.tokens)
                .all(|((_, one), (_, other))| one.is_same(other))
    }
}
