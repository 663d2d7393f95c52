//! A prefix that moved from the paths into the addresses of the servers, or back: calls go where they went.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// What the address of a server lacks in each document.
#[derive(Clone, Debug, Default)]
pub(super) struct Base {
    pub(super) old: String,
    pub(super) new: String,
}

impl Base {
    /// Whether two addresses are one, each with what it lacks.
    pub(super) fn joins(&self, old: Option<&Value>, new: Option<&Value>) -> bool {
        let whole = |url: Option<&Value>, rest: &str| {
            let url = url.and_then(Value::as_str)?.trim_end_matches('/');
            Some(format!("{url}{rest}"))
        };
        let has_moved = !(self.old.is_empty() && self.new.is_empty());
        old == new && !has_moved || has_moved && whole(old, &self.old) == whole(new, &self.new)
    }
}

/// Which path of the old document a path of the new one is, where its prefix is part of the address in the other document.
pub(super) fn rebased<'d>(
    old: &'d Value,
    new: &'d Value,
) -> Option<(HashMap<&'d str, &'d str>, Base)> {
    let base = base(&addresses(old)?, &addresses(new)?)?;
    let (before, after) = (paths(old)?, paths(new)?);
    let whole: HashMap<String, &'d str> = before
        .keys()
        .map(|path| (format!("{}{path}", base.new), path.as_str()))
        .collect();
    // By what both call, where each has what the other's address has.
    let moved: HashMap<&'d str, &'d str> = after
        .keys()
        .filter_map(|path| Some((path.as_str(), *whole.get(&format!("{}{path}", base.old))?)))
        .collect();
    let is_clear = moved.keys().all(|path| !before.contains_key(*path));
    (is_clear && !moved.is_empty()).then_some((moved, base))
}

/// The addresses of all servers of a document, without a slash at their end.
fn addresses(root: &Value) -> Option<Vec<&str>> {
    let servers = root.get("servers")?.as_array()?;
    let urls = servers.iter().map(|server| server.get("url")?.as_str());
    let urls = urls.map(|url| url.map(|url| url.trim_end_matches('/')));
    urls.collect()
}

/// What every address of one document has more at its end than its counterpart.
fn base(old: &[&str], new: &[&str]) -> Option<Base> {
    let more = |long: &[&str], short: &[&str]| -> Option<String> {
        let mut pairs = long.iter().zip(short);
        let (first, second) = pairs.next()?;
        let rest = first.strip_prefix(second)?;
        let is_same = pairs.all(|(a, b)| a.strip_prefix(b) == Some(rest));
        (rest.starts_with('/') && is_same && long.len() == short.len()).then(|| rest.to_owned())
    };
    if let Some(new) = more(new, old) {
        return Some(Base {
            old: new,
            new: String::new(),
        });
    }
    more(old, new).map(|old| Base {
        new: old,
        old: String::new(),
    })
}

fn paths(root: &Value) -> Option<&Map<String, Value>> {
    root.get("paths")?.as_object()
}
