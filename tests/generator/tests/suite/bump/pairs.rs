//! Pairs for every kind of change: a document, its change, and the expected bump.

use client_generator::surface::Bump::{self, Major, Minor, Patch};
use openapi_document::source::Source;
use serde_json::Value;

use self::Edit::{Move, Remove, Set};

/// One change of a document.
pub(crate) struct Pair {
    pub(crate) name: &'static str,
    /// `None` if callers see no difference.
    pub(crate) bump: Option<Bump>,
    base: &'static str,
    /// Changes before the comparison, for parts that the base lacks.
    before: &'static [Edit],
    change: &'static [Edit],
}

pub(crate) enum Edit {
    /// Sets a YAML value at a pointer; `-` appends to a list.
    Set(&'static str, &'static str),
    Remove(&'static str),
    /// Renames a member, in its place.
    Move(&'static str, &'static str),
}

impl Pair {
    pub(crate) fn documents(&self) -> (Source, Source) {
        let mut value: Value = serde_yaml::from_str(self.base).unwrap();
        edit(&mut value, self.before, self.name);
        let old = value.clone();
        edit(&mut value, self.change, self.name);
        assert_ne!(old.to_string(), value.to_string(), "{}", self.name);
        (source(old), source(value))
    }
}

fn source(value: Value) -> Source {
    Source::parse("openapi.json", value.to_string()).unwrap()
}

fn edit(document: &mut Value, edits: &[Edit], name: &str) {
    for one in edits {
        match one {
            Set(pointer, yaml) => {
                let value = serde_yaml::from_str(yaml).unwrap();
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                let key = openapi_document::pointer::unescape(key);
                match document.pointer_mut(parent) {
                    Some(Value::Object(map)) => drop(map.insert(key, value)),
                    Some(Value::Array(list)) if key == "-" => list.push(value),
                    Some(Value::Array(list)) => list[key.parse::<usize>().unwrap()] = value,
                    _ => panic!("{name}: {pointer}"),
                }
            }
            Remove(pointer) => {
                drop(openapi_document::pointer::remove(document, pointer).expect(pointer))
            }
            Move(pointer, to) => {
                let (parent, key) = openapi_document::pointer::split_last(pointer).unwrap();
                let map = document
                    .pointer_mut(parent)
                    .unwrap()
                    .as_object_mut()
                    .unwrap();
                assert!(map.contains_key(&key), "{name}: {pointer}");
                *map = std::mem::take(map)
                    .into_iter()
                    .map(|(name, value)| (if name == key { (*to).to_owned() } else { name }, value))
                    .collect();
            }
        }
    }
}

const READ: &str = include_str!("read.yaml");
const WRITE: &str = include_str!("write.yaml");

const fn read(name: &'static str, bump: Option<Bump>, change: &'static [Edit]) -> Pair {
    with(name, bump, &[], change)
}

const fn with(
    name: &'static str,
    bump: Option<Bump>,
    before: &'static [Edit],
    change: &'static [Edit],
) -> Pair {
    Pair {
        name,
        bump,
        base: READ,
        before,
        change,
    }
}

const fn write(name: &'static str, bump: Option<Bump>, change: &'static [Edit]) -> Pair {
    Pair {
        name,
        bump,
        base: WRITE,
        before: &[],
        change,
    }
}

const WAITER: &str = "/paths/~1books/get/x-waiter";
const ERROR: &str = "/components/schemas/Books/properties/error";
const PAGED: &[Edit] = &[
    Set(
        "/paths/~1books/get/parameters/-",
        "{name: offset, in: query, schema: {type: integer, minimum: 0}}",
    ),
    Set(
        "/paths/~1books/get/x-pagination",
        "{items: '$.books', limit: limit, offset: offset}",
    ),
];

#[rustfmt::skip]
pub(crate) const PAIRS: &[Pair] = &[
    // Fields of responses.
    read("a field is added", Some(Minor), &[Set("/components/schemas/Book/properties/year", "{type: integer}")]),
    read("a field is removed", Some(Major), &[Remove("/components/schemas/Book/properties/title")]),
    read("a field is renamed", Some(Major), &[Move("/components/schemas/Book/properties/title", "name")]),
    read("a field has another type", Some(Major), &[Set("/components/schemas/Book/properties/title/type", "integer")]),
    read("a field has another format", Some(Patch), &[Set("/components/schemas/Book/properties/title/format", "email")]),
    read("a field is nullable", None, &[Set("/components/schemas/Book/properties/title/nullable", "true")]),
    read("a field is required", Some(Major), &[Set("/components/schemas/Book/required", "[title]")]),
    with("a field is required no more", Some(Major), &[Set("/components/schemas/Book/required", "[title]")], &[Remove("/components/schemas/Book/required")]),
    read("a field is described otherwise", Some(Patch), &[Set("/components/schemas/Book/properties/title/description", "As on the spine.")]),
    read("a field is deprecated", Some(Minor), &[Set("/components/schemas/Book/properties/title/deprecated", "true")]),
    read("a field has an example", Some(Patch), &[Set("/components/schemas/Book/properties/title/example", "Emma")]),
    read("a field becomes a list", Some(Major), &[Set("/components/schemas/Book/properties/title", "{type: array, items: {type: string}}")]),
    read("elements of a list have another type", Some(Major), &[Set("/components/schemas/Books/properties/books/items", "{type: string}")]),
    read("fields change places", None, &[Remove("/components/schemas/Books/properties/total"), Set("/components/schemas/Books/properties", "{total: {type: integer}, books: {type: array, items: {$ref: '#/components/schemas/Book'}}}")]),
    // The engine derives no `Default` for a struct with a map of additional members.
    read("members without a name are listed", Some(Minor), &[Set("/components/schemas/Book/additionalProperties", "{type: string}")]),
    with("members without a name are listed no more", Some(Major), &[Set("/components/schemas/Book/additionalProperties", "{type: string}")], &[Remove("/components/schemas/Book/additionalProperties")]),
    read("a field has a type of the runtime", Some(Major), &[Set("/components/schemas/Book/properties/title/x-rust-type", "TextDate")]),
    read("a field has another Rust name", Some(Major), &[Set("/components/schemas/Book/properties/title/x-rust-name", "name")]),
    read("a field is read by another name too", Some(Patch), &[Set("/components/schemas/Book/properties/title/x-aliases", "[name]")]),
    read("a field is renamed and keeps its Rust name", Some(Patch), &[Move("/components/schemas/Book/properties/title", "name"), Set("/components/schemas/Book/properties/name/x-rust-name", "title")]),
    read("a composition has a part more", Some(Minor), &[Set("/components/schemas/Book/properties/extent/oneOf/-", "{type: boolean}")]),
    read("a composition has a part less", Some(Major), &[Remove("/components/schemas/Book/properties/extent/oneOf/1")]),
    with("a composition of one part has two", Some(Major), &[Remove("/components/schemas/Book/properties/extent/oneOf/1")], &[Set("/components/schemas/Book/properties/extent/oneOf/-", "{type: string}")]),
    // Enum values of responses and of requests.
    read("an open enumeration has one value more", Some(Minor), &[Set("/components/schemas/Binding/enum/-", "leather")]),
    read("an open enumeration has one value less", Some(Major), &[Remove("/components/schemas/Binding/enum/1")]),
    read("an enum value is renamed", Some(Major), &[Set("/components/schemas/Binding/enum/1", "linen")]),
    read("enum values change places", Some(Patch), &[Set("/components/schemas/Binding/enum", "[cloth, paper, audio]")]),
    read("an enum value has another spelling", Some(Patch), &[Set("/components/schemas/Binding/x-aliases", "{paper: [Paper]}")]),
    read("an open enumeration becomes a string", Some(Major), &[Remove("/components/schemas/Binding/enum")]),
    read("a string becomes an enumeration", Some(Major), &[Set("/components/schemas/Book/properties/title/enum", "[Emma, Persuasion]")]),
    read("a closed enumeration has one value more", Some(Minor), &[Set("/components/schemas/Sort/enum/-", "shelf")]),
    read("a closed enumeration has one value less", Some(Major), &[Remove("/components/schemas/Sort/enum/1")]),
    read("a closed enumeration opens because responses have it too", Some(Major), &[Set("/components/schemas/Books/properties/sorted", "{$ref: '#/components/schemas/Sort'}")]),
    // Schemas.
    read("a schema is renamed", Some(Major), &[Move("/components/schemas/Book", "Volume"), Set("/components/schemas/Books/properties/books/items/$ref", "'#/components/schemas/Volume'")]),
    read("a schema is renamed and keeps its Rust name", None, &[Move("/components/schemas/Book", "Volume"), Set("/components/schemas/Books/properties/books/items/$ref", "'#/components/schemas/Volume'"), Set("/components/schemas/Volume/x-rust-name", "Book")]),
    read("a schema is added that something uses", Some(Minor), &[Set("/components/schemas/Shelf", "{type: object, properties: {id: {type: string}}}"), Set("/components/schemas/Book/properties/shelf", "{$ref: '#/components/schemas/Shelf'}")]),
    read("a schema is added that nothing uses", None, &[Set("/components/schemas/Shelf", "{type: object, properties: {id: {type: string}}}")]),
    read("a schema called as a type of Rust is added", Some(Minor), &[Set("/components/schemas/Option", "{type: object, properties: {id: {type: string}}}"), Set("/components/schemas/Book/properties/option", "{$ref: '#/components/schemas/Option'}")]),
    read("a schema is removed", Some(Major), &[Remove("/components/schemas/Binding"), Remove("/components/schemas/Book/properties/binding")]),
    read("a schema is written out in its place", Some(Major), &[Set("/components/schemas/Book/properties/binding", "{type: string, enum: [paper, cloth]}")]),
    read("a schema is put together of parts", None, &[Set("/components/schemas/Total", "{type: object, properties: {total: {type: integer}}}"), Remove("/components/schemas/Books/properties/total"), Set("/components/schemas/Books/allOf", "[{$ref: '#/components/schemas/Total'}]")]),
    read("a schema is described otherwise", Some(Patch), &[Set("/components/schemas/Book/description", "A book.")]),
    // Parameters.
    read("an optional parameter is added", Some(Minor), &[Set("/paths/~1books/get/parameters/-", "{name: author, in: query, schema: {type: string}}")]),
    read("a required parameter is added", Some(Major), &[Set("/paths/~1books/get/parameters/-", "{name: author, in: query, required: true, schema: {type: string}}")]),
    read("an optional parameter is removed", Some(Major), &[Remove("/paths/~1books/get/parameters/1")]),
    read("a required parameter is removed", Some(Major), &[Remove("/paths/~1books/get/parameters/0")]),
    read("an optional parameter is renamed", Some(Major), &[Set("/paths/~1books/get/parameters/1/name", "size")]),
    read("a required parameter is renamed", Some(Patch), &[Set("/paths/~1books/get/parameters/0/name", "room")]),
    read("an optional parameter has another type", Some(Major), &[Set("/paths/~1books/get/parameters/1/schema", "{type: string}")]),
    read("a required parameter has another type", Some(Major), &[Set("/paths/~1books/get/parameters/0/schema", "{type: integer}")]),
    read("a parameter may be negative", Some(Major), &[Remove("/paths/~1books/get/parameters/1/schema/minimum")]),
    read("an optional parameter is required", Some(Major), &[Set("/paths/~1books/get/parameters/1/required", "true")]),
    read("a required parameter is optional", Some(Major), &[Remove("/paths/~1books/get/parameters/0/required")]),
    with("required parameters change places", Some(Major), &[Set("/paths/~1books/get/parameters/1/required", "true")], &[Remove("/paths/~1books/get/parameters/0"), Set("/paths/~1books/get/parameters/-", "{name: shelf, in: query, required: true, description: Where they stand., schema: {type: string}}")]),
    with("parameters of one type change places", Some(Major), &[Set("/paths/~1books/get/parameters/1", "{name: room, in: query, required: true, schema: {type: string}}")], &[Set("/paths/~1books/get/parameters/1/name", "shelf"), Set("/paths/~1books/get/parameters/0/name", "room")]),
    read("a parameter has another default", Some(Patch), &[Set("/paths/~1books/get/parameters/1/schema/default", "20")]),
    read("a parameter is bounded closer", Some(Minor), &[Set("/paths/~1books/get/parameters/1/schema/maximum", "50")]),
    read("a parameter is bounded wider", Some(Minor), &[Set("/paths/~1books/get/parameters/1/schema/maximum", "500")]),
    read("a parameter is bounded no more", Some(Minor), &[Remove("/paths/~1books/get/parameters/1/schema/maximum")]),
    read("a list is sent in another style", Some(Patch), &[Set("/paths/~1books/get/parameters/3/explode", "true")]),
    read("a list becomes one value", Some(Major), &[Set("/paths/~1books/get/parameters/3/schema", "{type: string}")]),
    read("elements of a sent list have another type", Some(Major), &[Set("/paths/~1books/get/parameters/3/schema/items/type", "integer")]),
    read("an enum parameter becomes a string", Some(Major), &[Set("/paths/~1books/get/parameters/2/schema", "{type: string}")]),
    read("a parameter moves to a header", Some(Patch), &[Set("/paths/~1books/get/parameters/1/in", "header")]),
    read("an optional parameter is described otherwise", Some(Patch), &[Set("/paths/~1books/get/parameters/1/description", "How many.")]),
    read("a required parameter is described otherwise", Some(Patch), &[Set("/paths/~1books/get/parameters/0/description", "Which one.")]),
    read("a parameter is deprecated", Some(Minor), &[Set("/paths/~1books/get/parameters/1/deprecated", "true")]),
    read("a parameter has another Rust name", Some(Major), &[Set("/paths/~1books/get/parameters/1/x-rust-name", "at_most")]),
    // Operations and their responses.
    read("an operation is added", Some(Minor), &[Set("/paths/~1shelves", "{get: {operationId: listShelves, responses: {'200': {description: Shelves.}}}}")]),
    with("an operation is removed", Some(Major), &[Set("/paths/~1shelves", "{get: {operationId: listShelves, responses: {'200': {description: Shelves.}}}}")], &[Remove("/paths/~1shelves")]),
    read("an operation has another id", Some(Major), &[Set("/paths/~1books/get/operationId", "searchBooks")]),
    read("an operation has another id and keeps its Rust name", None, &[Set("/paths/~1books/get/operationId", "searchBooks"), Set("/paths/~1books/get/x-rust-name", "listBooks")]),
    read("an operation has another path", Some(Patch), &[Move("/paths/~1books", "/v2/books")]),
    read("an operation has another method", Some(Patch), &[Move("/paths/~1books/get", "post")]),
    read("an operation is described otherwise", Some(Patch), &[Set("/paths/~1books/get/summary", "Finds books")]),
    read("an operation is deprecated", Some(Minor), &[Set("/paths/~1books/get/deprecated", "true")]),
    read("an operation has another tag", None, &[Set("/paths/~1books/get/tags", "[books]")]),
    read("an operation has another price", Some(Patch), &[Set("/paths/~1books/get/x-credits/0/credits", "2.5")]),
    read("an operation pages", Some(Major), PAGED),
    with("an operation pages no more", Some(Major), PAGED, &[Set("/paths/~1books/get/x-pagination", "false")]),
    with("pages say how many records there are", Some(Patch), PAGED, &[Set("/paths/~1books/get/x-pagination/total", "$.total")]),
    with("an operation waits", Some(Minor), &[Set(ERROR, "{type: string}")], &[Set(WAITER, "{done: $.total, failed: $.error}")]),
    with("an operation waits for something else", Some(Patch), &[Set(ERROR, "{type: string}"), Set(WAITER, "{done: $.total, failed: $.error}")], &[Set("/paths/~1books/get/x-waiter/done", "$.error"), Set("/paths/~1books/get/x-waiter/failed", "$.total")]),
    with("an operation waits no more", Some(Major), &[Set(ERROR, "{type: string}"), Set(WAITER, "{done: $.total, failed: $.error}")], &[Remove(WAITER)]),
    read("a response has no content any more", Some(Major), &[Remove("/paths/~1books/get/responses/200/content")]),
    with("a response has content", Some(Major), &[Remove("/paths/~1books/get/responses/200/content")], &[Set("/paths/~1books/get/responses/200/content", "{application/json: {schema: {$ref: '#/components/schemas/Book'}}}")]),
    read("a response is something else", Some(Major), &[Set("/paths/~1books/get/responses/200/content/application~1json/schema/$ref", "'#/components/schemas/Book'")]),
    read("a response has another status", None, &[Move("/paths/~1books/get/responses/200", "201")]),
    read("an error is documented", Some(Patch), &[Set("/paths/~1books/get/responses/404", "{description: No such shelf.}")]),
    // The document as a whole.
    read("the key is sent in another header", Some(Patch), &[Set("/components/securitySchemes/key/name", "x-key")]),
    read("the key is a bearer token", Some(Patch), &[Set("/components/securitySchemes/key", "{type: http, scheme: bearer}")]),
    read("there is no key any more", Some(Patch), &[Remove("/security")]),
    read("the server is described otherwise", Some(Patch), &[Set("/servers/0/description", "Where books are.")]),
    read("the server has another address", Some(Patch), &[Set("/servers/0/url", "https://books.example.invalid")]),
    read("the document has another version", Some(Patch), &[Set("/info/version", "1.1.0")]),
    read("the document has another title", Some(Patch), &[Set("/info/title", "Archive")]),
    read("the crate has another name", Some(Major), &[Set("/info/x-rust-package/name", "archive")]),
    read("the crate has another version", None, &[Set("/info/x-rust-package/version", "0.2.0")]),
    read("the environment has another prefix", Some(Patch), &[Set("/info/x-rust-package/environment", "ARCHIVE")]),
    // Bodies.
    write("a required value is added", Some(Major), &[Set("/components/schemas/Note/properties/page", "{type: integer}"), Set("/components/schemas/Note/required/-", "page")]),
    write("a value may be shorter only", Some(Minor), &[Set("/components/schemas/Note/properties/author/maxLength", "40")]),
    write("a value is described", Some(Patch), &[Set("/components/schemas/Note/properties/author/description", "Who wrote it.")]),
    write("a list is added to a body", Some(Minor), &[Set("/components/schemas/Note/properties/pages", "{type: array, items: {type: integer}}")]),
    write("a body is called otherwise", Some(Major), &[Move("/components/schemas/Note", "Remark"), Set("/paths/~1notes/post/requestBody/content/application~1json/schema/$ref", "'#/components/schemas/Remark'")]),
    write("a body is gone", Some(Major), &[Remove("/paths/~1notes/post/requestBody")]),
    write("a body need not be sent", Some(Major), &[Set("/paths/~1notes/post/requestBody/required", "false")]),
    write("a body has another media type", Some(Minor), &[Set("/paths/~1notes/post/requestBody/content/application~1x-www-form-urlencoded", "{schema: {type: object, properties: {line: {type: string}}}}")]),
    write("a field of a body is added", Some(Minor), &[Set("/components/schemas/Replacement/properties/year", "{type: integer}")]),
    write("a field of a body is removed", Some(Major), &[Remove("/components/schemas/Replacement/properties/comment")]),
    write("a field of a body has another type", Some(Major), &[Set("/components/schemas/Replacement/properties/title/type", "integer")]),
    write("a field of a body is optional", Some(Major), &[Set("/components/schemas/Replacement/required", "[authors]")]),
    write("a field of a body is required", Some(Major), &[Set("/components/schemas/Replacement/required/-", "binding")]),
    write("a field of a body is not nullable", Some(Major), &[Remove("/components/schemas/Replacement/properties/comment/nullable")]),
    write("a field of a body is nullable", Some(Major), &[Set("/components/schemas/Replacement/properties/binding/nullable", "true")]),
    write("a field of a body is deprecated", Some(Minor), &[Set("/components/schemas/Replacement/properties/comment/deprecated", "true")]),
    write("a field of a body has no sign", Some(Major), &[Set("/components/schemas/Replacement/properties/pages/minimum", "0")]),
    write("an enum value of a body is added", Some(Minor), &[Set("/components/schemas/Replacement/properties/binding/enum/-", "leather")]),
    write("a body becomes a response too", Some(Major), &[Set("/paths/~1notes/post/responses/201/content/application~1json/schema/$ref", "'#/components/schemas/Replacement'")]),
    write("a parameter of the path is renamed", Some(Patch), &[Move("/paths/~1books~1{isbn}", "/books/{id}"), Set("/paths/~1books~1{id}/put/parameters/0/name", "id")]),
    write("an identifier becomes a string", Some(Major), &[Set("/paths/~1books~1{isbn}/put/parameters/0/schema", "{type: string}")]),
    write("a response becomes an argument", Some(Minor), &[Set("/components/schemas/Receipt/properties/book", "{type: string}"), Set("/paths/~1notes/post/responses/201/links", "{book: {operationId: replaceBook, parameters: {isbn: '$response.body#/book'}}}")]),
];
