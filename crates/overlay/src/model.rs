//! An Overlay document, checked against the specification's own schema.

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use serde_json::{Map, Value};
use serde_json_path::JsonPath;

/// A valid Overlay.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// `info.title`.
    pub title: String,
    /// The actions, in the order in which they apply.
    pub actions: Vec<Action>,
    /// The root object's extensions (`x-…`).
    pub extensions: Map<String, Value>,
}

/// One action of an Overlay.
#[derive(Clone, Debug)]
pub struct Action {
    /// Where the action stands in its file.
    pub pointer: String,
    /// The RFC 9535 query as it is written.
    pub target: String,
    /// The query.
    pub query: JsonPath,
    /// What happens to what it selects.
    pub effect: Effect,
    /// `x-expect`: the fragment of the targets that the action was written against.
    pub guard: Option<Value>,
}

/// What an action does to the nodes that it selects.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Merges this value into them.
    Update(Value),
    /// Merges a copy of the one node that this query selects into them.
    Copy(JsonPath),
    /// Removes them.
    Remove,
    /// No effect at all, or `remove: false`: the specification allows it, and it does nothing.
    Nothing,
}

const SPECIFICATION: &str = "see https://spec.openapis.org/overlay/v1.1.0.html";

impl Overlay {
    /// Reads an Overlay out of a parsed file, or says everything that is wrong with it.
    pub fn read(source: &Source) -> Result<Self, Vec<Finding>> {
        let mut reader = Reader {
            source,
            findings: Vec::new(),
        };
        let overlay = reader.overlay();
        match overlay {
            Some(overlay) if reader.findings.is_empty() => Ok(overlay),
            _ => Err(reader.findings),
        }
    }
}

struct Reader<'s> {
    source: &'s Source,
    findings: Vec<Finding>,
}

impl<'s> Reader<'s> {
    fn wrong(&mut self, pointer: &str, message: impl Into<String>) {
        let finding = self
            .source
            .finding("overlay-form", pointer, message, SPECIFICATION);
        self.findings.push(finding);
    }

    fn overlay(&mut self) -> Option<Overlay> {
        let root = self.object("", &self.source.value)?;
        self.only("", root, &["overlay", "info", "extends", "actions"]);
        let version = self.text("", root, "overlay", true).unwrap_or_default();
        let is_1_1 = is_version(version, "1.1.");
        if !is_1_1 && !is_version(version, "1.0.") && root.contains_key("overlay") {
            self.wrong(
                "/overlay",
                format!("Overlay version `{version}` is not supported: 1.0 and 1.1 are"),
            );
        }
        self.text("", root, "extends", false);
        let title = self.info(root, is_1_1);
        let actions = match root.get("actions") {
            Some(Value::Array(items)) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    if items.iter().take(index).any(|earlier| earlier == item) {
                        self.wrong(
                            &format!("/actions/{index}"),
                            "this action repeats an earlier one",
                        );
                    }
                }
                items
                    .iter()
                    .enumerate()
                    .filter_map(|(index, item)| self.action(index, item, is_1_1))
                    .collect()
            }
            Some(_) => {
                self.wrong("/actions", "`actions` is a list of at least one action");
                Vec::new()
            }
            None => {
                self.wrong("", "`actions` is missing");
                Vec::new()
            }
        };
        Some(Overlay {
            title: title.to_owned(),
            actions,
            extensions: root
                .iter()
                .filter(|(key, _)| key.starts_with("x-"))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        })
    }

    fn info(&mut self, root: &'s Map<String, Value>, is_1_1: bool) -> &'s str {
        let Some(info) = root.get("info") else {
            self.wrong("", "`info` is missing");
            return "";
        };
        let Some(info) = self.object("/info", info) else {
            return "";
        };
        let known: &[&str] = if is_1_1 {
            &["title", "version", "description"]
        } else {
            &["title", "version"]
        };
        self.only("/info", info, known);
        self.text("/info", info, "version", true);
        self.text("/info", info, "description", false);
        self.text("/info", info, "title", true).unwrap_or_default()
    }

    fn action(&mut self, index: usize, item: &'s Value, is_1_1: bool) -> Option<Action> {
        let pointer = format!("/actions/{index}");
        let action = self.object(&pointer, item)?;
        let known: &[&str] = if is_1_1 {
            &["target", "description", "update", "copy", "remove"]
        } else {
            &["target", "description", "update", "remove"]
        };
        self.only(&pointer, action, known);
        self.text(&pointer, action, "description", false);
        let target = self.text(&pointer, action, "target", true)?;
        let query = self.query(&format!("{pointer}/target"), target);
        let remove = match action.get("remove") {
            None => None,
            Some(Value::Bool(remove)) => Some(*remove),
            Some(_) => {
                self.wrong(&format!("{pointer}/remove"), "`remove` is true or false");
                return None;
            }
        };
        let effect = match (action.get("update"), action.get("copy"), remove) {
            (Some(_), Some(_), _) => {
                self.wrong(&pointer, "an action has `update` or `copy`, not both");
                return None;
            }
            (_, _, Some(true)) => Effect::Remove,
            (Some(update), None, _) => Effect::Update(update.clone()),
            (None, Some(_), _) => {
                let from = self.text(&pointer, action, "copy", true)?;
                Effect::Copy(self.query(&format!("{pointer}/copy"), from)?)
            }
            (None, None, _) => Effect::Nothing,
        };
        Some(Action {
            pointer,
            target: target.to_owned(),
            query: query?,
            effect,
            guard: action.get("x-expect").cloned(),
        })
    }

    fn query(&mut self, pointer: &str, text: &str) -> Option<JsonPath> {
        match JsonPath::parse(text) {
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

    fn object(&mut self, pointer: &str, value: &'s Value) -> Option<&'s Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.wrong(pointer, "an object is expected here");
        }
        object
    }

    fn text(
        &mut self,
        pointer: &str,
        object: &'s Map<String, Value>,
        key: &str,
        required: bool,
    ) -> Option<&'s str> {
        match object.get(key) {
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                self.wrong(&format!("{pointer}/{key}"), format!("`{key}` is text"));
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

    fn only(&mut self, pointer: &str, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys() {
            if !known.contains(&key.as_str()) && !key.starts_with("x-") {
                self.wrong(
                    &openapi_document::pointer::join(pointer, key),
                    format!("`{key}` is not known here; known are {}", known.join(", ")),
                );
            }
        }
    }
}

fn is_version(version: &str, prefix: &str) -> bool {
    version
        .strip_prefix(prefix)
        .is_some_and(|patch| !patch.is_empty() && patch.chars().all(|c| c.is_ascii_digit()))
}
