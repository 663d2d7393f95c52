//! Runs a call on its own task. It makes progress while the caller does not poll it, and is cancelled when the caller drops it.

#[cfg(feature = "cache")]
use std::any::Any;
use std::future::poll_fn;
use std::panic::catch_unwind;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tracing::instrument::{Instrumented, WithDispatch, WithSubscriber};
use tracing::{Instrument, Span};

use crate::error::Error;
use crate::future::BoxFuture;
use crate::lock::lock;
use crate::response::history::CallHistory;
use crate::transport::body_stream::BodyStream;
use crate::transport::transport::TransportResult;

/// A call as its attempts, its task and its caller share it: its progress, and its future while it runs.
///
/// The progress decides what dropping the call does, and is known to a caller whose call ends with its runtime.
#[derive(Default)]
pub(crate) struct Progress {
    /// Taken by whoever ends the call: it holds the progress.
    future: Mutex<Option<WithDispatch<Instrumented<Call>>>>,
    history: Mutex<Option<CallHistory>>,
    in_flight: AtomicBool,
    abandoned: AtomicBool,
}

impl Progress {
    /// Records the history so far.
    pub(crate) fn note(&self, history: CallHistory) {
        *lock(&self.history) = Some(history);
    }

    /// Returns the history so far; `None` if nothing was sent.
    pub(crate) fn so_far(&self) -> Option<CallHistory> {
        lock(&self.history).clone()
    }

    /// Marks the attempt as in flight (`true`, before it is sent) or settled (`false`).
    pub(crate) fn set_in_flight(&self, in_flight: bool) {
        self.in_flight.store(in_flight, Ordering::Relaxed);
    }

    /// Returns whether the caller dropped a detached call, which then continues.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// What the last attempt of a call brought.
pub(crate) struct Ended {
    /// Has no body if `body` streams it.
    pub(crate) response: TransportResult,
    /// The body of a success, streamed after its head.
    pub(crate) body: Option<BodyStream>,
    pub(crate) history: CallHistory,
}

/// How a call ends.
type End = Result<Ended, Error>;

/// All attempts of a call.
type Call = BoxFuture<'static, End>;

/// Awaits a future that a task drives.
///
/// Dropping it drops the future before `drop` returns. A detached future continues if its request is in flight.
pub(crate) struct Driven {
    task: JoinHandle<Option<End>>,
    progress: Arc<Progress>,
    is_detached: bool,
}

impl Driven {
    /// Lets a call continue without its caller: a detached one alone, another one while others hold it. Returns `false` if its request is not in
    /// flight; the rest of the call then ends soon.
    pub(crate) fn leave(&self) -> bool {
        let _between_polls = lock(&self.progress.future);
        let is_in_flight = self.progress.in_flight.load(Ordering::Relaxed);
        if is_in_flight && self.is_detached {
            self.progress.abandoned.store(true, Ordering::Relaxed);
        }
        is_in_flight
    }
}

/// The error if there is no Tokio runtime, or one without a clock or that was shut down.
#[derive(Debug)]
pub(crate) struct NoRuntime;

/// Starts driving; fails outside of a Tokio runtime, and in one without a clock.
pub(crate) fn drive(
    call: Call,
    span: Span,
    progress: Arc<Progress>,
    is_detached: bool,
) -> Result<Driven, NoRuntime> {
    let runtime = Handle::try_current().map_err(|_| NoRuntime)?;
    // In a runtime without a clock, tokio panics at the first pause or timeout, perhaps after the request was sent. Nothing else reveals
    // it.
    catch_unwind(|| drop(sleep(Duration::ZERO))).map_err(|_| NoRuntime)?;
    let future = call.instrument(span).with_current_subscriber();
    *lock(&progress.future) = Some(future);
    let driver = Driver(Arc::clone(&progress));
    let task = runtime.spawn(poll_fn(move |context| driver.poll(context)));
    Ok(Driven {
        task,
        progress,
        is_detached,
    })
}

/// A driven future of one caller. Without a cache, there is no other.
#[cfg(not(feature = "cache"))]
pub(crate) type Driving = Driven;

/// A driven future of one caller, or one that others hold, too: it is dropped with the last of them.
#[cfg(feature = "cache")]
pub(crate) enum Driving {
    Own(Driven),
    Held {
        driven: Arc<Mutex<Driven>>,
        /// By which others find it, while its caller is here.
        _flight: Arc<dyn Any + Send + Sync>,
    },
}

#[cfg(feature = "cache")]
impl Driving {
    /// Lets a detached call continue without its caller, as [`Driven::leave`] says.
    pub(crate) fn leave(&self) -> bool {
        match self {
            Self::Own(driven) => driven.leave(),
            Self::Held { driven, .. } => lock(driven).leave(),
        }
    }
}

#[cfg(feature = "cache")]
impl Future for Driving {
    type Output = Result<End, NoRuntime>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Own(driven) => Pin::new(driven).poll(context),
            Self::Held { driven, .. } => Pin::new(&mut *lock(driven)).poll(context),
        }
    }
}

/// The future inside its task. Dropping the task, for example at shutdown, drops the future; otherwise a caller that stops polling would
/// hold a permit and a reservation forever.
struct Driver(Arc<Progress>);

impl Driver {
    /// `None` if the caller has taken the future away.
    fn poll(&self, context: &mut Context<'_>) -> Poll<Option<End>> {
        let mut slot = lock(&self.0.future);
        let Some(future) = slot.as_mut() else {
            return Poll::Ready(None);
        };
        let output = Pin::new(future).poll(context);
        if output.is_ready() {
            *slot = None;
        }
        output.map(Some)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let future = lock(&self.0.future).take();
        drop(future);
    }
}

impl Future for Driven {
    type Output = Result<End, NoRuntime>;

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

impl Drop for Driven {
    fn drop(&mut self) {
        // If this runs inside the future's own poll, locking would deadlock. In this case the aborted task drops the future after the poll.
        let is_inside = tokio::task::try_id() == Some(self.task.id());
        let slot = (!is_inside).then(|| lock(&self.progress.future));
        if self.is_detached && self.progress.in_flight.load(Ordering::Relaxed) {
            self.progress.abandoned.store(true, Ordering::Relaxed);
            return;
        }
        let future = slot.and_then(|mut slot| slot.take());
        drop(future);
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::error::ConfigurationError;

    /// Records that it was dropped.
    struct Noting(Arc<AtomicBool>);

    impl Drop for Noting {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    fn driving(
        call: impl Future<Output = Result<Ended, Error>> + Send + 'static,
        progress: &Arc<Progress>,
        is_detached: bool,
    ) -> Driven {
        let progress = Arc::clone(progress);
        drive(Box::pin(call), Span::none(), progress, is_detached).unwrap()
    }

    fn failure() -> Error {
        ConfigurationError::NoRuntime.into()
    }

    fn sleeping(progress: &Arc<Progress>, is_detached: bool) -> (Driven, Arc<AtomicBool>) {
        let dropped = Arc::<AtomicBool>::default();
        let noting = Noting(Arc::clone(&dropped));
        let future = async move {
            let _noting = noting;
            sleep(Duration::from_secs(10)).await;
            Err(failure())
        };
        (driving(future, progress, is_detached), dropped)
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_progresses_while_it_is_not_polled() {
        let (driven, dropped) = sleeping(&Arc::default(), false);
        sleep(Duration::from_secs(20)).await;
        assert!(dropped.load(Ordering::SeqCst));
        assert!(matches!(driven.await, Ok(Err(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_cancels_a_call_unless_it_is_detached_and_in_flight() {
        for (is_detached, in_flight, is_retried) in [
            (false, false, false),
            (false, true, false),
            (true, false, false),
            (true, true, true),
        ] {
            let progress = Arc::<Progress>::default();
            let (driven, dropped) = sleeping(&progress, is_detached);
            progress.set_in_flight(in_flight);
            let ended = timeout(Duration::from_secs(1), driven).await;
            assert!(ended.is_err());
            assert_eq!(dropped.load(Ordering::SeqCst), !is_retried);
            assert_eq!(progress.is_abandoned(), is_retried);
            sleep(Duration::from_secs(20)).await;
            assert!(dropped.load(Ordering::SeqCst));
        }
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller() {
        let panics = async { std::panic::resume_unwind(Box::new("on purpose")) };
        let driven = driving(panics, &Arc::default(), false);
        let caller = tokio::spawn(async { drop(driven.await) });
        assert!(caller.await.unwrap_err().is_panic());
    }

    fn runtime() -> tokio::runtime::Runtime {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap()
    }

    #[test]
    fn a_runtime_that_shuts_down_drops_unpolled_futures() {
        let runtime = runtime();
        let inside = runtime.enter();
        let (driven, dropped) = sleeping(&Arc::default(), false);
        drop(inside);
        drop(runtime);
        assert!(dropped.load(Ordering::SeqCst));
        drop(driven);
    }

    #[test]
    fn a_future_that_drops_its_caller_ends_with_that_poll() {
        let (done, is_done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let caller = Arc::<Mutex<Option<Driven>>>::default();
            let dropped = Arc::<AtomicBool>::default();
            let noting = Noting(Arc::clone(&dropped));
            let own = Arc::clone(&caller);
            let future = poll_fn(move |_| {
                let _noting = &noting;
                drop(lock(&own).take());
                Poll::Pending
            });
            runtime().block_on(async {
                let driven = driving(future, &Arc::default(), false);
                *lock(&caller) = Some(driven);
                sleep(Duration::from_millis(10)).await;
            });
            done.send(dropped.load(Ordering::SeqCst)).unwrap();
        });
        assert_eq!(is_done.recv_timeout(Duration::from_secs(10)), Ok(true));
    }

    #[test]
    fn a_call_outside_of_a_runtime_is_an_error() {
        let call = Box::pin(async { Err(failure()) });
        assert!(drive(call, Span::none(), Arc::default(), false).is_err());
    }
}
