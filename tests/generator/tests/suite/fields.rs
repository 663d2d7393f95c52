//! Treatment of each field of OpenAPI 3.2: it is read, or a warning reports that it is not, or it has no effect on a client.

use std::collections::BTreeMap;

use client_generator::emit::{Packaging, Runtime};
use client_generator::generate::{Generated, Task, generate};
use openapi_document::source::Root;
use serde_json::{Map, Value};

use crate::support::Workspace;

/// Treatment of a field by the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// The field changes the crate.
    Read,
    /// A warning of this rule, or an error, reports that it is not read.
    Warned(&'static str),
    /// The field is for people or the service, or has its effect elsewhere.
    NoEffect,
}

use Fate::{NoEffect, Read, Warned};

const DOCUMENT: &str = "\
openapi: 3.2.0
info: {title: Small, version: '1', contact: {}, license: {name: MIT}}
servers:
  - {url: 'https://{zone}.a.example', variables: {zone: {default: eu, enum: [eu, us]}}}
  - {url: 'https://test.a.example'}
tags: [{name: things}]
security: [{token: []}, {key: []}]
paths:
  /things/{id}:
    get:
      operationId: thing
      tags: [things]
      parameters:
        - {name: id, in: path, required: true, schema: {$ref: '#/components/schemas/Id'}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: kinds, in: query, schema: {type: array, items: {type: string}}}
      responses:
        '200':
          description: A thing.
          headers: {X-Left: {schema: {type: integer}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}
          links: {again: {operationId: thing, parameters: {id: $response.body#/id}}}
    post:
      operationId: send
      tags: [things]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        content:
          multipart/form-data:
            schema: {type: object, properties: {note: {type: string}, list: {type: array, items: {type: string}}}}
            encoding: {list: {}}
      responses: {'204': {description: Done.}}
  /mixed:
    post:
      operationId: mix
      requestBody: {content: {multipart/mixed: {schema: {type: array, items: {type: string}}}}}
      responses:
        '200': {description: Lines., content: {application/jsonl: {itemSchema: {$ref: '#/components/schemas/Thing'}}}}
components:
  schemas:
    Id: {type: string}
    Thing: {type: object, required: [id], properties: {id: {type: string}, animal: {$ref: '#/components/schemas/Animal'}}}
    Animal:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
      discriminator: {propertyName: kind}
    Cat: {type: object, properties: {kind: {type: string}, lives: {type: integer}}}
    Dog: {type: object, properties: {kind: {type: string}, name: {type: string}}}
  securitySchemes:
    token:
      type: oauth2
      flows: {clientCredentials: {tokenUrl: 'https://a.example/token', scopes: {}}}
    key: {type: apiKey, in: header, name: x-key}
";

const OPERATION: &str = "/paths/~1things~1{id}/get";
const PARAMETER: &str = "/paths/~1things~1{id}/get/parameters/2";
const RESPONSE: &str = "/paths/~1things~1{id}/get/responses/200";
const PARTS: &str = "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data";
const MIXED: &str = "/paths/~1mixed/post/requestBody/content/multipart~1mixed";
const LINES: &str = "/paths/~1mixed/post/responses/200/content/application~1jsonl";
const SCHEME: &str = "/components/securitySchemes/token";
const FLOW: &str = "/components/securitySchemes/token/flows/clientCredentials";
const SERVER: &str = "/servers/0";

/// The object, an example of its location, the field, a value for it, and its treatment. Existing fields get another value.
const FIELDS: &[(&str, &str, &str, &str, Fate)] = &[
    (
        "OpenAPI",
        "",
        "$self",
        "https://a.example/api.yaml",
        NoEffect,
    ),
    (
        "OpenAPI",
        "",
        "jsonSchemaDialect",
        "https://spec.openapis.org/oas/3.1/dialect/base",
        NoEffect,
    ),
    (
        "OpenAPI",
        "",
        "servers",
        "[{url: 'https://b.example'}]",
        Read,
    ),
    (
        "OpenAPI",
        "",
        "webhooks",
        "{made: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}}",
        Read,
    ),
    ("OpenAPI", "", "security", "[]", Read),
    (
        "OpenAPI",
        "",
        "externalDocs",
        "{url: 'https://a.example'}",
        NoEffect,
    ),
    ("Info", "/info", "title", "Large", Read),
    ("Info", "/info", "summary", "A summary.", NoEffect),
    ("Info", "/info", "description", "A text.", NoEffect),
    (
        "Info",
        "/info",
        "termsOfService",
        "https://a.example",
        NoEffect,
    ),
    ("Info", "/info", "version", "'2'", Read),
    ("Contact", "/info/contact", "name", "A", NoEffect),
    (
        "Contact",
        "/info/contact",
        "url",
        "https://a.example",
        NoEffect,
    ),
    ("Contact", "/info/contact", "email", "a@a.example", NoEffect),
    ("License", "/info/license", "name", "Other", NoEffect),
    ("License", "/info/license", "identifier", "MIT", NoEffect),
    (
        "License",
        "/info/license",
        "url",
        "https://a.example",
        NoEffect,
    ),
    ("Server", SERVER, "url", "https://b.example", Read),
    ("Server", SERVER, "description", "For tests.", Read),
    ("Server", SERVER, "name", "test", Read),
    ("Server", SERVER, "variables", "{zone: {default: us}}", Read),
    (
        "Server Variable",
        "/servers/0/variables/zone",
        "enum",
        "[eu]",
        Read,
    ),
    (
        "Server Variable",
        "/servers/0/variables/zone",
        "default",
        "us",
        Read,
    ),
    (
        "Server Variable",
        "/servers/0/variables/zone",
        "description",
        "Where.",
        Read,
    ),
    (
        "Path Item",
        "/paths/~1things~1{id}",
        "summary",
        "A path.",
        NoEffect,
    ),
    (
        "Path Item",
        "/paths/~1things~1{id}",
        "description",
        "A path.",
        NoEffect,
    ),
    (
        "Path Item",
        "/paths/~1things~1{id}",
        "query",
        "{operationId: ask, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {}}",
        Read,
    ),
    (
        "Path Item",
        "/paths/~1things~1{id}",
        "additionalOperations",
        "{COPY: {operationId: copied, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {}}}",
        Read,
    ),
    (
        "Path Item",
        "/paths/~1things~1{id}",
        "servers",
        "[{url: 'https://b.example'}]",
        Read,
    ),
    (
        "Path Item",
        "/paths/~1things~1{id}",
        "parameters",
        "[{name: page, in: query, schema: {type: integer}}]",
        Read,
    ),
    ("Operation", OPERATION, "tags", "[others]", Read),
    ("Operation", OPERATION, "summary", "A summary.", Read),
    ("Operation", OPERATION, "description", "A text.", Read),
    (
        "Operation",
        OPERATION,
        "externalDocs",
        "{url: 'https://a.example'}",
        NoEffect,
    ),
    ("Operation", OPERATION, "operationId", "other", Read),
    ("Operation", OPERATION, "deprecated", "true", Read),
    ("Operation", OPERATION, "security", "[]", Read),
    (
        "Operation",
        OPERATION,
        "servers",
        "[{url: 'https://b.example'}]",
        Read,
    ),
    (
        "Operation",
        OPERATION,
        "callbacks",
        "{done: {'{$request.body#/url}': {post: {responses: {}}}}}",
        Warned("callback"),
    ),
    ("Parameter", PARAMETER, "description", "A text.", Read),
    ("Parameter", PARAMETER, "required", "true", Read),
    ("Parameter", PARAMETER, "deprecated", "true", Read),
    ("Parameter", PARAMETER, "allowEmptyValue", "true", NoEffect),
    ("Parameter", PARAMETER, "example", "[a]", Read),
    (
        "Parameter",
        PARAMETER,
        "examples",
        "{one: {dataValue: [a]}}",
        Read,
    ),
    ("Parameter", PARAMETER, "style", "pipeDelimited", Read),
    ("Parameter", PARAMETER, "explode", "false", Read),
    ("Parameter", PARAMETER, "allowReserved", "true", Read),
    ("Parameter", PARAMETER, "in", "header", Read),
    (
        "Parameter",
        PARAMETER,
        "in",
        "querystring",
        Warned("parameter-place"),
    ),
    (
        "Request Body",
        "/paths/~1things~1{id}/post/requestBody",
        "description",
        "A text.",
        NoEffect,
    ),
    (
        "Request Body",
        "/paths/~1things~1{id}/post/requestBody",
        "required",
        "true",
        Read,
    ),
    ("Media Type", LINES, "itemSchema", "{type: string}", Read),
    ("Media Type", LINES, "example", "{}", NoEffect),
    (
        "Media Type",
        LINES,
        "examples",
        "{one: {serializedValue: ''}}",
        NoEffect,
    ),
    (
        "Media Type",
        PARTS,
        "encoding",
        "{note: {contentType: text/html}}",
        Read,
    ),
    (
        "Media Type",
        MIXED,
        "prefixEncoding",
        "[{contentType: text/html}]",
        Warned("encoding"),
    ),
    (
        "Media Type",
        MIXED,
        "itemEncoding",
        "{contentType: text/html}",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "contentType",
        "text/html",
        Read,
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "headers",
        "{X-A: {schema: {type: string}}}",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "encoding",
        "{}",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "prefixEncoding",
        "[]",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "itemEncoding",
        "{}",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "style",
        "spaceDelimited",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "explode",
        "false",
        Warned("encoding"),
    ),
    (
        "Encoding",
        "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list",
        "allowReserved",
        "true",
        NoEffect,
    ),
    ("Response", RESPONSE, "summary", "A summary.", NoEffect),
    ("Response", RESPONSE, "description", "Another.", NoEffect),
    (
        "Response",
        RESPONSE,
        "headers",
        "{X-More: {schema: {type: integer}}}",
        Warned("response-header"),
    ),
    (
        "Response",
        RESPONSE,
        "links",
        "{again: {operationId: thing, parameters: {id: $response.body#/animal}}}",
        Read,
    ),
    (
        "Link",
        "/paths/~1things~1{id}/get/responses/200/links/again",
        "operationId",
        "send",
        Read,
    ),
    (
        "Link",
        "/paths/~1things~1{id}/get/responses/200/links/again",
        "description",
        "A text.",
        NoEffect,
    ),
    (
        "Link",
        "/paths/~1things~1{id}/get/responses/200/links/again",
        "requestBody",
        "$response.body",
        Warned("link"),
    ),
    (
        "Link",
        "/paths/~1things~1{id}/get/responses/200/links/again",
        "server",
        "{url: 'https://b.example'}",
        Warned("link"),
    ),
    ("Tag", "/tags/0", "summary", "A summary.", NoEffect),
    ("Tag", "/tags/0", "description", "A text.", NoEffect),
    (
        "Tag",
        "/tags/0",
        "externalDocs",
        "{url: 'https://a.example'}",
        NoEffect,
    ),
    ("Tag", "/tags/0", "parent", "all", NoEffect),
    ("Tag", "/tags/0", "kind", "nav", NoEffect),
    (
        "Discriminator",
        "/components/schemas/Animal/discriminator",
        "propertyName",
        "type",
        Read,
    ),
    (
        "Discriminator",
        "/components/schemas/Animal/discriminator",
        "mapping",
        "{tom: '#/components/schemas/Cat'}",
        Read,
    ),
    (
        "Discriminator",
        "/components/schemas/Animal/discriminator",
        "defaultMapping",
        "Dog",
        Read,
    ),
    ("Security Scheme", SCHEME, "description", "A text.", Read),
    ("Security Scheme", SCHEME, "type", "mutualTLS", Read),
    (
        "Security Scheme",
        SCHEME,
        "oauth2MetadataUrl",
        "https://a.example/metadata",
        Read,
    ),
    ("Security Scheme", SCHEME, "deprecated", "true", Read),
    (
        "Security Scheme",
        SCHEME,
        "flows",
        "{deviceAuthorization: {deviceAuthorizationUrl: 'https://a.example/device', tokenUrl: 'https://a.example', scopes: {}}}",
        Read,
    ),
    (
        "OAuth Flow",
        FLOW,
        "tokenUrl",
        "https://b.example/token",
        Read,
    ),
    (
        "OAuth Flow",
        FLOW,
        "refreshUrl",
        "https://b.example/refresh",
        Read,
    ),
    ("OAuth Flow", FLOW, "scopes", "{read: Reads.}", NoEffect),
    (
        "Components",
        "/components",
        "mediaTypes",
        "{thing: {schema: {$ref: '#/components/schemas/Thing'}}}",
        NoEffect,
    ),
    (
        "Components",
        "/components",
        "pathItems",
        "{all: {get: {responses: {}}}}",
        NoEffect,
    ),
    (
        "XML",
        "/components/schemas/Cat",
        "xml",
        "{nodeType: element, name: cat, namespace: a, prefix: b, attribute: true, wrapped: true}",
        NoEffect,
    ),
];

/// Emitted files, except for the document and its hash.
type Files = BTreeMap<String, String>;

/// Returns the emitted files, and the warnings by rule and location.
fn made(document: &Value) -> Result<(Files, Vec<(String, String)>), String> {
    let workspace = Workspace::new().file("api.yaml", &document.to_string());
    let generated: Generated = generate(&Task {
        root: workspace.root().to_owned(),
        document: "api.yaml".to_owned(),
        files: Root::Own,
        overrides: None,
        overlays: Vec::new(),
        package: Map::new(),
        package_file: String::new(),
        strict: false,
        packaging: Packaging::alone(Runtime::Version),
    })
    .map_err(|stop| stop.to_string())?;
    let files = generated.tree.iter();
    let files = files.filter(|(path, _)| !["openapi.yaml", "manifest.yaml"].contains(path));
    let warnings = generated.warnings.iter();
    Ok((
        files
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .collect(),
        warnings
            .map(|one| (one.rule.to_owned(), one.pointer.clone()))
            .collect(),
    ))
}

#[test]
fn each_field_is_read_or_warned_of_or_has_no_effect() {
    let document: Value = serde_yaml::from_str(DOCUMENT).unwrap();
    let (base, warned) = made(&document).unwrap();
    let mut wrong = Vec::new();
    for (object, at, field, value, fate) in FIELDS {
        let mut changed = document.clone();
        let value: Value = serde_yaml::from_str(value).unwrap();
        let place = changed.pointer_mut(at).unwrap_or_else(|| panic!("{at}"));
        place
            .as_object_mut()
            .unwrap()
            .insert((*field).to_owned(), value);
        let found = match made(&changed) {
            Err(error) => format!("error: {error}"),
            Ok((files, warnings)) => {
                let new = warnings.into_iter().find(|one| !warned.contains(one));
                match new {
                    Some((rule, _)) if Warned("") != *fate && *fate != Read => {
                        format!("Warned({rule:?})")
                    }
                    _ if files != base => "Read".to_owned(),
                    Some((rule, _)) => format!("Warned({rule:?})"),
                    None => "NoEffect".to_owned(),
                }
            }
        };
        if found != format!("{fate:?}") {
            wrong.push(format!("{object} `{field}`: {found}, and not {fate:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
