//! Splits chunks of bytes into lines, independent of chunk boundaries.

use bytes::{Buf, Bytes};

use crate::error::TransportError;
use crate::response::failure::TransportErrorKind;

/// The bytes that end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// LF.
    Lf,
    /// CR, LF, or both together.
    CrLf,
    /// LF, or the record separator.
    LfOrRs,
}

impl LineEnd {
    fn is_at(self, byte: u8) -> bool {
        match self {
            Self::Lf => byte == b'\n',
            Self::CrLf => matches!(byte, b'\n' | b'\r'),
            Self::LfOrRs => matches!(byte, b'\n' | b'\x1e'),
        }
    }
}

/// Makes the error of an event or a line that exceeds its size limit.
pub(super) fn too_large(limit: usize) -> TransportError {
    let why = format!("one event or line has more than {limit} bytes");
    TransportError::new(TransportErrorKind::TooLarge, why)
}

/// The current chunk, and the line that began before it.
#[derive(Debug)]
pub(super) struct LineReader {
    end: LineEnd,
    /// The maximum length of a line, in bytes.
    limit: usize,
    /// The beginning of the line, from earlier chunks.
    begun: Vec<u8>,
    chunk: Bytes,
    /// True if the last line ended with a CR: an LF right after it belongs to it.
    is_after_cr: bool,
    /// True if the last line ended with a record separator.
    is_after_rs: bool,
}

impl LineReader {
    pub(super) fn new(end: LineEnd, limit: usize) -> Self {
        Self {
            end,
            limit,
            begun: Vec::new(),
            chunk: Bytes::new(),
            is_after_cr: false,
            is_after_rs: false,
        }
    }

    /// Adds a chunk, once [`next`](Self::next) has returned `None`.
    pub(super) fn push(&mut self, chunk: Bytes) {
        self.chunk = chunk;
    }

    /// Returns the next complete line without its end; `None` if another chunk is needed.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        if self.is_after_cr && !self.chunk.is_empty() {
            if self.chunk.starts_with(b"\n") {
                self.chunk.advance(1);
            }
            self.is_after_cr = false;
        }
        let length = self.chunk.iter().position(|byte| self.end.is_at(*byte));
        let part = self.chunk.split_to(length.unwrap_or(self.chunk.len()));
        if part.len() > self.limit.saturating_sub(self.begun.len()) {
            return Err(too_large(self.limit));
        }
        self.begun.extend_from_slice(&part);
        if length.is_none() {
            return Ok(None);
        }
        self.is_after_cr = self.chunk.starts_with(b"\r");
        self.is_after_rs = self.chunk.starts_with(b"\x1e");
        self.chunk.advance(1);
        Ok(Some(std::mem::take(&mut self.begun)))
    }

    /// Returns whether the last complete line ended with a record separator.
    pub(super) fn ended_with_rs(&self) -> bool {
        self.is_after_rs
    }

    /// Returns the beginning of an incomplete line.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.begun)
    }
}
