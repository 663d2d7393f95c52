//! The files that an update writes by itself: what an earlier document said is kept where the new one is silent. They apply after all others of
//! their family, in the order of this table, whatever their names are.

/// What was never null.
pub const NEVER_NULL: &str = "never-null.yaml";
/// What schemas said that are empty now.
pub const SCHEMAS: &str = "what-schemas-said.yaml";
/// How parameters were written, their bounds and their defaults.
pub const PARAMETERS: &str = "what-parameters-said.yaml";
/// Which operations needed credentials.
pub const SECURITY: &str = "what-security-said.yaml";
/// The names that callers know.
pub const NAMES: &str = "names.yaml";

const LAST: [&str; 5] = [NEVER_NULL, SCHEMAS, PARAMETERS, SECURITY, NAMES];

/// The turn of a file in its family. Files that a person wrote come first, in the order of their names.
pub(super) fn turn(path: &str) -> (Option<usize>, &str) {
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
        paths.sort_by_key(|path| turn(path));
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
