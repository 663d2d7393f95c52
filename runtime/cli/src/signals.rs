//! Ctrl-C: the first ends the run after the calls in flight, whose responses are paid for. The second ends it at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::sync::{Notify, oneshot};
use tokio::time::sleep;

use crate::report::report;

/// How long a run may take to end at once.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the calls in flight are checked.
const TICK: Duration = Duration::from_millis(20);

/// Signals a run to end.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    is_stopped: Arc<AtomicBool>,
    stopping: Arc<Notify>,
    killing: Arc<Notify>,
    /// Dropped with the run, which ends the listening.
    _run: Option<Arc<oneshot::Sender<()>>>,
}

impl Signals {
    /// Listens in a separate thread, because all others may be waiting for a reader of the output.
    pub(crate) fn listen(is_metered: bool) -> Self {
        let (run, ended) = oneshot::channel();
        let own = Self::default();
        let signals = Self {
            _run: Some(Arc::new(run)),
            ..own.clone()
        };
        let (listening, listens_now) = mpsc::channel();
        let listens = move || {
            let Ok(runtime) = Builder::new_current_thread().enable_all().build() else {
                return;
            };
            runtime.block_on(async move {
                let interrupts = Interrupts::new();
                _ = listening.send(());
                tokio::select! {
                    () = own.heed(interrupts, is_metered) => {}
                    _ = ended => {}
                }
            });
        };
        // A signal ends the program by default if there is no thread.
        _ = thread::Builder::new().spawn(listens);
        // No call goes out before. Without a listener this returns at once.
        _ = listens_now.recv();
        signals
    }

    async fn heed(&self, mut interrupts: Interrupts, is_metered: bool) {
        interrupts.next().await;
        self.stop();
        // A blocked standard error does not delay the second signal.
        let billed = if is_metered {
            ", and they may be billed for nothing"
        } else {
            ""
        };
        let message = format!(
            "Stopping after the calls in flight. A second signal stops immediately{billed}."
        );
        _ = thread::Builder::new().spawn(move || report(&message));
        interrupts.next().await;
        self.killing.notify_one();
        // A stalled reader blocks the run. The journal has named every call by now.
        tokio::select! {
            () = interrupts.next() => {}
            () = sleep(PATIENCE) => {}
        }
        process::exit(130);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        self.stopping.notify_waiters();
    }

    /// Waits until the run is to end at once.
    pub(crate) async fn killed(&self) {
        self.killing.notified().await;
    }

    /// Waits until the run is to end, and no call is in flight that is paid for.
    pub(crate) async fn stopped_between(&self, is_in_flight: &AtomicBool) {
        self.stopped().await;
        while is_in_flight.load(Ordering::SeqCst) {
            sleep(TICK).await;
        }
    }

    /// Waits until the run is to end.
    pub(crate) async fn stopped(&self) {
        let stopping = self.stopping.notified();
        if !self.is_stopped() {
            stopping.await;
        }
    }
}

/// Ctrl-C and, where there is one, the signal to terminate. None is missed between two of them.
#[cfg(unix)]
struct Interrupts([Option<tokio::signal::unix::Signal>; 2]);

#[cfg(unix)]
impl Interrupts {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};

        Self([SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok()))
    }

    async fn next(&mut self) {
        let [interrupt, terminate] = &mut self.0;
        tokio::select! {
            () = received(interrupt) => {}
            () = received(terminate) => {}
        }
    }
}

#[cfg(unix)]
async fn received(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => _ = signal.recv().await,
        None => std::future::pending().await,
    }
}

#[cfg(not(unix))]
struct Interrupts;

#[cfg(not(unix))]
impl Interrupts {
    fn new() -> Self {
        Self
    }

    async fn next(&mut self) {
        _ = tokio::signal::ctrl_c().await;
    }
}
