//! Where the lines of a journal are: in a file that no other run writes, or in memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
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
    Memory(Vec<u8>),
}

impl Storage {
    /// Opens and locks a file, or creates it; `None` if another process has locked it.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(false);
        let file = options.open(path)?;
        Ok(file.try_lock_exclusive()?.then_some(Self::File(file)))
    }

    /// Reads a file, if there is one. It is left unchanged.
    pub(super) fn copy(path: &Path) -> io::Result<Self> {
        match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Memory(Vec::new())),
            read => Ok(Self::Memory(read?)),
        }
    }

    /// Returns all lines. One that broke off may end within a character, which is left out.
    pub(super) fn text(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        match self {
            Self::File(file) => _ = file.read_to_end(&mut bytes)?,
            Self::Memory(memory) => bytes.clone_from(memory),
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        let broken = whole.map_or(0, |end| end.saturating_add(1));
        let tail = bytes.get(broken..).unwrap_or_default();
        if let Err(error) = str::from_utf8(tail) {
            bytes.truncate(broken.saturating_add(error.valid_up_to()));
        }
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Leaves the first bytes alone, and removes the rest.
    pub(super) fn cut(&mut self, length: usize) -> io::Result<()> {
        match self {
            Self::File(file) => file.set_len(u64::try_from(length).unwrap_or(u64::MAX)),
            Self::Memory(memory) => {
                memory.truncate(length);
                Ok(())
            }
        }
    }

    /// Appends a line, and returns where it begins. Memory has only those that are read again.
    pub(super) fn append(&mut self, line: &[u8], is_read_again: bool) -> io::Result<u64> {
        match self {
            Self::File(file) => {
                let start = file.seek(SeekFrom::End(0))?;
                file.write_all(line)?;
                Ok(start)
            }
            Self::Memory(memory) => {
                let start = u64::try_from(memory.len()).unwrap_or(u64::MAX);
                if is_read_again {
                    memory.extend_from_slice(line);
                }
                Ok(start)
            }
        }
    }

    /// Reads a line.
    pub(super) fn line(&mut self, place: Place) -> io::Result<Vec<u8>> {
        match self {
            Self::File(file) => {
                let mut line = vec![0; place.length];
                file.seek(SeekFrom::Start(place.start))?;
                file.read_exact(&mut line)?;
                Ok(line)
            }
            Self::Memory(memory) => {
                let start = usize::try_from(place.start).unwrap_or(usize::MAX);
                let line = memory.get(start..start.saturating_add(place.length));
                Ok(line.unwrap_or_default().to_vec())
            }
        }
    }
}
