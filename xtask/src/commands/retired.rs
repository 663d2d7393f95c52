//! The files that go with a retired override: its evidence, and the reviewed files of its test.

use openapi_overrides::Override;

use crate::install::Changes;
use crate::layout::Layout;

/// Folders of reviewed files that are named after an override, relative to the root, and how the names end.
pub(crate) const NAMED: [(&str, &str); 2] = [
    ("tests/generator/tests/suite/overrides/snapshots", "snap"),
    ("tests/facts/forms", "json"),
];

/// Deletes the retired overrides and what only they had. Evidence that another override names stays.
pub(crate) fn changes(layout: &Layout, retired: &[Override], kept: &[Override]) -> Changes {
    let mut gone = Vec::new();
    for one in retired {
        gone.push(one.source.path.clone());
        let is_shared = |file: &&String| kept.iter().any(|one| one.about.evidence.contains(file));
        let own = one.about.evidence.iter().filter(|file| !is_shared(file));
        gone.extend(own.map(|file| format!("{}/{file}", layout.overrides)));
        let named = NAMED.map(|(folder, ending)| format!("{folder}/{}.{ending}", one.id));
        gone.extend(named);
    }
    gone.sort();
    gone.dedup();
    gone.retain(|file| layout.root.join(file).exists());
    gone.into_iter().map(|file| (file, None)).collect()
}
