//! Bodies by media type, in requests, responses and the parameters that have them.

use serde_json::Value;

use super::documents::Documents;
use super::scope::{Both, Scope};
use crate::diff::schemas::{Form, Site};
use crate::diff::verdicts::{Mark, changed, rules, way};

impl<'d> Documents<'d> {
    /// The `content` of two objects.
    pub(super) fn content(&mut self, scope: Scope, ways: u8, both: Both<'d>) {
        let entries = |value: &'d Value| -> Vec<(&'d str, &'d Value)> {
            let map = value.get("content").and_then(Value::as_object);
            map.into_iter()
                .flatten()
                .map(|(name, media)| (name.as_str(), media))
                .collect()
        };
        let (mut before, mut after) = (entries(both.0), entries(both.1));
        // By the whole name first, then without what follows the semicolon.
        for same in [
            |a: &str, b: &str| a.eq_ignore_ascii_case(b),
            |a: &str, b: &str| essence(a) == essence(b),
        ] {
            before.retain(|(name, a)| {
                match after.iter().position(|(other, _)| same(name, other)) {
                    Some(found) => {
                        let (_, b) = after.remove(found);
                        self.media(scope, ways, (a, b));
                        false
                    }
                    None => true,
                }
            });
        }
        before.retain(|(name, a)| {
            match after.iter().position(|(other, _)| specialises(other, name)) {
                Some(found) => {
                    let (other, b) = after.remove(found);
                    self.direct(
                        scope.operation,
                        ways,
                        &rules::MEDIA_TYPE_NARROWED,
                        Mark::at(a),
                        Mark::at(b),
                        || format!("`{name}` became `{other}`"),
                    );
                    self.media(scope, ways, (a, b));
                    false
                }
                None => true,
            }
        });
        for (name, a) in before {
            self.direct(
                scope.operation,
                ways,
                &rules::MEDIA_TYPE_REMOVED,
                Mark::at(a),
                Mark::NONE,
                || format!("`{name}` is gone"),
            );
        }
        for (name, b) in after {
            self.direct(
                scope.operation,
                ways,
                &rules::MEDIA_TYPE_ADDED,
                Mark::NONE,
                Mark::at(b),
                || format!("`{name}` is new"),
            );
        }
    }

    fn media(&mut self, scope: Scope, ways: u8, (a, b): Both<'d>) {
        self.met(a, b);
        let site = |media: &'d Value| Site::new(media.get("schema"), media);
        self.schemas
            .root(scope.operation, site(a), site(b), Form::Data, ways);
        let (x, y) = (a.get("encoding"), b.get("encoding"));
        if x != y {
            self.direct(
                scope.operation,
                ways & way::BOTH,
                &rules::MEDIA_ENCODING,
                Mark::within(x, a),
                Mark::within(y, b),
                || changed("encoding", x, y),
            );
        }
        self.leftovers(&[scope.operation], ways, (a, b), &["schema", "encoding"]);
    }
}

/// A media type without its parameters.
fn essence(name: &str) -> String {
    name.split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase()
}

/// `application/problem+json` is JSON.
fn specialises(special: &str, general: &str) -> bool {
    let (special, general) = (essence(special), essence(general));
    let Some((_, syntax)) = general.split_once('/') else {
        return false;
    };
    special.split_once('/').is_some_and(|(_, name)| {
        name.rsplit_once('+')
            .is_some_and(|(_, suffix)| suffix == syntax)
    })
}
