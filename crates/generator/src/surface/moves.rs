//! Items that need another feature than before. A caller without the default features has only the items of the chosen features.

use openapi_diff::{Bump, Difference};

use super::Surface;
use super::item::{Item, Kind, of_items};

/// One difference for each item that needs another feature, or none any more.
pub(super) fn moved(old: &Surface, new: &Surface) -> Vec<Difference> {
    match (is_split(old), is_split(new)) {
        (true, true) => old
            .items()
            .filter_map(|item| moved_item(item, new))
            .collect(),
        (false, true) => split(old, new).into_iter().collect(),
        // The features are gone, which is a difference each.
        (_, false) => Vec::new(),
    }
}

fn is_split(surface: &Surface) -> bool {
    surface.items().any(|item| item.kind == Kind::Feature)
}

fn moved_item(old: &Item, new: &Surface) -> Option<Difference> {
    let new = new.get(&old.path, old.kind)?;
    if old.feature == new.feature {
        return None;
    }
    let path = &old.path;
    let (bump, sentence) = match (&old.feature, &new.feature) {
        (None, Some(now)) => (
            Bump::Major,
            format!("`{path}` needs the feature `{now}`, and was always there"),
        ),
        (Some(before), Some(now)) => (
            Bump::Major,
            format!("`{path}` needs the feature `{now}`, and needed `{before}`"),
        ),
        (before, None) => {
            let before = before.as_deref().unwrap_or_default();
            (
                Bump::Minor,
                format!("`{path}` is always there, and needed the feature `{before}`"),
            )
        }
    };
    Some(of_items(old, bump, Some(old), Some(new), sentence))
}

/// One difference for a crate that is split now, where each operation and most types need a feature.
fn split(old: &Surface, new: &Surface) -> Option<Difference> {
    let old = old.items().find(|item| item.kind == Kind::Package)?;
    let new = new.items().find(|item| item.kind == Kind::Package)?;
    let sentence = "operations need features now: callers without the default features name groups";
    let sentence = sentence.to_owned();
    Some(of_items(new, Bump::Major, Some(old), Some(new), sentence))
}
