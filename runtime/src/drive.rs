//! A call on a task of its own: it goes on while its caller does something else, and ends at once when the caller drops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::{future::poll_fn, pin::Pin};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tracing::instrument::WithSubscriber;

use crate::transport::BoxFuture;

/// How far a call is, for the one who may drop it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    in_flight: AtomicBool,
    abandoned: AtomicBool,
}

impl Progress {
    /// From here on the request may reach the service, until it is settled.
    pub(crate) fn set_in_flight(&self, in_flight: bool) {
        self.in_flight.store(in_flight, Ordering::Relaxed);
    }

    /// Whether the caller has dropped the call and let it go on.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// The driven future, where its task and its caller find it.
type Slot<T> = Arc<Mutex<Option<BoxFuture<'static, T>>>>;

/// Awaits a future that a task drives.
///
/// Dropping it drops the future, and what that holds, before `drop` returns. A detached one goes on if it is in flight.
pub(crate) struct Driven<T> {
    slot: Slot<T>,
    task: JoinHandle<Option<T>>,
    progress: Arc<Progress>,
    is_detached: bool,
}

/// There is no runtime to run the task on, or it was shut down.
#[derive(Debug)]
pub(crate) struct NoRuntime;

/// Starts driving; fails outside of a Tokio runtime.
pub(crate) fn drive<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
    progress: Arc<Progress>,
    is_detached: bool,
) -> Result<Driven<T>, NoRuntime> {
    let runtime = Handle::try_current().map_err(|_| NoRuntime)?;
    let slot: Slot<T> = Arc::new(Mutex::new(Some(Box::pin(future.with_current_subscriber()))));
    let polled = Arc::clone(&slot);
    let task = runtime.spawn(poll_fn(move |context| poll(&polled, context)));
    Ok(Driven {
        slot,
        task,
        progress,
        is_detached,
    })
}

/// `None` when the caller has taken the future away.
fn poll<T>(slot: &Slot<T>, context: &mut Context<'_>) -> Poll<Option<T>> {
    let mut slot = lock(slot);
    let Some(future) = slot.as_mut() else {
        return Poll::Ready(None);
    };
    let output = future.as_mut().poll(context);
    if output.is_ready() {
        *slot = None;
    }
    output.map(Some)
}

/// A panic of the future is handed on to the caller, and leaves nothing half done here.
fn lock<T>(slot: &Slot<T>) -> MutexGuard<'_, Option<BoxFuture<'static, T>>> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Future for Driven<T> {
    type Output = Result<T, NoRuntime>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.task)
            .poll(context)
            .map(|ended| match ended {
                Ok(output) => output.ok_or(NoRuntime),
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => Err(NoRuntime),
            })
    }
}

impl<T> Drop for Driven<T> {
    fn drop(&mut self) {
        let mut slot = lock(&self.slot);
        if self.is_detached && self.progress.in_flight.load(Ordering::Relaxed) {
            self.progress.abandoned.store(true, Ordering::Relaxed);
            return;
        }
        let future = slot.take();
        drop(slot);
        drop(future);
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{sleep, timeout};

    use super::*;

    /// Notes when it is dropped.
    struct Noting(Arc<AtomicBool>);

    impl Drop for Noting {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    fn sleeping(progress: &Arc<Progress>, is_detached: bool) -> (Driven<u8>, Arc<AtomicBool>) {
        let dropped = Arc::<AtomicBool>::default();
        let noting = Noting(Arc::clone(&dropped));
        let future = async move {
            let _noting = noting;
            sleep(Duration::from_secs(10)).await;
            7
        };
        let driven = drive(future, Arc::clone(progress), is_detached);
        (driven.unwrap(), dropped)
    }

    #[tokio::test(start_paused = true)]
    async fn it_goes_on_while_it_is_not_polled() {
        let (driven, dropped) = sleeping(&Arc::default(), false);
        sleep(Duration::from_secs(20)).await;
        assert!(dropped.load(Ordering::SeqCst));
        assert!(matches!(driven.await, Ok(7)));
    }

    #[tokio::test(start_paused = true)]
    async fn dropped_it_is_gone_at_once_unless_it_is_detached_and_in_flight() {
        for (is_detached, in_flight, goes_on) in [
            (false, false, false),
            (false, true, false),
            (true, false, false),
            (true, true, true),
        ] {
            let progress = Arc::<Progress>::default();
            let (driven, dropped) = sleeping(&progress, is_detached);
            progress.set_in_flight(in_flight);
            timeout(Duration::from_secs(1), driven).await.unwrap_err();
            assert_eq!(dropped.load(Ordering::SeqCst), !goes_on);
            assert_eq!(progress.is_abandoned(), goes_on);
            sleep(Duration::from_secs(20)).await;
            assert!(dropped.load(Ordering::SeqCst));
        }
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller() {
        let panics = async { std::panic::resume_unwind(Box::new("on purpose")) };
        let driven: Driven<()> = drive(panics, Arc::default(), false).unwrap();
        let caller = tokio::spawn(driven);
        assert!(caller.await.unwrap_err().is_panic());
    }

    #[test]
    fn outside_of_a_runtime_it_says_so() {
        assert!(drive(async {}, Arc::default(), false).is_err());
    }
}
