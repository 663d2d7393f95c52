//! Messages on standard input and output, one on each line.

use std::io;
use std::sync::Arc;

use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::message;
use super::server::Server;
use super::session::Session;
use crate::ended::Ended;

/// Serves standard input until it ends.
pub(super) async fn standard(session: Arc<Session>) -> Result<(), Ended> {
    let lines = Lines::new(tokio::io::stdin(), tokio::io::stdout());
    let served = Server(session).serve(lines).await;
    // A client that disconnects before its first message is not a failure.
    let Ok(served) = served else { return Ok(()) };
    let ended = served.waiting().await;
    ended
        .map(|_| ())
        .map_err(|error| Ended::Failed(error.to_string()))
}

/// The lines of two pipes.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    /// The beginning of the line that is being read.
    line: Vec<u8>,
    output: Arc<Mutex<W>>,
    /// The responses to messages that cannot be read, until they are written.
    refusals: JoinSet<io::Result<()>>,
}

impl<R: AsyncRead + Unpin, W> Lines<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            output: Arc::new(Mutex::new(output)),
            refusals: JoinSet::new(),
        }
    }

    /// Reads up to the end of a line or of the input, and keeps no more of it than a message may have. Returns `false` if nothing is left. If
    /// its future is dropped, the next call goes on.
    async fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let read = self.input.fill_buf().await?;
            if read.is_empty() {
                return Ok(!self.line.is_empty());
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(read.len(), |end| end.saturating_add(1));
            // One byte more shows that the line is too long.
            let room = message::MOST
                .saturating_add(1)
                .saturating_sub(self.line.len());
            self.line
                .extend_from_slice(read.get(..length.min(room)).unwrap_or_default());
            self.input.consume(length);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    async fn refusals_written(&mut self) {
        while self.refusals.join_next().await.is_some() {}
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut output = output.lock().await;
            output.write_all(&line).await?;
            output.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let is_line = self.read_line().await;
            if !is_line.unwrap_or_default() {
                self.refusals_written().await;
                return None;
            }
            match message::read(&std::mem::take(&mut self.line)) {
                Ok(message) => return Some(message),
                Err(Some(response)) => {
                    while self.refusals.try_join_next().is_some() {}
                    // This future may be dropped before the response is written.
                    let written = self.send(*response);
                    self.refusals.spawn(written);
                }
                Err(None) => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.refusals_written().await;
        self.output.lock().await.shutdown().await
    }
}
