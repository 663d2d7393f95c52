//! Ctrl-C: the first ends the run after the calls in flight, whose responses are paid for. The second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Whether the run is to end.
#[derive(Clone, Default)]
pub(super) struct Signals {
    is_stopped: Arc<AtomicBool>,
    stopping: Arc<Notify>,
    killing: Arc<Notify>,
}

impl Signals {
    /// Listens from now on.
    pub(super) fn listen() -> Self {
        let signals = Self::default();
        let own = signals.clone();
        tokio::spawn(async move {
            interrupted().await;
            eprintln!(
                "Stopping after the calls in flight. Once more stops at once, and they may be billed for nothing."
            );
            own.stop();
            interrupted().await;
            own.killing.notify_one();
        });
        signals
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        self.stopping.notify_waiters();
    }

    /// Waits until the run is to end at once.
    pub(super) async fn killed(&self) {
        self.killing.notified().await;
    }

    /// Waits until the run is to end.
    pub(super) async fn stopped(&self) {
        let stopping = self.stopping.notified();
        if !self.is_stopped() {
            stopping.await;
        }
    }
}

#[cfg(unix)]
async fn interrupted() {
    use tokio::signal::unix::{SignalKind, signal};

    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        _ = tokio::signal::ctrl_c().await;
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}

#[cfg(not(unix))]
async fn interrupted() {
    _ = tokio::signal::ctrl_c().await;
}
