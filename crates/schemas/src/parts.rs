//! The parts of an operation that hold schemas.

use serde_json::{Value, json};

use super::walker::{Kind, Walker};

impl Walker<'_> {
    /// Rewrites a part that is not a reference. Returns whether it can be used.
    pub(super) fn part(&mut self, value: &mut Value, at: &str, kind: Kind) -> bool {
        match kind {
            Kind::Schema => self.schema(value, at),
            Kind::Parameter => return self.parameter(value, at),
            Kind::Header => {
                self.schema_of(value, at);
                self.content(value, at);
            }
            Kind::RequestBody => {
                self.content(value, at);
                // Without a single media type, nothing can be sent.
                return value.get("content").is_some_and(Value::is_object);
            }
            Kind::Response => {
                let headers = value.get_mut("headers");
                self.each(headers, &format!("{at}/headers"), |walker, header, at| {
                    walker.place(header, at, Kind::Header);
                });
                self.content(value, at);
                self.links(value, at);
            }
            Kind::Callback => self.callback(value, at),
        }
        true
    }

    /// Rewrites the schema of a parameter, a header or a media type.
    pub(super) fn schema_of(&mut self, holder: &mut Value, at: &str) {
        if let Some(schema) = holder.get_mut("schema") {
            self.schema(schema, &format!("{at}/schema"));
        }
    }

    /// Rewrites the media types of a body, a response or a parameter.
    pub(super) fn content(&mut self, holder: &mut Value, at: &str) {
        let content = holder.get_mut("content");
        self.each(content, &format!("{at}/content"), |walker, value, at| {
            walker.media_type(value, at);
        });
    }

    fn media_type(&mut self, value: &mut Value, at: &str) {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let target = self.resolver.target(reference);
            match target.and_then(|target| self.resolver.end(target)) {
                Some(shared) => {
                    *value = shared.value.clone();
                    self.moved.insert(at.to_owned(), shared.pointer);
                }
                None => {
                    let reference = reference.to_owned();
                    self.leads_nowhere(at, &reference);
                }
            }
        }
        let Some(map) = value.as_object_mut() else {
            *value = json!({});
            return;
        };
        // Of a stream of items, each with this schema, callers get the bytes.
        if map.shift_remove("itemSchema").is_some() && !map.contains_key("schema") {
            map.insert(
                "schema".to_owned(),
                json!({"type": "string", "format": "binary"}),
            );
        }
        self.schema_of(value, at);
        let encoding = value.get_mut("encoding");
        self.each(encoding, &format!("{at}/encoding"), |walker, one, at| {
            let headers = one.get_mut("headers");
            walker.each(headers, &format!("{at}/headers"), |walker, header, at| {
                walker.place(header, at, Kind::Header);
            });
        });
    }

    /// Takes away the links that lead nowhere: without them the response is the same.
    fn links(&mut self, response: &mut Value, at: &str) {
        let links = response.get_mut("links").and_then(Value::as_object_mut);
        let Some(links) = links else {
            return;
        };
        links.retain(|name, link| {
            let Some(reference) = link.get("$ref").and_then(Value::as_str) else {
                return true;
            };
            match self.resolver.lasting(reference) {
                Some(target) => {
                    *link = json!({"$ref": format!("#{}", target.pointer)});
                    true
                }
                None => {
                    let at = openapi_document::pointer::join(&format!("{at}/links"), name);
                    let reference = reference.to_owned();
                    self.leads_nowhere(&at, &reference);
                    false
                }
            }
        });
    }
}
