//! Operations whose paging was found in the document, and those that may page, with the override that decides it.

use std::io::{self, Write};

use openapi_model::Detection;
use openapi_model::extensions::Pagination;

use super::status::{counted, line};

/// Operations of one reason that are named.
const NAMED: usize = 3;

/// Prints what was detected by its reason: to `out` what is certain, to `err` what is doubtful.
pub(super) fn print(
    detections: &[Detection],
    all: bool,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    for found in Detection::by_reason(detections) {
        let operations = named(&found, all);
        let Some(Detection {
            pagination,
            reason,
            doubt,
            ..
        }) = found.first()
        else {
            continue;
        };
        match doubt {
            Some(doubt) => writeln!(
                err,
                "note: may page, and {doubt}: {operations}\n  = {reason}\n  = help: decide it in an override{}\n",
                suggestion(pagination)
            )?,
            None => line(out, "Paging", &format!("{operations}: {reason}"))?,
        }
    }
    Ok(())
}

/// The rest of a sentence about an override that can be copied.
fn suggestion(pagination: &Pagination) -> String {
    if pagination.is_whole() {
        format!(", as in `x-pagination: {pagination}`, or `x-pagination: false`")
    } else {
        ": the location of the records and the next page, or `x-pagination: false`".to_owned()
    }
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
