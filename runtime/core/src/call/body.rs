//! Decodes bodies of any type. If the interceptor watches a member, a small body is decoded before its attempt is settled.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::runtime::Handle;

use crate::decode::set_aside::SetAside;
use crate::interceptor::{Guard, Noticed};
use crate::lock::lock;
use crate::response::undecoded::{Undecoded, Unreadable};
use crate::secret::conceal::concealing;
use crate::secret::key::ApiKey;
use crate::transport::transport::TransportResult;

/// Bodies of at least this many bytes are decoded on a blocking thread. Decoding so many takes about 1 ms: ten times the advised time
/// between two awaits, and a hundred times as long as the thread switch.
const LARGE: usize = 256 * 1024;

/// Decodes a body of any type and keeps the result. It may run on another thread.
pub(crate) trait Reader: Send + Sync {
    fn read(&self, undecoded: &Undecoded);
}

/// A decoded body with the values that were set aside.
pub(crate) type Body<T> = Result<(T, Vec<SetAside>), Unreadable>;

/// A function that decodes a body, and its result once it ran.
pub(crate) struct Reading<T, F> {
    read: F,
    body: Mutex<Option<Body<T>>>,
}

impl<T, F: Fn(&Undecoded) -> Result<T, Unreadable>> Reading<T, F> {
    pub(crate) fn new(read: F) -> Self {
        Self {
            read,
            body: Mutex::new(None),
        }
    }

    pub(super) fn take(&self) -> Option<Body<T>> {
        self.lock().take()
    }

    pub(super) fn now(&self, undecoded: &Undecoded) -> Body<T> {
        let body = (self.read)(undecoded)?;
        Ok((body, undecoded.take_set_aside()))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Body<T>>> {
        lock(&self.body)
    }
}

impl<T, F> Reader for Reading<T, F>
where
    T: Send,
    F: Fn(&Undecoded) -> Result<T, Unreadable> + Send + Sync,
{
    fn read(&self, undecoded: &Undecoded) {
        let body = self.now(undecoded);
        *self.lock() = Some(body);
    }
}

/// A small body that was decoded before its attempt is settled.
pub(super) struct EarlyBody {
    undecoded: Undecoded,
    /// The panic of a `Deserialize` implementation. It reaches the caller after the settlement.
    pub(super) panic: Option<Panic>,
}

pub(crate) type Panic = Box<dyn Any + Send>;

impl EarlyBody {
    /// Decodes the small body of a success if the interceptor watches a member. No await separates its arrival from the settlement; large
    /// bodies are settled first.
    pub(super) fn read(
        response: &TransportResult,
        guard: Option<&dyn Guard>,
        key: Option<&Arc<ApiKey>>,
        reader: Option<&dyn Reader>,
    ) -> Option<Self> {
        let (reader, member) = (reader?, guard?.watches()?);
        let response = response.as_ref().ok()?;
        let body = response.body();
        if !response.status().is_success() || body.len() >= LARGE {
            return None;
        }
        let undecoded = Undecoded::new(response.status(), response.headers(), body);
        let undecoded = undecoded.watching(member);
        let read = AssertUnwindSafe(|| concealing(key, || reader.read(&undecoded)));
        Some(Self {
            panic: catch_unwind(read).err(),
            undecoded,
        })
    }

    pub(super) fn noticed(&self) -> Noticed<'_> {
        self.undecoded.noticed()
    }
}

/// Decodes a body. A large one is decoded on a blocking thread if a runtime exists; a call may be polled outside of one. If the runtime
/// shuts down, the body stays undecoded.
pub(super) async fn read_apart(
    undecoded: &Undecoded,
    size: usize,
    key: Option<&Arc<ApiKey>>,
    reader: Arc<dyn Reader>,
) {
    let runtime = Handle::try_current().ok().filter(|_| size >= LARGE);
    let Some(runtime) = runtime else {
        return concealing(key, || reader.read(undecoded));
    };
    let (undecoded, key) = (undecoded.clone(), key.cloned());
    let reading = move || concealing(key.as_ref(), || reader.read(&undecoded));
    match runtime.spawn_blocking(reading).await {
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Ok(()) | Err(_) => {}
    }
}
