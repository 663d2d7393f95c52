//! The other files of a document, to which references may lead. A document may be from anyone, and its included files appear in
//! reports and in the generated crate, so references reach only regular files below one folder.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::input::text;
use crate::finding::DocumentError;

/// Maximum bytes of one file. The largest published documents have 40 MB.
pub const LARGEST: u64 = 64 << 20;

/// Maximum bytes of all files of a document beside the first.
pub(super) const LARGEST_SUM: u64 = 2 * LARGEST;

/// The folder that referenced files must be below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Root {
    /// The folder of the document.
    #[default]
    Own,
    /// The folder of the document, unless the option `--root` names another one.
    Option(Option<PathBuf>),
}

impl Root {
    /// Returns the folder that the user named.
    pub fn named(&self) -> Option<&Path> {
        match self {
            Self::Own => None,
            Self::Option(named) => named.as_deref(),
        }
    }

    /// Returns the advice for a file outside of the folder.
    pub(super) fn help(&self) -> &'static str {
        match self {
            Self::Own => {
                "move the file below that folder, or bundle all files into one document \
                 (`npx @redocly/cli bundle FIRST --output bundled.yaml`)"
            }
            Self::Option(_) => {
                "if the document may include this file, name a folder above both with `--root DIR`"
            }
        }
    }
}

/// A referenced file that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Path of the file, with links resolved.
    pub(super) file: String,
    pub(super) reason: String,
    /// True if another root would allow it.
    pub(super) is_outside: bool,
}

impl Refused {
    /// Refuses a file that is not below the root.
    pub fn outside(file: impl Into<String>, root: &str) -> Self {
        Self {
            file: file.into(),
            reason: format!("is outside of {root}"),
            is_outside: true,
        }
    }

    /// Refuses a file that is larger than [`LARGEST`].
    pub fn large(file: impl Into<String>) -> Self {
        Self::because(file, too_large())
    }

    pub(super) fn because(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            reason: reason.into(),
            is_outside: false,
        }
    }
}

/// Reads a file by its path from the folder of the first; `None` if it cannot be read.
pub type Fetch<'f> = dyn Fn(&str) -> Result<Option<String>, Refused> + 'f;

/// Reads the first file of a document, and returns the folder of the others: none for a pipe or a device.
///
/// # Errors
///
/// The file cannot be read.
pub fn first(root: &Path, path: &str) -> Result<(String, Option<PathBuf>), DocumentError> {
    let text = text(root, path)?;
    let file = root.join(path);
    let folder = file.parent().filter(|_| file.is_file());
    Ok((text, folder.map(Path::to_owned)))
}

/// Reads a file by its path from `folder`, if it is a regular file below the root after links are followed.
///
/// # Errors
///
/// The file is refused; it was not opened.
pub fn below(folder: &Path, root: &Root, path: &str) -> Result<Option<String>, Refused> {
    let root = canonical(root.named().unwrap_or(folder));
    let (Ok(root), Ok(file)) = (root, canonical(&folder.join(path))) else {
        return Ok(None);
    };
    let shown = file.to_string_lossy();
    if !file.starts_with(&root) {
        return Err(Refused::outside(shown, &root.to_string_lossy()));
    }
    let Ok(data) = file.metadata() else {
        return Ok(None);
    };
    if !data.is_file() {
        // A pipe does not end, and a device may not.
        return if data.is_dir() {
            Ok(None)
        } else {
            Err(Refused::because(shown, NOT_REGULAR))
        };
    }
    match bytes(&file) {
        Ok(bytes) => Ok(String::from_utf8(bytes).ok()),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(Refused::large(shown)),
        Err(_) => Ok(None),
    }
}

/// Returns a path with links resolved; the empty one is the current folder.
fn canonical(path: &Path) -> io::Result<PathBuf> {
    if path.as_os_str().is_empty() {
        Path::new(".").canonicalize()
    } else {
        path.canonicalize()
    }
}

const NOT_REGULAR: &str = "is not a regular file";

fn too_large() -> String {
    format!("is larger than the {} MiB for one file", LARGEST >> 20)
}

/// Reads a regular file, or a pipe that the shell opened for this process, such as `/dev/fd/63` for `<(command)`.
///
/// # Errors
///
/// The file cannot be read, has more than [`LARGEST`] bytes, or is neither of the two: a named pipe has no end without a writer, and a device
/// may have none.
pub fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let data = std::fs::metadata(path)?;
    if !data.is_file() && !data.is_dir() && !is_open(path) {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            format!("it {NOT_REGULAR}"),
        ));
    }
    limited(File::open(path)?)
}

/// Reads a file in UTF-8, as [`bytes`] does.
///
/// # Errors
///
/// Those of [`bytes`], and for other bytes.
pub fn string(path: &Path) -> io::Result<String> {
    utf8(bytes(path)?)
}

/// Reads bytes in UTF-8.
pub(crate) fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    let text = String::from_utf8(bytes);
    text.map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

/// Reads to the end, up to [`LARGEST`] bytes.
///
/// # Errors
///
/// Those of the reader, and for more bytes.
pub(crate) fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        Err(io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it {}", too_large()),
        ))
    } else {
        Ok(bytes)
    }
}

/// Returns whether a path names a file that this process has open.
fn is_open(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(Path::new(""));
    path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"]
            .iter()
            .any(|open| folder == Path::new(open))
}
