//! Decodes bodies of any type.

use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::decode::set_aside::SetAside;
use crate::response::undecoded::{Undecoded, Unreadable};
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;

/// Bodies of at least this many bytes are decoded on a blocking thread. Decoding so many takes about 1 ms: ten times the advised time
/// between two awaits, and a hundred times as long as the thread switch.
const LARGE: usize = 256 * 1024;

/// A decoded body with the values that were set aside.
pub(super) type Body<T> = Result<(T, Vec<SetAside>), Unreadable>;

/// Decodes a body. A large one is decoded on a blocking thread if a runtime exists; a call may be polled outside of one.
pub(super) async fn decode_body<T, F>(
    undecoded: Undecoded,
    size: usize,
    key: Option<&Arc<ApiKey>>,
    read: F,
) -> Body<T>
where
    T: Send + 'static,
    F: Fn(&Undecoded) -> Result<T, Unreadable> + Send + Sync + 'static,
{
    let reading = Reading {
        undecoded,
        key: key.cloned(),
        read,
    };
    let runtime = Handle::try_current().ok().filter(|_| size >= LARGE);
    let Some(runtime) = runtime else {
        return reading.run();
    };
    let reading = Arc::new(reading);
    let apart = Arc::clone(&reading);
    match runtime.spawn_blocking(move || apart.run()).await {
        Ok(body) => body,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        // The runtime shuts down.
        Err(_) => reading.run(),
    }
}

/// A body and the function that decodes it.
struct Reading<F> {
    undecoded: Undecoded,
    key: Option<Arc<ApiKey>>,
    read: F,
}

impl<F> Reading<F> {
    fn run<T>(&self) -> Body<T>
    where
        F: Fn(&Undecoded) -> Result<T, Unreadable>,
    {
        let body = concealing(self.key.as_ref(), || (self.read)(&self.undecoded))?;
        Ok((body, self.undecoded.take_set_aside()))
    }
}
