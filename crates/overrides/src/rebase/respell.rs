//! Rewrites a target with the names of the new document, step by step: wildcards and filters are kept.

use openapi_document::pointer;
use openapi_overlay::lists;

use super::correspondence::Correspondence;
use super::pointers::component;
use super::query::{named, quote};

impl Correspondence<'_> {
    /// Returns the target with new names; `None` if a step has no single counterpart.
    pub(super) fn respelled(&self, target: &str) -> Option<String> {
        let starts = openapi_overlay::steps(target);
        let mut text = target.get(..*starts.first()?)?.to_owned();
        let mut above: Vec<Vec<String>> = Vec::new();
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(target.len());
            let step = target.get(*start..end)?;
            let names = names(step);
            let one = |depth: usize| -> Option<&str> {
                match above.get(depth)?.as_slice() {
                    [name] => Some(name.as_str()),
                    _ => None,
                }
            };
            let renamed: Option<Vec<String>> = match (&names, one(0), above.len()) {
                (Some(names), Some("paths"), 1) => {
                    Some(names.iter().map(|path| self.path(path)).collect())
                }
                (Some(names), Some("components"), 2) => {
                    let kind = one(1)?;
                    let new = |name: &String| self.renamed(kind, name);
                    Some(names.iter().map(new).collect::<Option<_>>()?)
                }
                _ => None,
            };
            match (renamed, &names) {
                (Some(renamed), Some(names)) if renamed != *names => {
                    let quoted: Vec<String> = renamed.iter().map(|name| quote(name)).collect();
                    match renamed.as_slice() {
                        [name] => text.push_str(&named(name)),
                        _ => text.push_str(&format!("[{}]", quoted.join(","))),
                    }
                }
                _ if step.starts_with("[?") => text.push_str(&self.filter(step, one(1))?),
                _ => text.push_str(step),
            }
            above.push(names.unwrap_or_default());
        }
        Some(text)
    }

    /// Returns the name of a component in the new document; the same if an override adds it.
    pub(super) fn renamed(&self, kind: &str, name: &str) -> Option<String> {
        let at = pointer::join(&pointer::join("/components", kind), name);
        if self.old.pointer(&at).is_none() {
            return Some(name.to_owned());
        }
        let one = self.named(&at)?;
        component(&one)
            .filter(|(other, _)| other == kind)
            .map(|(_, name)| name)
    }

    /// Rewrites a filter by reference with the new reference, and one by name with the new name of a path parameter.
    fn filter(&self, step: &str, path: Option<&str>) -> Option<String> {
        if let Some((before, reference, after)) = quoted(step, "'#/components/") {
            let reference = reference.strip_prefix('#')?;
            if self.old.pointer(reference).is_none() {
                return Some(step.to_owned());
            }
            if let Some(one) = self.named(reference) {
                let text = quote(&format!("#{one}"));
                return Some(format!("{before}{text}{after}"));
            }
            // An inlined parameter is identified by its name.
            let value = self.old.pointer(reference)?;
            let (_, name) = lists::key(self.old, value)?;
            return Some(format!("[?(@.name == {})]", quote(&name)));
        }
        let names = path.map(|path| self.names(path)).unwrap_or_default();
        let changed = names
            .iter()
            .find(|(old, _)| step.contains(&format!("@.name == {}", quote(old))));
        Some(match changed {
            Some((old, new)) => step.replace(&quote(old), &quote(new)),
            None => step.to_owned(),
        })
    }
}

/// Returns a single-quoted string that begins with `start`, and the parts before and after it.
fn quoted<'s>(step: &'s str, start: &str) -> Option<(&'s str, &'s str, &'s str)> {
    let at = step.find(start)?;
    let (before, rest) = step.split_at_checked(at)?;
    let rest = rest.get(1..)?;
    let (inside, after) = rest.split_once('\'')?;
    Some((before, inside, after))
}

/// Returns the names of a step; `None` for a wildcard or a filter.
fn names(step: &str) -> Option<Vec<String>> {
    if let Some(name) = step.strip_prefix('.') {
        return (name != "*" && !name.is_empty()).then(|| vec![name.to_owned()]);
    }
    let mut rest = step.strip_prefix('[')?.strip_suffix(']')?.trim();
    let mut names = Vec::new();
    loop {
        let open = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let mut name = String::new();
        let mut letters = rest.char_indices().skip(1);
        let end = loop {
            match letters.next()? {
                (_, '\\') => name.push(letters.next()?.1),
                (at, c) if c == open => break at,
                (_, c) => name.push(c),
            }
        };
        names.push(name);
        rest = rest.get(end + 1..)?.trim();
        if rest.is_empty() {
            return Some(names);
        }
        rest = rest.strip_prefix(',')?.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_are_read_from_every_spelling_of_a_step() {
        let of = |step: &str| names(step).map(|names| names.join("|"));
        assert_eq!(of(".a").as_deref(), Some("a"));
        assert_eq!(of("['/v1/a', \"b\\\"c\"]").as_deref(), Some("/v1/a|b\"c"));
        assert_eq!(of("[*]"), None);
        assert_eq!(of("[?(@.name == 'a')]"), None);
        assert_eq!(of("[0]"), None);
    }
}
