//! `cargo xtask overrides`: lists overrides, checks them against a document, and writes them.

mod check;
mod list;
mod rebase;
mod write;

use crate::layout::Layout;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given;
use openapi_document::program::{command, generate};
use openapi_document::source::Source;
use openapi_overrides::OverrideSet;

pub use check::check;
pub use list::list;
pub use rebase::{RebaseOptions, rebase};
pub(in crate::commands) use rebase::{evidence, judged, rebased, show};
pub use write::{guard, new};

/// The two inputs of every one of these commands.
struct Loaded {
    published: Source,
    set: OverrideSet,
}

/// A finding about another document than the published one: the commands in its help are about that one too.
pub(in crate::commands) fn about_document(
    mut finding: Finding,
    document: &str,
    then: &str,
) -> Finding {
    let guard = command("overrides guard ");
    let mut help = String::new();
    let mut rest = finding.help.as_str();
    while let Some((before, after)) = rest.split_once(&guard) {
        let (ids, behind) = after.split_once('`').unwrap_or((after, ""));
        help.push_str(&format!("{before}{guard}{ids} --document {document}`"));
        rest = behind;
    }
    help.push_str(rest);
    finding.help = help.replace(&generate(), then);
    finding
}

fn load(layout: &Layout, document: Option<&str>) -> Result<Loaded, DocumentError> {
    Ok(Loaded {
        published: given::document(&layout.root, document.unwrap_or(&layout.document))?,
        set: layout.set()?,
    })
}
