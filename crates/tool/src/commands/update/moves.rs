//! Operations that moved to another path, which is one fact for callers however many operations it is.

use std::collections::BTreeMap;

use client_generator::surface::Bump;
use openapi_diff::PathMove;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;
use serde_json::Value;

/// The paths that moved between two documents.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves(Vec<PathMove>);

/// The change of a path: the old prefix, the new prefix, and an added (`true`) or removed slash at the end.
type Kind<'m> = (&'m str, &'m str, Option<bool>);

impl Moves {
    /// Finds the moves, including likely ones: a sentence about one has no consequences.
    pub(super) fn between(old: &Value, new: &Value) -> Self {
        Self(openapi_diff::moves(old, new))
    }

    /// Returns the document with its operations moved, so that the move causes no other difference.
    pub(super) fn applied(&self, document: Source) -> Source {
        if self.0.is_empty() {
            return document;
        }
        let mut value = document.value.clone();
        if let Some(Value::Object(paths)) = value.get_mut("paths") {
            let renamed = std::mem::take(paths).into_iter().map(|(path, item)| {
                let moved = self.0.iter().find(|one| one.old == path);
                (moved.map_or(path, |one| one.new.clone()), item)
            });
            *paths = renamed.collect();
        }
        document.with_value(value)
    }

    /// Returns the report on the document, with its operations moved.
    pub(super) fn moved(&self, mut report: OverrideReport) -> OverrideReport {
        let changes = report.applied.iter_mut().flat_map(|one| &mut one.changes);
        for change in changes {
            let moved = self.0.iter().find_map(|one| {
                let old = pointer::join("/paths", &one.old);
                let rest = change.pointer.strip_prefix(&old)?;
                pointer::is_within(&change.pointer, &old)
                    .then(|| format!("{}{rest}", pointer::join("/paths", &one.new)))
            });
            if let Some(moved) = moved {
                change.pointer = moved;
            }
        }
        report
    }

    /// Returns the bump of the moves. All code builds, but proxies and recordings that match paths see another service.
    pub(super) fn bump(&self) -> Option<Bump> {
        let kinds = self.0.iter().map(kind);
        let bumps = kinds.map(|(from, to, _)| if from == to { Bump::Minor } else { Bump::Major });
        bumps.max()
    }

    /// A sentence for each kind of move.
    pub(super) fn sentences(&self) -> Vec<String> {
        let mut kinds: BTreeMap<Kind<'_>, Vec<&PathMove>> = BTreeMap::new();
        for one in &self.0 {
            kinds.entry(kind(one)).or_default().push(one);
        }
        let mut sentences = Vec::new();
        for ((from, to, slash), moves) in kinds {
            if let [one] = moves.as_slice() {
                sentences.push(format!("`{}` is called at `{}` now", one.old, one.new));
                continue;
            }
            let mut what = Vec::new();
            match (from, to) {
                _ if from == to => {}
                ("", to) => what.push(format!("begin with `{to}`")),
                (from, "") => what.push(format!("no longer begin with `{from}`")),
                (from, to) => what.push(format!("begin with `{to}` instead of `{from}`")),
            }
            if let Some(has_slash) = slash {
                let not = if has_slash { "" } else { "no longer " };
                what.push(format!("{not}end with a slash"));
            }
            sentences.push(format!("{} paths {}", moves.len(), what.join(" and ")));
        }
        sentences
    }
}

fn kind(one: &PathMove) -> Kind<'_> {
    let (from, to) = (one.old.as_str(), one.new.as_str());
    let slash = (from.ends_with('/') != to.ends_with('/')).then(|| to.ends_with('/'));
    let (mut from, mut to) = (from.trim_end_matches('/'), to.trim_end_matches('/'));
    while let (Some((before, last)), Some((other, same))) =
        (from.rsplit_once('/'), to.rsplit_once('/'))
        && is_same_step(last, same)
    {
        (from, to) = (before, other);
    }
    (from, to, slash)
}

/// Returns whether two steps of a path are equal; the names of parameters do not count.
fn is_same_step(one: &str, other: &str) -> bool {
    let mut steps = [one, other].into_iter();
    one == other || steps.all(|step| step.starts_with('{') && step.ends_with('}'))
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn document(paths: &[(&str, Option<&str>)]) -> Value {
        let paths: Map<String, Value> = paths
            .iter()
            .map(|(path, id)| ((*path).to_owned(), json!({"get": {"operationId": id}})))
            .collect();
        json!({"paths": paths})
    }

    #[test]
    fn paths_that_moved_alike_are_one_sentence() {
        let old = document(&[("/v1/a", Some("a")), ("/v1/b/{x}", Some("b")), ("/c", None)]);
        for (new, sentences, bump) in [
            (
                document(&[("/v2/a", Some("a")), ("/v2/b/{y}", Some("b")), ("/c", None)]),
                vec!["2 paths begin with `/v2` instead of `/v1`"],
                Some(Bump::Major),
            ),
            (
                document(&[
                    ("/v1/a/", Some("a")),
                    ("/v1/b/{x}/", Some("b")),
                    ("/c/", None),
                ]),
                vec!["3 paths end with a slash"],
                Some(Bump::Minor),
            ),
            (
                document(&[
                    ("/v2/a/", Some("a")),
                    ("/v2/b/{x}/", Some("b")),
                    ("/c", None),
                ]),
                vec!["2 paths begin with `/v2` instead of `/v1` and end with a slash"],
                Some(Bump::Major),
            ),
            (
                document(&[("/a", Some("a")), ("/x/v1/b/{x}", Some("b")), ("/c", None)]),
                vec![
                    "`/v1/b/{x}` is called at `/x/v1/b/{x}` now",
                    "`/v1/a` is called at `/a` now",
                ],
                Some(Bump::Major),
            ),
            (old.clone(), vec![], None),
            (document(&[("/b", Some("other"))]), vec![], None),
        ] {
            let moves = Moves::between(&old, &new);
            assert_eq!(moves.sentences(), sentences);
            assert_eq!(moves.bump(), bump, "{sentences:?}");
        }
    }

    #[test]
    fn an_operation_that_was_copied_or_split_did_not_move() {
        let old =
            json!({"paths": {"/a": {"get": {"operationId": "x"}, "post": {"operationId": "y"}}}});
        let new = json!({"paths": {
            "/b": {"get": {"operationId": "x"}}, "/c": {"post": {"operationId": "y"}}}});
        assert_eq!(Moves::between(&old, &new).sentences(), [""; 0]);
        let copied = json!({"paths": {"/a": old["paths"]["/a"], "/b": old["paths"]["/a"]}});
        assert_eq!(Moves::between(&old, &copied).sentences(), [""; 0]);
    }
}
