//! The templates of paths: what is fixed, and the names in braces.

/// A template without the names in its braces.
pub(super) fn shape(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    let mut inside = false;
    for c in path.chars() {
        inside &= c != '}';
        if !inside {
            shape.push(c);
        }
        inside |= c == '{';
    }
    shape
}

/// The names in the braces of a template, in their order.
pub(super) fn names(path: &str) -> Vec<&str> {
    path.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}
