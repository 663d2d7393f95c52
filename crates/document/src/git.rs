//! Read-only queries of git.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs git in a folder and returns its output.
///
/// # Errors
///
/// Git cannot run, or fails; the error is its message.
#[expect(clippy::disallowed_methods, reason = "it runs git")]
pub fn git(root: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut git = Command::new("git");
    if !root.as_os_str().is_empty() {
        git.current_dir(root);
    }
    let output = git
        .args(arguments)
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(message.trim().to_owned())
}

/// Returns the contents of a file in git, such as `HEAD:spec/openapi.yaml`.
///
/// # Errors
///
/// Git does not have the file, or it is not valid UTF-8.
pub fn show(root: &Path, object: &str) -> Result<String, String> {
    let bytes = git(root, &["show", "--end-of-options", object])
        .map_err(|message| format!("git does not have this file: {message}"))?;
    String::from_utf8(bytes).map_err(|_| "the file is not valid UTF-8".to_owned())
}

/// Returns a folder's path from the top of the repository: empty for the top and for folders above it, and `None` for any other.
pub fn folder(root: &Path, folder: &Path) -> Option<String> {
    let top = String::from_utf8(git(root, &["rev-parse", "--show-toplevel"]).ok()?).ok()?;
    let top = PathBuf::from(top.trim_end()).canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    if top.starts_with(&folder) {
        return Some(String::new());
    }
    let path = folder.strip_prefix(&top).ok()?;
    Some(path.to_string_lossy().replace('\\', "/"))
}
