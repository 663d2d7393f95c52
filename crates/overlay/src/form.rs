//! The forms of a file: each function returns a value if it has its form, or notes a finding.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::{Map, Value};
use serde_json_path::JsonPath;

use super::model::Effect;
use super::parse::parse;

/// The minor number of the newest version.
pub(super) const NEWEST: u8 = 2;

/// Fields that only Overlay 1.2 has.
const OF_1_2: [&str; 3] = ["$ref", "$self", "components"];

/// A file that is being read, with its errors.
pub(super) struct Form<'s> {
    pub(super) source: &'s Source,
    /// The minor number of its version.
    pub(super) minor: u8,
    pub(super) findings: Vec<Finding>,
}

impl<'s> Form<'s> {
    /// Returns whether the version has reusable actions.
    pub(super) fn has_reusables(&self) -> bool {
        self.minor == NEWEST
    }

    pub(super) fn wrong(&mut self, pointer: &str, message: impl Into<String>) {
        let help = match self.minor {
            NEWEST => "see https://spec.openapis.org/overlay/v1.2.0.html",
            _ => "see https://spec.openapis.org/overlay/v1.1.0.html",
        };
        let finding = self.source.finding("overlay-form", pointer, message, help);
        self.findings.push(finding);
    }

    /// Returns the effect of an action or a reusable action.
    pub(super) fn effect(
        &mut self,
        pointer: &str,
        fields: &'s Map<String, Value>,
    ) -> Option<Effect> {
        let remove = match fields.get("remove") {
            None => None,
            Some(Value::Bool(remove)) => Some(*remove),
            Some(_) => {
                self.wrong(&format!("{pointer}/remove"), "`remove` is true or false");
                return None;
            }
        };
        Some(match (fields.get("update"), fields.get("copy"), remove) {
            (Some(_), Some(_), _) => {
                self.wrong(pointer, "an action has `update` or `copy`, not both");
                return None;
            }
            (_, _, Some(true)) => Effect::Remove,
            (Some(update), None, _) => Effect::Update(update.clone()),
            (None, Some(_), _) => {
                let from = self.text(pointer, fields, "copy", true)?;
                Effect::Copy(self.query(&format!("{pointer}/copy"), from)?)
            }
            (None, None, _) => Effect::Nothing,
        })
    }

    pub(super) fn query(&mut self, pointer: &str, text: &str) -> Option<JsonPath> {
        match parse(text) {
            Ok(query) => Some(query),
            Err(error) => {
                let finding = self.source.finding(
                    "json-path",
                    pointer,
                    format!("`{text}` is not an RFC 9535 JSONPath: {error}"),
                    "write names with other than letters, digits and `_` in brackets, as in $.paths['/v1/pets'].get",
                );
                self.findings.push(finding);
                None
            }
        }
    }

    pub(super) fn object(
        &mut self,
        pointer: &str,
        value: &'s Value,
    ) -> Option<&'s Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.wrong(pointer, "an object is expected here");
        }
        object
    }

    pub(super) fn text(
        &mut self,
        pointer: &str,
        object: &'s Map<String, Value>,
        key: &str,
        required: bool,
    ) -> Option<&'s str> {
        match object.get(key) {
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                self.wrong(
                    &format!("{pointer}/{key}"),
                    format!("`{key}` must be a string"),
                );
                None
            }
            None => {
                if required {
                    self.wrong(pointer, format!("`{key}` is missing"));
                }
                None
            }
        }
    }

    /// The URI of a whole document.
    pub(super) fn document(&mut self, root: &'s Map<String, Value>, key: &str) {
        let uri = self.text("", root, key, false);
        // Overlay 1.0 and 1.1 do not speak of fragments.
        if self.minor == NEWEST && uri.is_some_and(|uri| uri.contains('#')) {
            self.wrong(
                &format!("/{key}"),
                format!("`{key}` names a whole document, and must not have a fragment (`#…`)"),
            );
        }
    }

    pub(super) fn only(&mut self, pointer: &str, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys() {
            if known.contains(&key.as_str()) || key.starts_with("x-") {
                continue;
            }
            let known = known.join(", ");
            let message = match OF_1_2.contains(&key.as_str()) {
                true if !self.has_reusables() => {
                    let minor = self.minor;
                    format!("`{key}` is of Overlay 1.2, and this is 1.{minor}; known are {known}")
                }
                // There is no chain of references, and no circle.
                true if key == "$ref" => {
                    format!("an element of `actions` alone has a `$ref`; known are {known}")
                }
                _ => format!("`{key}` is not known here; known are {known}"),
            };
            self.wrong(&pointer::join(pointer, key), message);
        }
    }
}
