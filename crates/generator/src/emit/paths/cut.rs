//! Determines the part of a long path that is imported.

/// The names in scope in every file.
const PRELUDE: [&[&str]; 18] = [
    &["std", "boxed", "Box"],
    &["std", "cmp", "PartialEq"],
    &["std", "convert", "AsRef"],
    &["std", "convert", "From"],
    &["std", "convert", "Into"],
    &["std", "convert", "TryFrom"],
    &["std", "default", "Default"],
    &["std", "iter", "IntoIterator"],
    &["std", "marker", "Send"],
    &["std", "option", "Option"],
    &["std", "option", "Option", "None"],
    &["std", "option", "Option", "Some"],
    &["std", "result", "Result"],
    &["std", "result", "Result", "Err"],
    &["std", "result", "Result", "Ok"],
    &["std", "string", "String"],
    &["std", "string", "ToString"],
    &["std", "vec", "Vec"],
];

/// Names that no import may hide, although a file does not mention them.
const RESERVED: [&str; 8] = [
    "Clone", "Copy", "Drop", "Eq", "Iterator", "Ord", "Send", "Sync",
];

/// Modules whose items are written with the module, because their names alone are unclear or taken.
const MODULES: [&[&str]; 2] = [&["std", "fmt"], &["generated_client", "wire"]];

/// The index of the segment that a short path begins with; 0 where the crate's name stays.
pub(super) fn cut(path: &[String]) -> usize {
    let mut modules = MODULES.iter();
    if let Some(module) = modules.find(|module| path.len() > module.len() && is(path, module)) {
        return module.len() - 1;
    }
    let item = path
        .iter()
        .position(|name| name.starts_with(char::is_uppercase));
    // A function is called with its module.
    item.unwrap_or(path.len().saturating_sub(2))
}

/// Returns whether a path begins with these segments.
fn is(path: &[String], begin: &[&str]) -> bool {
    begin.iter().zip(path).all(|(left, right)| left == right)
}

/// The index of the segment that a path can begin with because it is in scope everywhere, unless it is hidden.
pub(crate) fn in_prelude(path: &[String], is_hidden: impl Fn(&[&str]) -> bool) -> Option<usize> {
    let known = PRELUDE
        .iter()
        .filter(|one| one.len() <= path.len() && is(path, one));
    known
        .filter(|one| !is_hidden(one))
        .map(|one| one.len() - 1)
        .max()
}

/// Returns whether an import would hide a name that every file may use.
pub(super) fn is_reserved(name: &str) -> bool {
    let of_prelude = PRELUDE.iter().filter_map(|path| path.last());
    of_prelude.chain(&RESERVED).any(|one| *one == name)
}
