//! Tokens that the caller's program obtains while the client runs.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use secrecy::SecretString;
use tokio::time::Instant;

use crate::transport::clock::instant_after;
use crate::transport::transport::BoxFuture;
use crate::values::SecretText;

/// A token is replaced this long before it expires.
const LEEWAY: Duration = Duration::from_secs(30);

/// An access token, as a [`TokenProvider`] returns it.
#[derive(Clone)]
pub struct Token {
    pub(crate) secret: SecretString,
    /// From when on another one is asked for.
    renewal: Option<Instant>,
}

impl Token {
    /// A token that is used until the service refuses it with the status code 401.
    pub fn new(secret: impl Into<SecretText>) -> Self {
        Self {
            secret: secret.into().into_erased(),
            renewal: None,
        }
    }

    /// Sets how long the token lives from now on, as `expires_in` of OAuth 2.0. It is replaced 30 seconds before its end, or after nine
    /// tenths of its life if that is later.
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

/// Why a client asks for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenReason {
    /// It has none yet.
    First,
    /// The one that it has expires soon, or has expired.
    Expiring,
    /// The service refused the one that it has, with the status code 401. A cached token is of no use.
    Refused,
}

/// Obtains access tokens, and refreshes them.
///
/// A client asks before an attempt when it has no token or an old one, and after a 401. It asks once, however many of its calls wait for
/// the token, and on a task of its own: a caller who drops a call does not interrupt a refresh. A refresh that takes longer than 60
/// seconds fails. Where the service refuses what replaced a refused token too, the client does not ask for a while: for one second, and each
/// time twice as long, up to a minute. Calls then go out once each, with the token that it has. What the provider sends is no call of the client.
///
/// Closures from the reason to a future are providers:
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
    /// Whatever keeps the provider from it. The calls that wait for the token fail with its text, on one line and without the tokens that
    /// the client knows.
    fn token(&self, reason: TokenReason) -> BoxFuture<'_, Result<Token, ProviderError>>;
}

/// What a [`TokenProvider`] fails with.
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
