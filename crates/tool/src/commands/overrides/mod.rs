//! `cargo xtask overrides`: lists overrides, checks them against a document, and writes them.

mod check;
mod list;
mod rebase;
mod write;

use client_generator::generate::Layout;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given;
use openapi_document::program::{command, generate};
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Rebase};

pub use check::check;
pub use list::list;
pub use rebase::{RebaseOptions, rebase};
pub(in crate::commands) use rebase::{changed, judged, proposed, rebased, show};
pub use write::{guard, new};

/// The two inputs of every one of these commands.
struct Loaded {
    published: Source,
    /// In the terms of the document.
    set: OverrideSet,
    /// How overrides followed another document than the published one.
    rebase: Rebase,
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

/// Reads the overrides with the published document, or with another one as an update to it would move them.
fn load(layout: &Layout, document: Option<&str>) -> Result<Loaded, DocumentError> {
    let published = given::document(&layout.root, &layout.document)?;
    let set = layout.set()?;
    let Some(document) = document else {
        let rebase = Rebase::default();
        return Ok(Loaded {
            published,
            set,
            rebase,
        });
    };
    let new = given::document(&layout.root, document)?;
    let mut rebase = rebased(layout, (&published, &new), &set, true)?;
    Ok(Loaded {
        published: new,
        set: std::mem::take(&mut rebase.set),
        rebase,
    })
}
