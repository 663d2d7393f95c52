//! The changes since the last release, and the version bump that they require.

use client_generator::surface::{self, Bump, Difference};
use openapi_diff::Differences;
use openapi_document::finding::DocumentError;

use super::known::Known;
use super::last::Release;
use crate::commands::update::changelog::Notes;
use crate::commands::update::moves::Moves;
use crate::commands::update::version::{self, Step};
use crate::layout::Layout;

/// The changes of a release after another.
pub(super) struct Since {
    moves: Moves,
    moved: Vec<String>,
    surface: Vec<Difference>,
    wire: Differences,
    /// The version of the interface, where it is another one.
    pub(super) interface: Option<String>,
}

/// Compares a crate with that of the last release; `None` where callers see no difference.
///
/// # Errors
///
/// A crate that cannot be read.
pub(super) fn since(
    layout: &Layout,
    last: &Release,
    now: &Known,
) -> Result<Option<Since>, DocumentError> {
    let released = last.read(layout)?;
    let moves = Moves::between(&released.document.value, &now.document.value);
    let before = surface::emitted(&released.files, &released.document)?;
    let after = surface::emitted(&now.files, &now.document)?;
    let mut surface = surface::compare(&before, &after);
    // A moved operation is listed once.
    surface.retain(|one| {
        let is_moved = one.new.as_ref().is_some_and(|new| moves.has(new));
        !(is_moved && one.bump == Bump::Patch)
    });
    let interface = (released.interface() != now.interface())
        .then(|| now.interface().map(str::to_owned))
        .flatten();
    let moved = moves.sentences();
    if surface.is_empty() && moved.is_empty() {
        return Ok(None);
    }
    let wire = openapi_diff::compare(&moves.applied(released.document), &now.document);
    Ok(Some(Since {
        moves,
        moved,
        surface,
        wire,
        interface,
    }))
}

impl Since {
    /// Returns the version that is due, or the requested greater one.
    ///
    /// # Errors
    ///
    /// The requested version is invalid or less than due.
    pub(super) fn step(&self, last: &Release, asked: Option<&str>) -> Result<Step, DocumentError> {
        let bump = self.surface.iter().map(|one| one.bump).max();
        version::step(&last.version.to_string(), asked, bump, self.moves.bump())
    }

    /// The same for the changelog.
    pub(super) fn notes(&self) -> Notes<'_> {
        Notes {
            moved: &self.moved,
            surface: &self.surface,
            wire: &self.wire,
        }
    }
}
