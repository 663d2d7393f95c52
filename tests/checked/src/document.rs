//! What is looked up in a document.

use serde_json::{Value, json};

/// A document, as it is written.
pub struct Document(pub Value);

impl Document {
    /// What a reference leads to, or the value itself.
    pub(crate) fn meant<'d>(&'d self, mut value: &'d Value) -> &'d Value {
        // A circle of references means nothing, and ends.
        for _ in 0..32 {
            let reference = value.get("$ref").and_then(Value::as_str);
            let target = reference.and_then(|reference| reference.strip_prefix('#'));
            match target.and_then(|pointer| self.0.pointer(pointer)) {
                Some(target) => value = target,
                None => break,
            }
        }
        value
    }

    /// The operation of a path: that with the fewest parameters, where several match.
    pub(crate) fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let paths = self.0.get("paths")?.as_object()?;
        let found = paths.iter().filter_map(|(template, item)| {
            let operation = item.get(method)?;
            let (asked, known) = (path.split('/'), template.split('/'));
            let is_same = asked.clone().count() == known.clone().count()
                && asked.zip(known.clone()).all(|(asked, known)| {
                    asked == known || known.starts_with('{') && !asked.is_empty()
                });
            let parameters = known.filter(|part| part.starts_with('{')).count();
            is_same.then_some((parameters, operation))
        });
        found
            .min_by_key(|(parameters, _)| *parameters)
            .map(|(_, operation)| operation)
    }

    /// The status code and the example of the first success of an operation.
    pub fn example(&self, operation: &Value) -> Option<(u16, Value)> {
        let responses = operation.get("responses")?.as_object()?;
        responses.iter().find_map(|(status, response)| {
            let status = status
                .parse()
                .ok()
                .filter(|status| (200..300).contains(status))?;
            let content = self
                .meant(response)
                .get("content")?
                .get("application/json")?;
            Some((status, content.get("example")?.clone()))
        })
    }

    /// Whether values of a schema are bytes.
    pub(crate) fn is_file(&self, schema: &Value) -> bool {
        let schema = self.meant(schema);
        schema.get("format") == Some(&json!("binary")) || schema.get("contentMediaType").is_some()
    }
}
