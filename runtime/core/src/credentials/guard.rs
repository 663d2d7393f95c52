//! All secrets of a client, to be removed from anything shown: the given ones, and its current and earlier tokens.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};

use secrecy::SecretString;

use crate::secret::key::ApiKey;

/// The number of guarded tokens, the latest ones. A service may repeat the token that was sent.
const TOKENS: usize = 16;

#[derive(Default)]
pub(super) struct Guard {
    given: Vec<SecretString>,
    tokens: RwLock<Tokens>,
}

#[derive(Default)]
struct Tokens {
    latest: VecDeque<SecretString>,
    /// The given secrets and the latest tokens together.
    all: Option<Arc<ApiKey>>,
}

impl Guard {
    pub(super) fn of(given: Vec<SecretString>) -> Self {
        let all = (!given.is_empty()).then(|| Arc::new(ApiKey::guarding(&given)));
        Self {
            given,
            tokens: RwLock::new(Tokens {
                latest: VecDeque::new(),
                all,
            }),
        }
    }

    /// Returns the secrets so far; `None` without any.
    pub(super) fn secrets(&self) -> Option<Arc<ApiKey>> {
        let tokens = self.tokens.read().unwrap_or_else(PoisonError::into_inner);
        tokens.all.clone()
    }

    /// Guards one more token, before anything is sent with it.
    pub(super) fn add(&self, token: SecretString) {
        let mut tokens = self.tokens.write().unwrap_or_else(PoisonError::into_inner);
        if tokens.latest.len() >= TOKENS {
            tokens.latest.pop_front();
        }
        tokens.latest.push_back(token);
        let all = ApiKey::guarding(self.given.iter().chain(&tokens.latest));
        tokens.all = Some(Arc::new(all));
    }
}
