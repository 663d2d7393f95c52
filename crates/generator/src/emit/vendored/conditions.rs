//! Conditions of the runtime that the emitted crate decides: tests, features that it always has, and features that it never has.

use std::collections::BTreeMap;

use super::pieces::code_only;

/// Conditions in place of a feature of the runtime.
pub(super) const ALWAYS: &str = "all()";
pub(super) const NEVER: &str = "any()";
pub(super) const WITH_CLI: &str = "feature = \"cli\"";

const IF_ALWAYS: &str = "#[cfg(all())]";
const IF_NEVER: &str = "#[cfg(any())]";

/// Decides the conditions of a file. Modules that are never compiled are left out; other items keep a condition that is never met.
pub(super) fn decided(text: &str, features: &BTreeMap<String, &str>) -> String {
    let mut text = text
        .replace("#[cfg(test)]", IF_NEVER)
        .replace("cfg(all(test,", "cfg(all(any(),");
    for (feature, condition) in features {
        text = text.replace(&format!("feature = \"{feature}\""), condition);
    }
    let lines = text.lines().filter(|line| line.trim() != IF_ALWAYS);
    let text: String = lines.map(|line| format!("{}\n", simpler(line))).collect();
    without_modules(&text).trim_end().to_owned() + "\n"
}

/// Shortens a condition that includes one that is never met to `IF_NEVER`. Other lines stay.
fn simpler(line: &str) -> String {
    match line.trim_start().strip_prefix("#[cfg(all(any(), ") {
        Some(rest) if rest.ends_with(")]") => IF_NEVER.to_owned(),
        _ => line.to_owned(),
    }
}

fn without_modules(text: &str) -> String {
    let code = code_only(text);
    let mut rest = String::new();
    let mut from = 0;
    for (at, condition) in code.match_indices(IF_NEVER) {
        let end = end_of_module(&code, at + condition.len());
        let Some(end) = end.filter(|_| at >= from) else {
            continue;
        };
        rest.push_str(text.get(from..beginning(text, at)).unwrap_or_default());
        from = end;
    }
    rest.push_str(text.get(from..).unwrap_or_default());
    rest
}

/// Returns the end of a module whose declaration follows attributes; `None` for any other item.
fn end_of_module(code: &str, at: usize) -> Option<usize> {
    let mut declaration = code.get(at..)?.trim_start();
    while declaration.starts_with("#[") {
        declaration = declaration.split_once(']')?.1.trim_start();
    }
    let item = match declaration.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => declaration,
    };
    item.trim_start().strip_prefix("mod ")?;
    let begins = code.len() - declaration.len();
    let mut depth = 0_usize;
    for (offset, one) in declaration.char_indices() {
        match one {
            ';' if depth == 0 => return Some(begins + offset + 1),
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(begins + offset + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where an item begins that has an attribute here: with the line of its first attribute or comment.
fn beginning(text: &str, at: usize) -> usize {
    let mut start = line(text, at);
    while start > 0 {
        let above = line(text, start - 1);
        let content = text.get(above..start).unwrap_or_default().trim();
        if !content.starts_with("///") && !content.starts_with("#[") {
            break;
        }
        start = above;
    }
    start
}

/// Returns the start of a byte's line.
fn line(text: &str, at: usize) -> usize {
    let before = text.get(..at).and_then(|before| before.rfind('\n'));
    before.map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_are_never_compiled_are_left_out() {
        let text = "mod a;\n\n/// Tests.\n#[cfg(test)]\n#[cfg(unix)]\nmod tests {\n    const A: &str = \"}\";\n}\n\
                    #[cfg(feature = \"b\")]\npub(crate) mod b;\n#[cfg(feature = \"c\")]\nmod c;\n\
                    #[cfg(test)]\nfn d() {}\n#[cfg(all(test, feature = \"e\"))]\nmod g {}\n#[cfg(any(feature = \"b\", feature = \"e\"))]\nmod f;\n";
        let features = [("b".to_owned(), NEVER), ("c".to_owned(), ALWAYS)];
        let decided = decided(text, &BTreeMap::from(features));
        assert_eq!(
            decided,
            "mod a;\n\n\n\nmod c;\n#[cfg(any())]\nfn d() {}\n\n#[cfg(any(any(), feature = \"e\"))]\nmod f;\n"
        );
    }
}
