//! The files that go with a retired override: its evidence.

use openapi_overrides::Override;

use crate::install::Changes;
use crate::layout::Layout;

/// Deletes the retired overrides and what only they had. Evidence that another override names stays.
pub(crate) fn changes(layout: &Layout, retired: &[Override], kept: &[Override]) -> Changes {
    let mut gone = Vec::new();
    for one in retired {
        gone.push(one.source.path.clone());
        let is_shared = |file: &&String| kept.iter().any(|one| one.about.evidence.contains(file));
        let own = one.about.evidence.iter().filter(|file| !is_shared(file));
        gone.extend(own.map(|file| format!("{}/{file}", layout.overrides)));
    }
    gone.sort();
    gone.dedup();
    gone.retain(|file| layout.root.join(file).exists());
    gone.into_iter().map(|file| (file, None)).collect()
}
