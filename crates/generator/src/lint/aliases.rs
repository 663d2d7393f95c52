//! `x-aliases`: other names of a property, other spellings of an enum value. Each belongs to exactly one of them.

use std::collections::{BTreeSet, HashSet};

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_model::{Aliases, Model, Schema, names};

const CORRECT: &str = "correct `x-aliases` where it is written";

pub(super) fn check(source: &Source, model: &Model) -> Vec<Finding> {
    let mut check = Check {
        source,
        known: HashSet::new(),
        findings: Vec::new(),
    };
    for schema in &model.schemas {
        check.properties(schema);
        if let Some(aliases) = &schema.place.aliases {
            check.enum_values(schema, aliases);
        }
    }
    check.findings
}

struct Check<'s> {
    source: &'s Source,
    known: HashSet<(String, String)>,
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn wrong(&mut self, at: &str, message: String) {
        let at = format!("{at}/x-aliases");
        if self.known.insert((at.clone(), message.clone())) {
            let finding = self.source.finding("aliases", at, message, CORRECT);
            self.findings.push(finding);
        }
    }

    fn properties(&mut self, schema: &Schema) {
        let properties = schema.properties().iter();
        let properties: HashSet<&str> = properties.map(|one| one.name.as_str()).collect();
        for property in schema.properties() {
            let (at, name) = (&property.pointer, &property.name);
            let aliases = match &property.place.aliases {
                None => continue,
                Some(Aliases::Names(names)) => names,
                Some(Aliases::Spellings(_) | Aliases::Malformed) => {
                    let message = format!("the other names of `{name}` must be a list of strings");
                    self.wrong(at, message);
                    continue;
                }
            };
            let mut fields = BTreeSet::new();
            for alias in aliases {
                if properties.contains(alias.as_str()) {
                    let message = format!(
                        "`{alias}` is a property of another form, and cannot be another name of `{name}`"
                    );
                    self.wrong(at, message);
                } else if !fields.insert(names::snake(alias)) {
                    let message =
                        format!("`{alias}` and another name of `{name}` become the same field");
                    self.wrong(at, message);
                }
            }
        }
    }

    fn enum_values(&mut self, schema: &Schema, aliases: &Aliases) {
        let (at, enum_values) = (&schema.pointer, schema.texts());
        let (false, Aliases::Spellings(aliases)) = (enum_values.is_empty(), aliases) else {
            let message = "`x-aliases` of a schema must be a map from its enum values to lists of other spellings";
            self.wrong(at, message.to_owned());
            return;
        };
        let enum_values: HashSet<&String> = enum_values.iter().collect();
        let mut spellings = enum_values.clone();
        for (enum_value, others) in aliases {
            if !enum_values.contains(enum_value) {
                let message = format!("`{enum_value}` is not a value of the enumeration");
                self.wrong(at, message);
            }
            if others.is_none() {
                let message =
                    format!("the other spellings of `{enum_value}` must be a list of strings");
                self.wrong(at, message);
            }
            for other in others.iter().flatten() {
                if !spellings.insert(other) {
                    let message =
                        format!("`{other}` is already an enum value or a spelling of one");
                    self.wrong(at, message);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use openapi_model::read;
    use serde_json::{Map, Value, json};

    use super::*;

    /// A linear search per alias would take minutes here.
    #[test]
    #[ignore = "the gate runs it: the table has 40,000 spellings"]
    fn many_aliases_are_checked() {
        const MANY: usize = 20_000;
        let all: Vec<String> = (0..MANY).map(|index| format!("a{index}")).collect();
        let alone = all
            .iter()
            .map(|name| (name.clone(), json!({"type": "integer"})));
        let mut properties: Map<String, Value> = alone.collect();
        properties.insert("b".to_owned(), json!({"type": "string", "x-aliases": all}));
        let spelt: Map<String, Value> = all.iter().map(|one| (one.clone(), json!([one]))).collect();
        let texts = json!({"type": "string", "enum": all, "x-aliases": spelt});
        properties.insert("c".to_owned(), texts);
        let schema = json!({"type": "object", "properties": properties});
        let responses = json!({"200": {"description": "", "content": {"application/json": {"schema": schema}}}});
        let operation = json!({"operationId": "a", "responses": responses});
        let document = json!({"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"get": operation}}});
        let source = Source::parse("a.json", document.to_string()).unwrap();
        let model = read(&source).unwrap();
        assert_eq!(check(&source, &model).len(), 2 * MANY);
    }
}
