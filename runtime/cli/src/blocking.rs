//! Writes that may wait until a person or another program reads them.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

/// Runs a write that may wait for its reader. Meanwhile other calls go on, and their leases are renewed: otherwise another process would take this one
/// for dead, and pay for the same calls.
pub(crate) fn blocking<R>(write: impl FnOnce() -> R) -> R {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(write),
        _ => write(),
    }
}
