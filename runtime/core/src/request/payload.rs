//! Bytes to be sent: in memory, of a file, or of a reader.

use std::fmt;
use std::path::Path;

use bytes::Bytes;
use tokio::io::AsyncRead;

use crate::transport::upload::Source;

/// The bytes of a body or of a part: in memory, or read while they are sent, in constant memory.
///
/// ```
/// use generated_client::request::{Body, Payload};
///
/// let small = Body::bytes("application/zip", vec![0x50, 0x4b]);
/// let large = Body::bytes("application/zip", Payload::from_file("backup.zip"));
/// # let _ = (small, large);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Payload(pub(super) Result<Source, String>);

impl Payload {
    /// Takes the bytes of a file. Each attempt opens it again, but sends as many bytes as the file has now.
    ///
    /// If the file cannot be read, the call fails before anything is sent.
    pub fn from_file(path: impl AsRef<Path>) -> Self {
        Self(Source::file(path.as_ref()))
    }

    /// Takes the bytes of a reader: of this length, or chunked if it is unknown. A reader that ends before its length is an error.
    ///
    /// It is sent once. After a part of it was read, the call cannot be retried. A 401, a redirect or a retryable failure then ends it, and
    /// the error says so.
    pub fn from_reader(
        reader: impl AsyncRead + Send + 'static,
        length: impl Into<Option<u64>>,
    ) -> Self {
        Self(Ok(Source::reader(reader, length.into())))
    }
}

impl Default for Payload {
    fn default() -> Self {
        Self(Ok(Source::default()))
    }
}

impl<B: Into<Bytes>> From<B> for Payload {
    fn from(bytes: B) -> Self {
        Self(Ok(Source::Bytes(bytes.into())))
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(source) => fmt::Debug::fmt(source, f),
            Err(problem) => fmt::Debug::fmt(problem, f),
        }
    }
}
