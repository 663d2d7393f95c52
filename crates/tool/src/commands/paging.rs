//! Operations whose paging was found in the document.

use std::io::{self, Write};

use openapi_document::readable::counted;
use openapi_model::Detection;

use super::status::line;

/// Operations of one reason that are named.
const NAMED: usize = 3;

/// Prints what was detected by its reason.
pub(super) fn print(detections: &[Detection], all: bool, out: &mut dyn Write) -> io::Result<()> {
    for (reason, found) in Detection::by_reason(detections) {
        line(out, "Paging", &format!("{}: {reason}", named(&found, all)))?;
    }
    Ok(())
}

/// The operations, by name up to some, and the number of the others.
fn named(found: &[&Detection], all: bool) -> String {
    let shown = if all { found.len() } else { NAMED };
    let names = found.iter().take(shown);
    let mut names: Vec<String> = names.map(|one| format!("`{}`", one.operation)).collect();
    match found.len().saturating_sub(shown) {
        0 => {}
        1 => names.push("1 other".to_owned()),
        more => names.push(format!("{more} others")),
    }
    format!(
        "{} ({})",
        counted(found.len(), "operation"),
        names.join(", ")
    )
}
