//! Panics of the engine as messages.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// True while panics on this thread are caught instead of printed.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that may panic, and returns the panic's message instead of printing it. Other threads print theirs.
pub(super) fn catch_panic<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !CATCHING.get() {
                hook(panic);
            }
        }));
    });
    CATCHING.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(false);
    outcome.map_err(|payload| {
        payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("it panicked")
            .to_owned()
    })
}
