//! Idempotency keys: a service does the same work once for all requests with one key.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::Instant;

use crate::document::api::Auth;
use crate::error::ArgumentError;
use crate::request::extras;
use crate::request::request::Request;

/// The documented header for the key of a call, and the caller's key.
#[derive(Debug, Clone)]
pub(crate) struct Idempotency {
    pub(crate) header: HeaderName,
    /// The time for which the service remembers a key; `None` if the document does not say.
    pub(crate) window: Option<Duration>,
    pub(crate) key: Option<HeaderValue>,
}

/// An idempotency key that a program has stored, to make a call again after a restart.
///
/// ```
/// use std::time::Duration;
///
/// use generated_client::request::{CallOptions, StoredKey};
///
/// let mut options = CallOptions::default();
/// options.idempotency_key = Some(StoredKey { key: "5f3a".into(), age: Duration::from_secs(60) });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// The key.
    pub key: Arc<str>,
    /// Time since the key was first sent. The service forgets it that much earlier.
    pub age: Duration,
}

/// The key of a call, which all its attempts carry.
#[derive(Debug, Clone)]
pub(crate) struct IdempotencyKey {
    header: HeaderName,
    window: Option<Duration>,
    value: HeaderValue,
    /// True if an earlier call was sent with it.
    is_used: bool,
}

impl Idempotency {
    /// Returns the caller's key, or else the stored one, or else an unused one.
    pub(crate) fn key(&self, stored: Option<&StoredKey>) -> IdempotencyKey {
        let stored = stored.filter(|_| self.key.is_none());
        let stored =
            stored.and_then(|stored| Some((HeaderValue::try_from(&*stored.key).ok()?, stored.age)));
        let (value, age) = match stored {
            Some((value, age)) => (value, age),
            None => (self.key.clone().unwrap_or_else(unused), Duration::ZERO),
        };
        IdempotencyKey {
            header: self.header.clone(),
            window: self.window.map(|window| window.saturating_sub(age)),
            value,
            is_used: age > Duration::ZERO,
        }
    }
}

/// Returns the key of a call, or the reason why its header cannot have one.
pub(crate) fn key_of(
    request: &Request,
    auth: Auth,
) -> Result<Option<IdempotencyKey>, ArgumentError> {
    let Some(idempotency) = &request.idempotency else {
        return Ok(None);
    };
    let key = idempotency.key(request.options.idempotency_key.as_ref());
    match extras::key_problem(&idempotency.header, key.as_str(), auth) {
        None => Ok(Some(key)),
        Some(problem) => {
            let header = idempotency.header.as_str();
            Err(ArgumentError::new(request.operation, header, problem))
        }
    }
}

/// Drops the caller's key: a later page is another call.
#[cfg(feature = "paging")]
pub(crate) fn without_key(mut request: Request) -> Request {
    request.options.idempotency_key = None;
    if let Some(idempotency) = &mut request.idempotency {
        idempotency.key = None;
    }
    request
}

/// Returns the time for which the service remembers the key of the call, or `None` if that is unknown; `None` if the call has no key, or the
/// caller gave one.
#[cfg(feature = "full")]
pub(crate) fn window_of(request: &Request) -> Option<Option<Duration>> {
    let idempotency = request.idempotency.as_ref()?;
    idempotency.key.is_none().then_some(idempotency.window)
}

impl IdempotencyKey {
    pub(crate) fn apply_to(&self, headers: &mut HeaderMap) {
        headers.insert(self.header.clone(), self.value.clone());
    }

    /// Returns whether an earlier call was sent with the key.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used
    }

    /// Returns whether the service still knows the key at a time after the first attempt.
    pub(crate) fn holds(&self, after: Duration) -> bool {
        self.window.is_none_or(|window| after < window)
    }

    /// Returns when the service forgets the key; `None` if that is unknown.
    pub(crate) fn end(&self, first: Instant) -> Option<Instant> {
        first.checked_add(self.window?)
    }

    pub(crate) fn as_str(&self) -> &str {
        self.value.to_str().unwrap_or_default()
    }
}

/// Returns a key that no call has used, in the form of a UUID of version 4.
pub(crate) fn unused_key() -> String {
    static PROCESS: OnceLock<[RandomState; 2]> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // The operating system seeds a `RandomState`.
    let process = PROCESS.get_or_init(|| [RandomState::new(), RandomState::new()]);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let [high, low] = process.each_ref().map(|state| state.hash_one(number));
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        (low >> 48) & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff,
    )
}

fn unused() -> HeaderValue {
    HeaderValue::try_from(unused_key()).unwrap_or(HeaderValue::from_static("0"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_uuids_and_differ() {
        let keys: BTreeSet<String> = (0..1000)
            .map(|_| unused().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(keys.len(), 1000);
        for key in keys {
            let parts: Vec<&str> = key.split('-').collect();
            let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{key}");
            assert!(parts[2].starts_with('4'), "{key}");
            assert!(parts[3].starts_with(['8', '9', 'a', 'b']), "{key}");
        }
    }

    #[test]
    fn a_key_holds_for_its_window() {
        let stored = StoredKey {
            key: "stored".into(),
            age: Duration::from_secs(1),
        };
        let mut idempotency = Idempotency {
            header: HeaderName::from_static("idempotency-key"),
            window: Some(Duration::from_secs(2)),
            key: Some(HeaderValue::from_static("mine")),
        };
        let key = idempotency.key(Some(&stored));
        assert_eq!(key.as_str(), "mine");
        assert!(key.holds(Duration::from_secs(1)));
        assert!(!key.holds(Duration::from_secs(2)));
        idempotency.key = None;
        let key = idempotency.key(Some(&stored));
        assert_eq!(key.as_str(), "stored");
        assert!(!key.holds(Duration::from_secs(1)));
        idempotency.window = None;
        assert!(idempotency.key(None).holds(Duration::MAX));
    }
}
