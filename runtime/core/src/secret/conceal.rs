//! The key to be removed from the service's strings while a body is decoded or compared.
//!
//! `Deserialize` has no parameter for a key, but rejects deep inside of a body quote it. A decode is synchronous and stays on its thread,
//! so a thread-local reaches it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use crate::secret::key::ApiKey;
use crate::secret::quotation::{redact, shortened};

thread_local! {
    static KEY: RefCell<Option<Arc<ApiKey>>> = const { RefCell::new(None) };
}

/// Runs a function in which [`concealed`] and [`message`] know this key.
pub(crate) fn concealing<R>(key: Option<&Arc<ApiKey>>, run: impl FnOnce() -> R) -> R {
    let _concealed = conceal(key);
    run()
}

/// Lets [`concealed`] and [`message`] know this key, until the value is dropped.
pub(crate) fn conceal(key: Option<&Arc<ApiKey>>) -> Concealed {
    Concealed(KEY.replace(key.cloned()))
}

/// Removes the key from a string. Call it before the string is cut: a partial key is not recognized.
pub(crate) fn concealed(text: &str) -> Cow<'_, str> {
    KEY.with_borrow(|key| match key {
        Some(key) if key.is_in(text.as_bytes()) => redact(text, Some(key)).into(),
        _ => text.into(),
    })
}

/// Turns a string into a message: without the key, on one line, and without its middle if it is long.
pub(crate) fn message(text: &str) -> String {
    KEY.with_borrow(|key| shortened(text, key.as_deref()))
}

/// Restores the earlier key in `drop`: the caller's `Deserialize` implementation may panic while its thread continues.
#[must_use]
pub(crate) struct Concealed(Option<Arc<ApiKey>>);

impl Drop for Concealed {
    fn drop(&mut self) {
        KEY.replace(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn a_key_is_concealed_only_during_the_run() {
        let key = Arc::new(ApiKey::parse("canary".into()).unwrap());
        let key = Some(&key);
        assert_eq!(concealed("a canary"), "a canary");
        assert_eq!(concealing(key, || concealed("a canary")), "a [key]");
        assert_eq!(concealing(key, || message("a\ncanary")), "a [key]");
        let inside = || concealing(None, || concealed("canary").into_owned());
        assert_eq!(concealing(key, inside), "canary");
        let panics = || {
            let key = Arc::new(ApiKey::parse("canary".into()).unwrap());
            concealing(Some(&key), || panic!("on purpose"))
        };
        assert!(catch_unwind(panics).is_err());
        assert_eq!(concealed("a canary"), "a canary");
    }
}
