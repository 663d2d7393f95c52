//! Where the lines of a journal are: in a file that no other run writes, or in memory.

use std::fs::{File, OpenOptions};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::Path;

use fs4::fs_std::FileExt;

/// Where a line is, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: u64,
    pub(super) length: usize,
}

/// Lines that are appended, and read again.
pub(super) enum Storage {
    File(File),
    Memory(Cursor<Vec<u8>>),
}

/// Decodes a journal. A line that broke off may end within a character, which is left out.
pub(super) fn text(mut bytes: Vec<u8>) -> io::Result<String> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n');
    let broken = whole.map_or(0, |end| end.saturating_add(1));
    let tail = bytes.get(broken..).unwrap_or_default();
    if let Err(error) = str::from_utf8(tail) {
        bytes.truncate(broken.saturating_add(error.valid_up_to()));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

impl Storage {
    pub(super) fn memory() -> Self {
        Self::Memory(Cursor::new(Vec::new()))
    }

    /// Opens and locks a file, or creates it; `None` if another process has locked it.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(false);
        let file = options.open(path)?;
        Ok(file.try_lock_exclusive()?.then_some(Self::File(file)))
    }

    pub(super) fn text(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        self.seek(SeekFrom::Start(0))?;
        match self {
            Self::File(file) => file.read_to_end(&mut bytes)?,
            Self::Memory(memory) => memory.read_to_end(&mut bytes)?,
        };
        text(bytes)
    }

    /// Leaves the first bytes alone, and removes the rest.
    pub(super) fn cut(&mut self, length: usize) -> io::Result<()> {
        match self {
            Self::File(file) => file.set_len(u64::try_from(length).unwrap_or(u64::MAX)),
            Self::Memory(memory) => {
                memory.get_mut().truncate(length);
                Ok(())
            }
        }
    }

    /// Appends lines, and returns where they begin.
    pub(super) fn append(&mut self, lines: &[u8]) -> io::Result<u64> {
        let start = self.seek(SeekFrom::End(0))?;
        match self {
            Self::File(file) => file.write_all(lines)?,
            Self::Memory(memory) => memory.write_all(lines)?,
        }
        Ok(start)
    }

    /// Reads a line.
    pub(super) fn line(&mut self, place: Place) -> io::Result<Vec<u8>> {
        let mut line = vec![0; place.length];
        self.seek(SeekFrom::Start(place.start))?;
        match self {
            Self::File(file) => file.read_exact(&mut line)?,
            Self::Memory(memory) => memory.read_exact(&mut line)?,
        }
        Ok(line)
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Memory(memory) => memory.seek(to),
        }
    }
}
