//! Path templates: their fixed parts and parameter names.

/// Returns a template without its parameter names.
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
