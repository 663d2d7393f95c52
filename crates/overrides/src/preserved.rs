//! The files that an update writes to preserve parts of an earlier document that the new one lacks. They apply after all others of their
//! family, in the order of this table, regardless of their names.

/// Values that were never null.
pub(super) const NEVER_NULL: &str = "never-null.yaml";
/// The names that callers know.
pub(super) const NAMES: &str = "names.yaml";

const LAST: [&str; 2] = [NEVER_NULL, NAMES];

/// Returns whether an update writes the file.
pub(super) fn is_preserved(path: &str) -> bool {
    order(path).0.is_some()
}

/// Returns the sort key of a file in its family. Files that a person wrote come first, in the order of their names.
pub(super) fn order(path: &str) -> (Option<usize>, &str) {
    let name = path.rsplit('/').next();
    let last = LAST.iter().position(|last| Some(*last) == name);
    (last, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_update_writes_applies_after_what_a_person_wrote() {
        let mut paths = [
            "a/names.yaml",
            "a/zoo.yaml",
            "a/never-null.yaml",
            "a/b.yaml",
        ];
        paths.sort_by_key(|path| order(path));
        assert_eq!(
            paths,
            [
                "a/b.yaml",
                "a/zoo.yaml",
                "a/never-null.yaml",
                "a/names.yaml"
            ]
        );
    }
}
