//! The version of the document, checked against its changes.

use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Mark, Wire, quote, rules};

/// Records a version that does not fit the changes: `worst` is their worst verdict, `matters` is true if one is more than documentation.
/// Versions other than semver are left to the provider.
pub(crate) fn version(documents: &mut Documents<'_>, worst: Wire, matters: bool) {
    let (old, new) = (documents.schemas.old.root, documents.schemas.new.root);
    let (Some((old, a)), Some((new, b))) = (given(old), given(new)) else {
        return;
    };
    let (Some(x), Some(y)) = (breaking(a), breaking(b)) else {
        return;
    };
    let (rule, what) = match worst {
        Wire::Breaking if y <= x => (
            &rules::VERSION_COMPATIBLE,
            "promises that nothing breaks, and something does",
        ),
        _ if matters && a == b => (&rules::VERSION_SAME, "is that of the old document"),
        _ => return,
    };
    documents.aside(
        rule,
        Mark::within(Some(a), old),
        Mark::within(Some(b), new),
        || format!("the version {} {what}", quote(b)),
    );
}

/// Returns the version of a document, and the object that has it.
fn given(root: &Value) -> Option<(&Value, &Value)> {
    let info = root.get("info")?;
    Some((info, info.get("version")?))
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
