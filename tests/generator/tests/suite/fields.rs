//! Treatment of each field of OpenAPI 3.2: it is read, or a warning reports that it is not, or it has no effect on a client.

use std::collections::BTreeMap;

use openapi_document::finding::DocumentError;
use serde_json::Value;

use crate::support::{self, made};

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

/// For each object of the specification the location of an example; below it a field, a value for it, and its treatment. Existing fields get
/// another value.
const FIELDS: &str = "\
OpenAPI
  $self | https://a.example/api.yaml | no effect
  jsonSchemaDialect | https://spec.openapis.org/oas/3.1/dialect/base | no effect
  servers | [{url: 'https://b.example'}] | read
  webhooks | {made: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}}} | read
  security | [] | read
  externalDocs | {url: 'https://a.example'} | no effect
Info /info
  title | Large | read
  summary | A summary. | no effect
  description | A text. | no effect
  termsOfService | https://a.example | no effect
  version | '2' | read
Contact /info/contact
  name | A | no effect
  url | https://a.example | no effect
  email | a@a.example | no effect
License /info/license
  name | Other | no effect
  identifier | MIT | no effect
  url | https://a.example | no effect
Server /servers/0
  url | https://b.example | read
  description | For tests. | read
  name | test | read
  variables | {zone: {default: us}} | read
Server Variable /servers/0/variables/zone
  enum | [eu] | read
  default | us | read
  description | Where. | read
Path Item /paths/~1things~1{id}
  summary | A path. | no effect
  description | A path. | no effect
  query | {operationId: ask, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {}} | read
  additionalOperations | {COPY: {operationId: copied, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {}}} | read
  servers | [{url: 'https://b.example'}] | read
  parameters | [{name: page, in: query, schema: {type: integer}}] | read
Operation /paths/~1things~1{id}/get
  tags | [others] | read
  summary | A summary. | read
  description | A text. | read
  externalDocs | {url: 'https://a.example'} | no effect
  operationId | other | read
  deprecated | true | read
  security | [] | read
  servers | [{url: 'https://b.example'}] | read
  callbacks | {done: {'{$request.body#/url}': {post: {responses: {}}}}} | warning callback
Parameter /paths/~1things~1{id}/get/parameters/2
  description | A text. | read
  required | true | read
  deprecated | true | read
  allowEmptyValue | true | no effect
  example | [a] | read
  examples | {one: {dataValue: [a]}} | read
  style | pipeDelimited | read
  explode | false | read
  allowReserved | true | read
  in | header | read
  in | querystring | warning parameter-place
Request Body /paths/~1things~1{id}/post/requestBody
  description | A text. | no effect
  required | true | read
Media Type /paths/~1mixed/post/responses/200/content/application~1jsonl
  itemSchema | {type: string} | read
  example | {} | no effect
  examples | {one: {serializedValue: ''}} | no effect
Media Type /paths/~1things~1{id}/post/requestBody/content/multipart~1form-data
  encoding | {note: {contentType: text/html}} | read
Media Type /paths/~1mixed/post/requestBody/content/multipart~1mixed
  prefixEncoding | [{contentType: text/html}] | warning encoding
  itemEncoding | {contentType: text/html} | warning encoding
Encoding /paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/list
  contentType | text/html | read
  headers | {X-A: {schema: {type: string}}} | warning encoding
  encoding | {} | warning encoding
  prefixEncoding | [] | warning encoding
  itemEncoding | {} | warning encoding
  style | spaceDelimited | warning encoding
  explode | false | warning encoding
  allowReserved | true | no effect
Response /paths/~1things~1{id}/get/responses/200
  summary | A summary. | no effect
  description | Another. | no effect
  headers | {X-More: {schema: {type: integer}}} | warning response-header
  links | {again: {operationId: thing, parameters: {id: $response.body#/animal}}} | read
Link /paths/~1things~1{id}/get/responses/200/links/again
  operationId | send | read
  description | A text. | no effect
  requestBody | $response.body | warning link
  server | {url: 'https://b.example'} | warning link
Tag /tags/0
  summary | A summary. | no effect
  description | A text. | no effect
  externalDocs | {url: 'https://a.example'} | no effect
  parent | all | no effect
  kind | nav | no effect
Discriminator /components/schemas/Animal/discriminator
  propertyName | type | read
  mapping | {tom: '#/components/schemas/Cat'} | read
  defaultMapping | Dog | read
Security Scheme /components/securitySchemes/token
  description | A text. | read
  type | mutualTLS | read
  oauth2MetadataUrl | https://a.example/metadata | read
  deprecated | true | read
  flows | {deviceAuthorization: {deviceAuthorizationUrl: 'https://a.example/device', tokenUrl: 'https://a.example', scopes: {}}} | read
OAuth Flow /components/securitySchemes/token/flows/clientCredentials
  tokenUrl | https://b.example/token | read
  refreshUrl | https://b.example/refresh | read
  scopes | {read: Reads.} | no effect
Components /components
  mediaTypes | {thing: {schema: {$ref: '#/components/schemas/Thing'}}} | no effect
  pathItems | {all: {get: {responses: {}}}} | no effect
XML /components/schemas/Cat
  xml | {nodeType: element, name: cat, namespace: a, prefix: b, attribute: true, wrapped: true} | no effect
";

/// Emitted files, except for the document and its hash.
type Files = BTreeMap<String, String>;

/// Returns the emitted files, and the warnings by rule and location.
fn read(document: &Value) -> Result<(Files, Vec<(String, String)>), DocumentError> {
    let generated = made(document, None)?;
    let mut files = support::files(&generated.tree);
    files.retain(|path, _| !["openapi.yaml", "manifest.yaml"].contains(&path.as_str()));
    let warnings = generated.warnings.iter();
    let warnings = warnings.map(|one| (one.rule.to_owned(), one.pointer.clone()));
    Ok((files, warnings.collect()))
}

/// Returns the treatment of a document that differs from the base.
fn fate(document: &Value, base: &Files, warned: &[(String, String)], expected: &str) -> String {
    let (files, warnings) = match read(document) {
        Err(error) => return format!("error: {error}"),
        Ok(found) => found,
    };
    let new = warnings.into_iter().find(|one| !warned.contains(one));
    match new {
        Some((rule, _)) if expected != "read" => format!("warning {rule}"),
        _ if files != *base => "read".to_owned(),
        Some((rule, _)) => format!("warning {rule}"),
        None => "no effect".to_owned(),
    }
}

#[test]
fn each_field_is_read_or_warned_of_or_has_no_effect() {
    let document: Value = serde_yaml::from_str(DOCUMENT).unwrap();
    let (base, warned) = read(&document).unwrap();
    let (mut object, mut wrong) = ("", Vec::new());
    for line in FIELDS.lines() {
        let Some(row) = line.strip_prefix("  ") else {
            object = line;
            continue;
        };
        let [field, value, expected] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let at = object.find('/').map_or("", |start| &object[start..]);
        let mut changed = document.clone();
        let place = changed.pointer_mut(at).unwrap_or_else(|| panic!("{at}"));
        place[field] = serde_yaml::from_str(value).unwrap();
        let found = fate(&changed, &base, &warned, expected);
        if found != expected {
            wrong.push(format!("{object} `{field}`: {found}, and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
