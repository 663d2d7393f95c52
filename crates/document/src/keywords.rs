//! The keywords of a schema in OpenAPI and JSON Schema, in one table: which values each is about, what it says of them, and what it holds.

use About::{Any, Array, Number, Object, String};
use Role::{
    Annotation, Bound, Choice, Condition, Content, Definitions, Dependency, Direction, Format,
    Limit, Name, Null, Part, Presence, Reference, Rest, Tag, Type, Values as Listed, Words,
};
use Takes::{
    Anything, Bool, Count, Data, Discriminator, Float, List, NamedSchemas, Schema, SchemaOrBool,
    Schemas, Text, Values,
};
use serde_json::{Map, Value};

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
    /// Whether a value is sent or received only.
    Direction,
    /// What the schema is called, or in which dialect it is written.
    Name,
    /// Where the schema is.
    Reference,
    /// The types of the values.
    Type,
    /// Null beside the type.
    Null,
    /// The values, one by one.
    Values,
    /// Schemas that all hold.
    Part,
    /// Schemas of which one holds, or any.
    Choice,
    /// The property that tells alternatives apart.
    Tag,
    /// The schemas of members and elements.
    Content,
    /// The schemas of members and elements that no other keyword is about.
    Rest,
    /// The members that are always there.
    Presence,
    /// What holds where a member is there.
    Dependency,
    /// Schemas that hold on a condition, or must not hold.
    Condition,
    /// Schemas for references.
    Definitions,
    /// The least or the most that is allowed.
    Limit,
    /// What a string holds.
    Format,
    /// Any other demand on a single value.
    Bound,
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

impl Takes {
    /// Returns whether there are schemas in it.
    pub fn holds_schemas(self) -> bool {
        [
            Self::Schema,
            Self::SchemaOrBool,
            Self::Schemas,
            Self::NamedSchemas,
        ]
        .contains(&self)
    }
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
    row("$defs", Any, Definitions, NamedSchemas),
    row("$dynamicAnchor", Any, Name, Anything),
    row("$dynamicRef", Any, Reference, Anything),
    row("$id", Any, Name, Anything),
    row("$ref", Any, Reference, Anything),
    row("$schema", Any, Name, Anything),
    row("additionalItems", Array, Rest, Schema),
    row("additionalProperties", Object, Content, SchemaOrBool),
    row("allOf", Any, Part, Schemas),
    row("anyOf", Any, Choice, Schemas),
    row("const", Any, Listed, Data),
    row("contains", Array, Condition, Schema),
    row("contentEncoding", String, Format, Anything),
    row("contentMediaType", String, Format, Anything),
    row("contentSchema", String, Condition, Schema),
    row("default", Any, Annotation, Data),
    row("definitions", Any, Definitions, NamedSchemas),
    row("dependentRequired", Object, Dependency, Anything),
    row("dependentSchemas", Object, Dependency, NamedSchemas),
    row("deprecated", Any, Annotation, Anything),
    row("description", Any, Words, Anything),
    row("discriminator", Any, Tag, Discriminator),
    row("else", Any, Condition, Schema),
    row("enum", Any, Listed, Values),
    row("example", Any, Words, Data),
    row("examples", Any, Words, Data),
    row("exclusiveMaximum", Number, Limit, Anything),
    row("exclusiveMinimum", Number, Limit, Anything),
    row("externalDocs", Any, Words, Anything),
    row("format", Any, Format, Text),
    row("if", Any, Condition, Schema),
    row("items", Array, Content, Schema),
    row("maxContains", Array, Limit, Count),
    row("maxItems", Array, Limit, Count),
    row("maxLength", String, Limit, Count),
    row("maxProperties", Object, Limit, Count),
    row("maximum", Number, Limit, Anything),
    row("minContains", Array, Limit, Count),
    row("minItems", Array, Limit, Count),
    row("minLength", String, Limit, Count),
    row("minProperties", Object, Limit, Count),
    row("minimum", Number, Limit, Anything),
    row("multipleOf", Number, Bound, Float),
    row("not", Any, Condition, Schema),
    row("nullable", Any, Null, Bool),
    row("oneOf", Any, Choice, Schemas),
    row("pattern", String, Bound, Text),
    row("patternProperties", Object, Content, NamedSchemas),
    row("prefixItems", Array, Content, Schemas),
    row("properties", Object, Content, NamedSchemas),
    row("propertyNames", Object, Condition, Schema),
    row("readOnly", Any, Direction, Anything),
    row("required", Object, Presence, List),
    row("summary", Any, Words, Anything),
    row("then", Any, Condition, Schema),
    row("title", Any, Words, Anything),
    row("type", Any, Type, Anything),
    row("unevaluatedItems", Array, Rest, Schema),
    row("unevaluatedProperties", Object, Rest, SchemaOrBool),
    row("uniqueItems", Array, Bound, Anything),
    row("writeOnly", Any, Direction, Anything),
    row("xml", Any, Annotation, Anything),
];

/// The keywords that a schema is composed with.
pub const COMPOSITIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

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

/// Returns the keywords with one of these roles: one role after the other, each by name.
pub fn rows(roles: &[Role]) -> impl Iterator<Item = &'static Keyword> {
    let rows = |role: &Role| {
        let role = *role;
        KEYWORDS.iter().filter(move |row| row.role == role)
    };
    roles.iter().flat_map(rows)
}

/// Returns the names of the keywords with one of these roles, as [`rows`] does.
pub fn names(roles: &[Role]) -> impl Iterator<Item = &'static str> {
    rows(roles).map(|row| row.name)
}

/// Whether a schema has a keyword with one of these roles.
pub fn says(schema: &Map<std::string::String, Value>, roles: &[Role]) -> bool {
    schema.keys().any(|key| has_role(key, roles))
}

/// Whether a keyword says something to people only.
pub fn is_words(name: &str) -> bool {
    has_role(name, &[Words])
}

/// Whether a keyword allows and refuses no value: words, annotations and extensions.
pub fn is_annotation(name: &str) -> bool {
    name.starts_with("x-") || has_role(name, &[Words, Annotation, Direction])
}

/// Whether a keyword says nothing of the values: an annotation, or a name.
pub fn is_silent(name: &str) -> bool {
    name.starts_with("x-") || has_role(name, &[Words, Annotation, Direction, Name])
}

/// Whether a name is that of a keyword with one of these roles.
pub fn has_role(name: &str, roles: &[Role]) -> bool {
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
        assert!(names(&[Part, Choice]).eq(COMPOSITIONS));
    }
}
