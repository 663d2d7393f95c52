//! Sources of a request body that is read while it is sent: bytes, files and readers, one after the other.
//!
//! A file is opened for each attempt. A reader is read once, so no attempt follows the one that began to read it.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use bytes::{BufMut, Bytes, BytesMut};
use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncReadExt};

use crate::error::TransportError;
use crate::lock::lock;
use crate::response::failure::TransportErrorKind;
use crate::transport::body_stream::BodyStream;
use crate::transport::request_body::RequestBody;

/// The number of bytes that are read at once.
const CHUNK: usize = 256 * 1024;

type Reader = Pin<Box<dyn AsyncRead + Send>>;

#[derive(Clone)]
pub(crate) enum Source {
    Bytes(Bytes),
    File {
        path: Arc<Path>,
        length: u64,
    },
    Reader {
        /// Empty once it is read.
        reader: Arc<Mutex<Option<Reader>>>,
        length: Option<u64>,
    },
}

impl Source {
    /// Makes a source of a file with its current size.
    pub(crate) fn file(path: &Path) -> Result<Self, String> {
        let metadata = std::fs::metadata(path)
            .map_err(|error| format!("is a file that cannot be read: {error}"))?;
        if !metadata.is_file() {
            return Err("is not a regular file".to_owned());
        }
        Ok(Self::File {
            path: path.into(),
            length: metadata.len(),
        })
    }

    pub(crate) fn reader(reader: impl AsyncRead + Send + 'static, length: Option<u64>) -> Self {
        let reader: Reader = Box::pin(reader);
        Self::Reader {
            reader: Arc::new(Mutex::new(Some(reader))),
            length,
        }
    }

    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => u64::try_from(bytes.len()).ok(),
            Self::File { length, .. } => Some(*length),
            Self::Reader { length, .. } => *length,
        }
    }

    fn is_spent(&self) -> bool {
        matches!(self, Self::Reader { reader, .. } if lock(reader).is_none())
    }

    async fn open(self) -> Result<Opened, io::Error> {
        Ok(match self {
            Self::Bytes(bytes) => Opened::Bytes(bytes),
            Self::File { path, length } => {
                let file: Reader = Box::pin(File::open(&path).await?);
                Opened::Reader(file, Some(length))
            }
            Self::Reader { reader, length } => match lock(&reader).take() {
                Some(reader) => Opened::Reader(reader, length),
                None => return Err(io::Error::other("the body was sent already")),
            },
        })
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::Bytes(Bytes::new())
    }
}

/// Bytes are compared by value, files and readers by identity.
impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bytes(one), Self::Bytes(other)) => one == other,
            (
                Self::File { path, length },
                Self::File {
                    path: other,
                    length: size,
                },
            ) => path == other && length == size,
            (Self::Reader { reader, .. }, Self::Reader { reader: other, .. }) => {
                Arc::ptr_eq(reader, other)
            }
            _ => false,
        }
    }
}

impl Eq for Source {}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => fmt::Debug::fmt(bytes, f),
            Self::File { length, .. } => write!(f, "File({length} bytes)"),
            Self::Reader { length, .. } => match length {
                Some(length) => write!(f, "Reader({length} bytes)"),
                None => f.write_str("Reader"),
            },
        }
    }
}

/// A body that is read while it is sent. An extension of the request, whose own body stays empty up to the transport.
#[derive(Debug, Clone)]
pub(crate) struct Upload(pub(crate) Arc<[Source]>);

impl Upload {
    /// Returns whether one of its readers was read, so that it cannot be sent again.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.iter().any(Source::is_spent)
    }

    /// Returns the length in bytes, if all of its sources know theirs.
    pub(crate) fn length(&self) -> Option<u64> {
        let mut lengths = self.0.iter().map(Source::length);
        lengths.try_fold(0_u64, |sum, length| sum.checked_add(length?))
    }

    /// Makes the body of one attempt. Its sources are opened when they are read.
    pub(crate) fn open(&self) -> RequestBody {
        let sending = Sending {
            rest: self.0.iter().cloned().collect(),
            current: None,
        };
        let chunks = BodyStream::unfold(sending, |mut sending| async move {
            match sending.next().await {
                Ok(chunk) => Some((Ok(chunk?), sending)),
                Err(error) => {
                    let error = TransportError::new(TransportErrorKind::Other, error);
                    Some((Err(error), Sending::default()))
                }
            }
        });
        RequestBody::new(chunks, self.length())
    }
}

enum Opened {
    Bytes(Bytes),
    Reader(Reader, Option<u64>),
}

/// The progress of a body.
#[derive(Default)]
struct Sending {
    rest: VecDeque<Source>,
    /// The current reader, and the bytes left in it, if known.
    current: Option<(Reader, Option<u64>)>,
}

impl Sending {
    async fn next(&mut self) -> Result<Option<Bytes>, io::Error> {
        loop {
            if let Some((reader, left)) = &mut self.current {
                let chunk = read(reader, *left).await?;
                let read = u64::try_from(chunk.len()).unwrap_or_default();
                if let Some(left) = left {
                    if read == 0 && *left > 0 {
                        let why = "the body is shorter than its length";
                        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
                    }
                    *left -= read;
                }
                if read == 0 || *left == Some(0) {
                    self.current = None;
                }
                if read > 0 {
                    return Ok(Some(chunk));
                }
            }
            let Some(next) = self.rest.pop_front() else {
                return Ok(None);
            };
            match next.open().await? {
                Opened::Bytes(bytes) if bytes.is_empty() => {}
                Opened::Bytes(bytes) => return Ok(Some(bytes)),
                Opened::Reader(reader, length) => self.current = Some((reader, length)),
            }
        }
    }
}

/// Reads available bytes, at most the rest.
async fn read(reader: &mut Reader, left: Option<u64>) -> Result<Bytes, io::Error> {
    let mut chunk = BytesMut::with_capacity(CHUNK);
    let most = left.and_then(|left| usize::try_from(left).ok());
    let mut room = (&mut chunk).limit(most.unwrap_or(CHUNK).min(CHUNK));
    reader.read_buf(&mut room).await?;
    Ok(chunk.freeze())
}
