//! The schema keywords of OpenAPI and JSON Schema, in one table: the values each applies to, its role, and the type of its value.

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

/// The values that a keyword applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Values of every type.
    Any,
    /// Strings.
    String,
    /// Numbers, including integers.
    Number,
    /// Arrays.
    Array,
    /// Objects.
    Object,
}

/// Role of a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Documentation for people.
    Words,
    /// Annotation for programs, without an effect on validation.
    Annotation,
    /// Restriction of a value to requests or to responses.
    Direction,
    /// Name of the schema, or its dialect.
    Name,
    /// Reference to another schema.
    Reference,
    /// Types of the values.
    Type,
    /// Null beside the type.
    Null,
    /// Enumeration of the values.
    Values,
    /// Schemas of which all apply.
    Part,
    /// Schemas of which one or any applies.
    Choice,
    /// Discriminator between alternatives.
    Tag,
    /// Schemas of members and elements.
    Content,
    /// Schemas of all other members and elements.
    Rest,
    /// Required members.
    Presence,
    /// Requirements if a member is present.
    Dependency,
    /// Schemas that apply conditionally, or must not match.
    Condition,
    /// Schemas for references.
    Definitions,
    /// Minimum or maximum.
    Limit,
    /// Format of a string.
    Format,
    /// Any other restriction of a single value.
    Bound,
}

/// Type of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Several types, or a value that nothing reads.
    Anything,
    /// A string.
    Text,
    /// A non-negative integer.
    Count,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// An array.
    List,
    /// An object with the name of a property.
    Discriminator,
    /// Any JSON value: references and schemas in it are only data.
    Data,
    /// An array of any JSON values, not empty.
    Values,
    /// A schema.
    Schema,
    /// A schema, or `true` or `false`.
    SchemaOrBool,
    /// An array of schemas, not empty.
    Schemas,
    /// Schemas by their names.
    NamedSchemas,
}

impl Takes {
    /// Returns whether the value contains schemas.
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
    /// Name of the keyword.
    pub name: &'static str,
    /// Values that it applies to.
    pub about: About,
    /// Role of the keyword.
    pub role: Role,
    /// Type of its value.
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

/// Keywords that compose a schema.
pub const COMPOSITIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Members of other OpenAPI objects whose keys are names.
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
    let roles = roles.iter().copied();
    roles.flat_map(|role| KEYWORDS.iter().filter(move |row| row.role == role))
}

/// Returns the names of the keywords with one of these roles, as [`rows`] does.
pub fn names(roles: &[Role]) -> impl Iterator<Item = &'static str> {
    rows(roles).map(|row| row.name)
}

/// Returns whether a schema has a keyword with one of these roles.
pub fn says(schema: &Map<std::string::String, Value>, roles: &[Role]) -> bool {
    schema.keys().any(|key| has_role(key, roles))
}

/// Returns whether a keyword is documentation for people.
pub fn is_words(name: &str) -> bool {
    has_role(name, &[Words])
}

/// Returns whether a keyword has no effect on validation: documentation, annotations and extensions.
pub fn is_annotation(name: &str) -> bool {
    name.starts_with("x-") || has_role(name, &[Words, Annotation, Direction])
}

/// Returns whether a keyword does not describe values: an annotation, or a name.
pub fn is_silent(name: &str) -> bool {
    name.starts_with("x-") || has_role(name, &[Words, Annotation, Direction, Name])
}

/// Returns whether a name is that of a keyword with one of these roles.
pub fn has_role(name: &str, roles: &[Role]) -> bool {
    keyword(name).is_some_and(|row| roles.contains(&row.role))
}

/// Returns whether the keys under a keyword, or under a member of another OpenAPI object, are names.
pub fn is_map_of_names(name: &str) -> bool {
    MAPS.contains(&name) || keyword(name).is_some_and(|row| row.takes == NamedSchemas)
}

/// Returns whether the value of a keyword or member is arbitrary data.
pub fn is_data(name: &str) -> bool {
    name == "value"
        || name.starts_with("x-")
        || keyword(name).is_some_and(|row| matches!(row.takes, Data | Values))
}

/// Keywords and members whose lists are in any order.
const UNORDERED: [&str; 8] = [
    "allOf",
    "anyOf",
    "enum",
    "oneOf",
    "parameters",
    "required",
    "security",
    "type",
];

/// Returns whether the order of the elements has a meaning in the list of a keyword or member.
pub fn has_order(name: &str) -> bool {
    !UNORDERED.contains(&name)
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
