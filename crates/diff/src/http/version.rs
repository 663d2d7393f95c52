//! The version of the document, checked against its changes.

use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Wire, quote, rules};

/// Records a version that does not fit the changes: `worst` is their worst verdict, `matters` is true if one is more than documentation.
/// Versions other than semver are left to the provider.
pub(crate) fn version(documents: &mut Documents<'_>, worst: Wire, matters: bool) {
    let info = documents.roots().keyword("info");
    let version = info.inner("version");
    let numbers = version.old.zip(version.new);
    let numbers = numbers.and_then(|(old, new)| breaking(old).zip(breaking(new)));
    let Some((old, new)) = numbers else {
        return;
    };
    let (rule, what) = match worst {
        Wire::Breaking if new <= old => (
            &rules::VERSION_COMPATIBLE,
            "promises that nothing breaks, and something does",
        ),
        _ if matters && !version.differs() => (&rules::VERSION_SAME, "is that of the old document"),
        _ => return,
    };
    documents.aside(rule, version, || {
        format!(
            "the version {} {what}",
            version.new.map_or(String::new(), quote)
        )
    });
}

/// Returns the parts of a version that a breaking change raises. From 1.0.0 on, the second is zero.
fn breaking(version: &Value) -> Option<(u64, u64)> {
    let version = version.as_str()?.split(['-', '+']).next()?;
    let numbers = version.strip_prefix('v').unwrap_or(version).split('.');
    let numbers: Option<Vec<u64>> = numbers.map(|number| number.parse().ok()).collect();
    match numbers?.as_slice() {
        [0, minor, _] => Some((0, *minor)),
        [major, _, _] => Some((*major, 0)),
        _ => None,
    }
}
