//! Reads a body in a separate task: its timers run in their own runtime, and end with it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::clock::instant_after;

/// The number of chunks that are read ahead of the caller.
const AHEAD: usize = 1;

/// A body that a task reads. Dropping it stops the task, which closes the connection.
pub(super) struct Pump {
    /// `None` marks the end of the body: a channel that closes without it has lost its task.
    chunks: mpsc::Receiver<Option<Result<Bytes, TransportError>>>,
    task: Option<AbortHandle>,
    deadline: Option<(Instant, Duration)>,
    is_over: bool,
}

impl Pump {
    /// Starts to read. Outside of a Tokio runtime, the body is an error.
    pub(super) fn start(body: BodyStream, bound: Option<Duration>) -> Self {
        let (sender, chunks) = mpsc::channel(AHEAD);
        let deadline = bound.map(|bound| (instant_after(bound), bound));
        let end = deadline.map(|(end, _)| end);
        let runtime = Handle::try_current().ok();
        let task = runtime.map(|runtime| runtime.spawn(run(body, sender, end)).abort_handle());
        Self {
            chunks,
            task,
            deadline,
            is_over: false,
        }
    }

    fn lost(&self) -> TransportError {
        match self.deadline {
            Some((end, bound)) if Instant::now() >= end => TransportError::new(
                TransportErrorKind::Timeout,
                format!("the stream took more than {bound:?}"),
            ),
            _ => TransportError::new(
                TransportErrorKind::Other,
                "the runtime was shut down during the stream",
            ),
        }
    }
}

/// Forwards the chunks until the body or the deadline ends.
async fn run(
    mut body: BodyStream,
    sender: mpsc::Sender<Option<Result<Bytes, TransportError>>>,
    end: Option<Instant>,
) {
    let pass_on = async {
        loop {
            let chunk = body.next().await;
            let is_last = !matches!(chunk, Some(Ok(_)));
            if sender.send(chunk).await.is_err() || is_last {
                return;
            }
        }
    };
    match end {
        // The receiver knows the deadline and reports that it expired.
        Some(end) => _ = timeout_at(end, pass_on).await,
        None => pass_on.await,
    }
}

impl Stream for Pump {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let chunk = match ready!(self.chunks.poll_recv(context)) {
            Some(chunk) => chunk,
            None => Some(Err(self.lost())),
        };
        self.is_over = !matches!(chunk, Some(Ok(_)));
        Poll::Ready(chunk)
    }
}

impl Drop for Pump {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}
