//! All secrets of a client, to be removed from anything shown: the given ones, and its current and earlier tokens.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};

use secrecy::SecretString;

use crate::secret::key::ApiKey;

/// The number of guarded tokens, the latest ones. A service may repeat the token that was sent.
#[cfg(feature = "tokens")]
const TOKENS: usize = 16;

#[derive(Default)]
pub(super) struct Guard(RwLock<Guarded>);

#[derive(Default)]
struct Guarded {
    given: Vec<SecretString>,
    /// The latest tokens.
    tokens: VecDeque<SecretString>,
    /// The given secrets and the latest tokens together.
    all: Option<Arc<ApiKey>>,
}

impl Guard {
    /// Returns the secrets so far; `None` without any.
    pub(super) fn secrets(&self) -> Option<Arc<ApiKey>> {
        let guarded = self.0.read().unwrap_or_else(PoisonError::into_inner);
        guarded.all.clone()
    }

    /// Guards the secrets that stay the same.
    pub(super) fn give(&self, given: Vec<SecretString>) {
        self.change(|guarded| guarded.given = given);
    }

    /// Guards one more token, before anything is sent with it.
    #[cfg(feature = "tokens")]
    pub(super) fn add(&self, token: SecretString) {
        self.change(|guarded| {
            if guarded.tokens.len() >= TOKENS {
                guarded.tokens.pop_front();
            }
            guarded.tokens.push_back(token);
        });
    }

    fn change(&self, change: impl FnOnce(&mut Guarded)) {
        let mut guarded = self.0.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut guarded);
        let mut all = guarded.given.iter().chain(&guarded.tokens).peekable();
        let has_some = all.peek().is_some();
        let all = has_some.then(|| Arc::new(ApiKey::guarding(all)));
        guarded.all = all;
    }
}
