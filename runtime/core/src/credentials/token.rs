//! Tokens that the caller's program obtains while the client runs.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use secrecy::SecretString;
use tokio::time::Instant;

use crate::future::BoxFuture;
use crate::transport::clock::instant_after;
use crate::values::SecretText;

/// A token is replaced this long before it expires.
const LEEWAY: Duration = Duration::from_secs(30);

/// An access token, as a [`TokenProvider`] returns it.
#[derive(Clone)]
pub struct Token {
    pub(crate) secret: SecretString,
    /// The time from which a new token is requested.
    renewal: Option<Instant>,
}

impl Token {
    /// Makes a token that is used until the service refuses it with the status code 401.
    pub fn new(secret: impl Into<SecretText>) -> Self {
        Self {
            secret: secret.into().into_erased(),
            renewal: None,
        }
    }

    /// Sets the lifetime from now on, as `expires_in` of OAuth 2.0. The token is replaced 30 seconds before its end, or after nine tenths
    /// of the lifetime if that is later.
    #[must_use]
    pub fn expires_in(self, life: Duration) -> Self {
        let early = LEEWAY.min(life / 10);
        Self {
            renewal: Some(instant_after(life.saturating_sub(early))),
            ..self
        }
    }

    pub(crate) fn is_stale(&self) -> bool {
        self.renewal.is_some_and(|at| at <= Instant::now())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").finish_non_exhaustive()
    }
}

/// The reason why a client requests a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenReason {
    /// The client has no token yet.
    First,
    /// The current token expires soon, or has expired.
    Expiring,
    /// The service refused the current token with the status code 401. Do not return it from a cache.
    Refused,
}

/// Obtains access tokens, and refreshes them.
///
/// A client asks before an attempt if it has no token or a stale one, and after a 401. It asks once for all waiting calls, in a separate
/// task: dropping a call does not interrupt a refresh. A refresh fails after 60 seconds. If the service also refuses the replacement of a
/// refused token, the client backs off for one second, doubled each time up to a minute. Until then, each call is sent once with the
/// current token. Requests of the provider do not count as calls of the client.
///
/// Closures from the reason to a future implement the trait:
///
/// ```
/// use std::time::Duration;
/// use generated_client::credentials::{Credential, Token, TokenReason};
/// # async fn fetch(_fresh: bool) -> Result<(String, u64), std::io::Error> { Ok(("t".into(), 3600)) }
///
/// let provider = |reason| async move {
///     let (token, seconds) = fetch(reason == TokenReason::Refused).await?;
///     Ok(Token::new(token).expires_in(Duration::from_secs(seconds)))
/// };
/// let credential = Credential::provider("oauth", provider);
/// ```
pub trait TokenProvider: Send + Sync + 'static {
    /// Obtains a token.
    ///
    /// # Errors
    ///
    /// Any error of the provider. The waiting calls fail with its message, on one line and without the tokens that the client knows.
    fn token(&self, reason: TokenReason) -> BoxFuture<'_, Result<Token, ProviderError>>;
}

pub(crate) type ProviderError = Box<dyn Error + Send + Sync>;

impl<F, Fut> TokenProvider for F
where
    F: Fn(TokenReason) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Token, ProviderError>> + Send + 'static,
{
    fn token(&self, reason: TokenReason) -> BoxFuture<'_, Result<Token, ProviderError>> {
        Box::pin(self(reason))
    }
}
