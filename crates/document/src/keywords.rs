//! The keywords of a schema in OpenAPI and JSON Schema, in one table: which values each is about, what it says of them, and what it holds.

use About::{Any, Array, Number, Object, String};
use Role::{Annotation, Bound, Name, Reference, Structure, Words};
use Takes::{
    Anything, Bool, Count, Data, Discriminator, Float, List, NamedSchemas, Schema, SchemaOrBool,
    Schemas, Text, Values,
};

/// The values that a keyword is about. It says nothing of any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Values of every type.
    Any,
    /// Strings.
    String,
    /// Numbers, whole or not.
    Number,
    /// Arrays.
    Array,
    /// Objects.
    Object,
}

/// What a keyword says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Something to people.
    Words,
    /// Something to programs that allows and refuses no value.
    Annotation,
    /// What the schema is called, or in which dialect it is written.
    Name,
    /// Where the schema is.
    Reference,
    /// One limit of the values.
    Bound,
    /// Which schemas or values there are.
    Structure,
}

/// The value of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A value of several forms, or one that nothing reads.
    Anything,
    /// A string.
    Text,
    /// A whole number that is not negative.
    Count,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// An array.
    List,
    /// An object with the name of a property.
    Discriminator,
    /// Any JSON: what looks like a reference or a schema in it is none.
    Data,
    /// An array of any JSON with an element at least.
    Values,
    /// A schema.
    Schema,
    /// A schema, or `true` or `false`, which say all there is to say.
    SchemaOrBool,
    /// An array of schemas with an element at least.
    Schemas,
    /// Schemas by their names.
    NamedSchemas,
}

/// A keyword of a schema.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    /// The keyword itself.
    pub name: &'static str,
    /// The values that it is about.
    pub about: About,
    /// What it says.
    pub role: Role,
    /// What it holds.
    pub takes: Takes,
}

/// All keywords, by name.
#[rustfmt::skip]
pub const KEYWORDS: &[Keyword] = &[
    row("$anchor", Any, Name, Anything),
    row("$comment", Any, Words, Anything),
    row("$defs", Any, Structure, NamedSchemas),
    row("$dynamicAnchor", Any, Name, Anything),
    row("$dynamicRef", Any, Reference, Anything),
    row("$id", Any, Name, Anything),
    row("$ref", Any, Reference, Anything),
    row("$schema", Any, Name, Anything),
    row("additionalItems", Array, Structure, Schema),
    row("additionalProperties", Object, Structure, SchemaOrBool),
    row("allOf", Any, Structure, Schemas),
    row("anyOf", Any, Structure, Schemas),
    row("const", Any, Structure, Data),
    row("contains", Array, Structure, Schema),
    row("contentEncoding", String, Bound, Anything),
    row("contentMediaType", String, Bound, Anything),
    row("contentSchema", String, Structure, Schema),
    row("default", Any, Annotation, Data),
    row("definitions", Any, Structure, NamedSchemas),
    row("dependentRequired", Object, Structure, Anything),
    row("dependentSchemas", Object, Structure, NamedSchemas),
    row("deprecated", Any, Annotation, Anything),
    row("description", Any, Words, Anything),
    row("discriminator", Any, Structure, Discriminator),
    row("else", Any, Structure, Schema),
    row("enum", Any, Structure, Values),
    row("example", Any, Words, Data),
    row("examples", Any, Words, Data),
    row("exclusiveMaximum", Number, Bound, Anything),
    row("exclusiveMinimum", Number, Bound, Anything),
    row("externalDocs", Any, Words, Anything),
    row("format", Any, Bound, Text),
    row("if", Any, Structure, Schema),
    row("items", Array, Structure, Schema),
    row("maxContains", Array, Bound, Count),
    row("maxItems", Array, Bound, Count),
    row("maxLength", String, Bound, Count),
    row("maxProperties", Object, Bound, Count),
    row("maximum", Number, Bound, Anything),
    row("minContains", Array, Bound, Count),
    row("minItems", Array, Bound, Count),
    row("minLength", String, Bound, Count),
    row("minProperties", Object, Bound, Count),
    row("minimum", Number, Bound, Anything),
    row("multipleOf", Number, Bound, Float),
    row("not", Any, Structure, Schema),
    row("nullable", Any, Structure, Bool),
    row("oneOf", Any, Structure, Schemas),
    row("pattern", String, Bound, Text),
    row("patternProperties", Object, Structure, NamedSchemas),
    row("prefixItems", Array, Structure, Schemas),
    row("properties", Object, Structure, NamedSchemas),
    row("propertyNames", Object, Structure, Schema),
    row("readOnly", Any, Annotation, Anything),
    row("required", Object, Structure, List),
    row("summary", Any, Words, Anything),
    row("then", Any, Structure, Schema),
    row("title", Any, Words, Anything),
    row("type", Any, Structure, Anything),
    row("unevaluatedItems", Array, Structure, Schema),
    row("unevaluatedProperties", Object, Structure, SchemaOrBool),
    row("uniqueItems", Array, Bound, Anything),
    row("writeOnly", Any, Annotation, Anything),
    row("xml", Any, Annotation, Anything),
];

/// Members of other objects of OpenAPI whose keys are names.
const MAPS: [&str; 15] = [
    "callbacks",
    "content",
    "encoding",
    "headers",
    "links",
    "mediaTypes",
    "parameters",
    "pathItems",
    "paths",
    "requestBodies",
    "responses",
    "schemas",
    "securitySchemes",
    "variables",
    "webhooks",
];

const fn row(name: &'static str, about: About, role: Role, takes: Takes) -> Keyword {
    Keyword {
        name,
        about,
        role,
        takes,
    }
}

/// Returns the keyword with this name.
pub fn keyword(name: &str) -> Option<&'static Keyword> {
    let found = KEYWORDS.binary_search_by(|row| row.name.cmp(name)).ok()?;
    KEYWORDS.get(found)
}

/// Returns the names of the keywords with a role that are about some values.
pub fn names(role: Role, about: About) -> impl Iterator<Item = &'static str> {
    let all = KEYWORDS.iter();
    all.filter(move |row| row.role == role && row.about == about)
        .map(|row| row.name)
}

/// Whether a keyword says something to people only.
pub fn is_words(name: &str) -> bool {
    has_role(name, &[Words])
}

/// Whether a keyword allows and refuses no value: words, annotations and extensions.
pub fn is_annotation(name: &str) -> bool {
    name.starts_with("x-") || has_role(name, &[Words, Annotation])
}

/// Whether a keyword says nothing of the values: an annotation, or a name.
pub fn is_silent(name: &str) -> bool {
    name.starts_with("x-") || has_role(name, &[Words, Annotation, Name])
}

fn has_role(name: &str, roles: &[Role]) -> bool {
    keyword(name).is_some_and(|row| roles.contains(&row.role))
}

/// Whether the keys of the map under a keyword, or a member of another object of OpenAPI, are names.
pub(crate) fn is_map_of_names(name: &str) -> bool {
    MAPS.contains(&name) || keyword(name).is_some_and(|row| row.takes == NamedSchemas)
}

/// Whether anything may stand under a keyword or member.
pub(crate) fn is_data(name: &str) -> bool {
    name == "value"
        || name.starts_with("x-")
        || keyword(name).is_some_and(|row| matches!(row.takes, Data | Values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(KEYWORDS.is_sorted_by(|a, b| a.name < b.name));
    }
}
