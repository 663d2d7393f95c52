//! Losses of a client in one table: the rule of the warning, and the part of the document that callers miss.

/// A kind of loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The rule of its warnings.
    pub rule: &'static str,
    /// The missing part, for the README of the crate.
    pub misses: &'static str,
    /// True if `regen` and `update` stop at it. They do not if it cannot be fixed.
    pub stops: bool,
    /// True if the reader has nothing to do: it is a note and no warning.
    pub is_note: bool,
}

/// All kinds, by rule.
#[rustfmt::skip]
pub const LOSSES: &[Loss] = &[
    note("any-of", "Of a value that is several objects at once, the members of one are read"),
    lost("argument-name", "An argument has another name than its parameter"),
    lost("callback", "Data that the service sends to a callback has no type"),
    lost("credential-parameter", "A parameter is read as a credential"),
    noted("derives", "A type lacks a derive that the configuration adds to types"),
    lost("discriminator", "A union is read by the members of its alternatives, because its discriminator is no member"),
    lost("duplicate-key", "A key occurs twice, and one of its values is not read"),
    lost("dynamic-reference", "Values are any JSON, because a reference has no fixed target"),
    lost("encoding", "A part of a body, or the encoding of one, is not sent"),
    lost("event-schema", "Events and lines of a stream are JSON without a type"),
    lost("extension-form", "An extension is not read"),
    lost("key-parameter", "A parameter is sent as a credential of the client"),
    lost("large-number", "A number of the document is read as its nearest float"),
    lost("left-out", "An operation is left out"),
    lost("link", "A link becomes no conversion: pass the value to the other call"),
    lost("merge-key", "A merge key of YAML is read as a copy"),
    lost("nesting", "Values are any JSON, because the schema is nested too deeply"),
    lost("openapi-form", "The document violates its version of OpenAPI"),
    lost("openapi-version", "The version of the document is not known"),
    lost("operation-name", "A method has another name than its operation"),
    noted("other-servers", "An address of an operation is not offered"),
    lost("own-servers", "An operation is left out, because its address is not known"),
    note("owned-header", "The client sends a header by itself"),
    lost("package-features", "The crate has no features by tag"),
    lost("parameter-content", "A parameter is left out, because its media type is not supported"),
    lost("parameter-place", "A parameter is left out, because its place is not supported"),
    lost("parameter-schema", "A parameter without a schema is any string"),
    lost("parameter-style", "A parameter is left out, sent in another style, or cannot be sent with all its members"),
    lost("path-parameter", "A parameter of the path is any string, or is not sent"),
    lost("path-reference", "The operations of a path are left out"),
    note("pattern", "A pattern is not checked before the call: the service checks it"),
    lost("reference", "The target of a reference is not known"),
    lost("request-schema", "A request body is text or bytes, although it has a schema"),
    noted("required-member", "A required member of an object cannot be sent, because it has no schema"),
    note("response-header", "A header of responses is read by its name, as a string"),
    lost("response-reference", "A response is bytes, because its reference leads nowhere"),
    lost("response-schema", "A response body of a media type is text or bytes, although it has a schema"),
    note("schema-condition", "Conditions between values are not checked before the call: the service checks them"),
    lost("schema-cycle", "Values are any JSON, because a list or map contains itself"),
    lost("schema-form", "A keyword of a schema is not read"),
    lost("schema-nesting", "Values are any JSON, because lists and maps are nested too deeply"),
    lost("schema-parts", "Keywords are not read, because a schema consists of too many others"),
    lost("schema-reference", "Values are any JSON, because a reference leads nowhere"),
    lost("security-scheme", "A credential cannot be given as the document describes it"),
    noted("server", "An address of the API is not offered"),
    lost("type-name", "A type has another name than its schema"),
    lost("unknown-keyword", "A keyword of a schema is probably misspelt, and is not read"),
    lost("unknown-member", "A member is not one of OpenAPI, and is not read"),
    lost("untyped", "Values are any JSON, because no type can be made for the schema"),
    noted("webhook", "The body of a webhook has no type"),
];

const fn lost(rule: &'static str, misses: &'static str) -> Loss {
    Loss {
        rule,
        misses,
        stops: true,
        is_note: false,
    }
}

const fn note(rule: &'static str, misses: &'static str) -> Loss {
    Loss {
        is_note: true,
        ..noted(rule, misses)
    }
}

const fn noted(rule: &'static str, misses: &'static str) -> Loss {
    Loss {
        stops: false,
        ..lost(rule, misses)
    }
}

impl Loss {
    /// The kind of the warnings of a rule.
    pub fn of(rule: &str) -> Option<&'static Self> {
        let at = LOSSES.binary_search_by(|one| one.rule.cmp(rule)).ok()?;
        LOSSES.get(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_losses_are_in_order_and_each_has_its_row() {
        assert!(LOSSES.is_sorted_by(|a, b| a.rule < b.rule));
        for one in LOSSES {
            assert_eq!(Loss::of(one.rule), Some(one));
        }
    }
}
