//! The workspace that a command works on: the one of the current folder, wherever the program was built.

use std::path::Path;

use openapi_document::finding::{Finding, Stop};

use crate::layout::{Layout, MARKS};

/// Finds the workspace of a folder.
///
/// # Errors
///
/// A folder that is in none.
pub fn workspace(folder: &Path) -> Result<Layout, Stop> {
    Layout::around(folder).ok_or_else(|| {
        let [manifest, document] = MARKS;
        Stop::Unreadable(vec![Finding::about(
            "no-workspace",
            folder.to_string_lossy(),
            format!("neither this folder nor one above it has both {manifest} and {document}"),
            "run the command in the folder of a workspace, or in one below it",
        )])
    })
}
