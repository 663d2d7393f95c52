//! Operations whose paging was found in the document.

use std::io::{self, Write};

use openapi_document::readable::{counted, listed};
use openapi_model::Detection;

use super::status::line;

/// Operations of one reason that are named.
const NAMED: usize = 3;

/// Prints what was detected by its reason.
pub(super) fn print(detections: &[Detection], all: bool, out: &mut dyn Write) -> io::Result<()> {
    for (reason, found) in Detection::by_reason(detections) {
        let count = counted(found.len(), "operation");
        let named = listed(&found, if all { found.len() } else { NAMED });
        line(out, "Paging", &format!("{count} ({named}): {reason}"))?;
    }
    Ok(())
}
