//! Tests of OpenAPI 3.2: for each feature a breaking pair if possible, a safe one, and equivalent notations.

use serde_json::Value;

use super::quiet::loud;
use super::{compare, lines, yaml};
use crate::support::rows;

/// Documents by name; `@` stands for what a row writes.
const FRAMES: &str = "
whole | {@}
paths | {paths: {/a: {@}}}
referred | {paths: {/a: {$ref: '#/components/pathItems/P'}}, components: {pathItems: {P: {@}}}}
operation | {paths: {/a: {post: {@}}}}
querystring | {paths: {/a: {post: {parameters: [{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {@}}}}]}}}}
sent | {paths: {/a: {post: {requestBody: {content: {@}}}}}}
parts | {paths: {/a: {post: {requestBody: {content: {multipart/mixed: {schema: {type: array, prefixItems: [{type: string}], items: {type: object}}, @}}}}}}}
received | {paths: {/a: {post: {responses: {'200': {content: {@}}}}}}}
lines | {paths: {/a: {post: {responses: {'200': {content: {application/jsonl: {@}}}}}}}}
shared | {paths: {/a: {post: {responses: {'200': {content: {application/json: {$ref: '#/components/mediaTypes/M'}}}}}}}, components: {mediaTypes: {M: {@}}}}
unused | {paths: {/a: {post: {responses: {'200': {content: {text/csv: {}}}}}}}, components: {mediaTypes: {M: {@}}}}
chosen | {paths: {/a: {post: {responses: {'200': {content: {application/json: {schema: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: kind, @}}}}}}}}}, components: {schemas: {A: {type: object, properties: {kind: {type: string}}}, B: {type: object, properties: {kind: {type: string}, size: {type: integer}}}}}}
secured | {paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: oauth2, @}}}}
servers | {paths: {/a: {get: {}}}, servers: [@]}
";

/// Two documents, each a frame and what it has, and the worst verdict in both directions. `none` allows only documentation and `no-effect`.
const ROWS: &str = "
# Methods.
paths query: {requestBody: {content: {application/json: {schema: {type: string}}}}} | paths query: {requestBody: {content: {application/json: {schema: {type: integer}}}}} | breaking | breaking
paths query: {requestBody: {content: {application/json: {schema: {type: string}}}}} | paths get: {} | breaking | breaking
paths | paths query: {requestBody: {content: {application/json: {schema: {type: string}}}}} | safe | breaking
paths | paths additionalOperations: {COPY: {}} | safe | breaking
paths additionalOperations: {COPY: {}} | paths additionalOperations: {COPY: {security: [{key: []}]}} | breaking | safe
paths additionalOperations: {COPY: {}} | paths additionalOperations: {COPY: {deprecated: true}} | safe | safe
paths query: {requestBody: {content: {application/json: {schema: {type: string}}}}} | referred query: {requestBody: {content: {application/json: {schema: {type: string}}}}} | none | none
paths additionalOperations: {COPY: {}} | referred additionalOperations: {COPY: {}} | none | none
paths query: {} | paths additionalOperations: {QUERY: {}} | none | none
# Query strings.
querystring type: object, properties: {a: {type: string}} | querystring type: object, properties: {a: {type: string}}, required: [a] | breaking | safe
operation | querystring type: object, properties: {a: {type: string}} | safe | risky
querystring type: object, properties: {a: {type: string}} | operation parameters: [{name: other, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}] | none | none
querystring type: object, properties: {a: {type: string}} | whole paths: {/a: {post: {parameters: [{$ref: '#/components/parameters/Q'}]}}}, components: {parameters: {Q: {name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}}} | none | none
# Lines.
lines itemSchema: {type: string} | lines itemSchema: {type: integer} | breaking | breaking
lines | lines itemSchema: {type: integer} | safe | breaking
lines itemSchema: {type: integer} | lines itemSchema: {type: integer, description: One} | none | none
lines itemSchema: {type: integer} | lines itemSchema: {allOf: [{type: integer}]} | none | none
lines itemSchema: {type: integer} | lines schema: {type: array, items: {type: integer}} | none | none
lines itemSchema: {type: integer} | lines schema: {type: integer} | none | none
lines itemSchema: {type: integer} | lines schema: {type: array, items: {type: string}} | breaking | breaking
# Parts.
parts | parts prefixEncoding: [{contentType: text/csv}] | breaking | breaking
parts | parts prefixEncoding: [{contentType: text/plain}] | none | none
parts | parts prefixEncoding: [{}] | none | none
parts | parts itemEncoding: {contentType: application/xml} | breaking | breaking
parts prefixEncoding: [{contentType: text/plain}] | parts prefixEncoding: [{contentType: text/plain}], itemEncoding: {contentType: application/json} | none | none
parts itemEncoding: {contentType: text/csv} | parts prefixEncoding: [{contentType: text/csv}], itemEncoding: {contentType: text/csv} | none | none
parts | parts itemEncoding: {headers: {A: {required: true}}} | breaking | safe
parts itemEncoding: {contentType: multipart/mixed} | parts itemEncoding: {contentType: multipart/mixed, itemEncoding: {contentType: text/csv}} | breaking | breaking
sent application/json: {} | sent application/json: {itemEncoding: {contentType: text/csv}, prefixEncoding: [{contentType: text/csv}]} | none | none
# Media types that operations share.
received application/json: {schema: {type: string}} | shared schema: {type: string} | none | none
shared schema: {type: string} | shared schema: {type: integer} | breaking | breaking
unused schema: {type: string} | unused schema: {type: integer} | safe | safe
unused schema: {type: string} | received text/csv: {} | safe | safe
# The rest.
chosen | chosen defaultMapping: A | risky | safe
chosen defaultMapping: A | chosen defaultMapping: B | breaking | breaking
chosen defaultMapping: A | chosen defaultMapping: '#/components/schemas/A' | none | none
operation | whole $self: 'https://a.example/api', paths: {/a: {post: {}}} | none | none
whole tags: [{name: a}, {name: b}] | whole tags: [{name: a, summary: A, kind: nav, parent: b}, {name: b}] | none | none
secured flows: {deviceAuthorization: {deviceAuthorizationUrl: d, tokenUrl: t, scopes: {}}} | secured flows: {deviceAuthorization: {deviceAuthorizationUrl: e, tokenUrl: t, scopes: {}}} | risky | risky
secured flows: {deviceAuthorization: {deviceAuthorizationUrl: d, tokenUrl: t, scopes: {read: Read}}} | secured flows: {deviceAuthorization: {deviceAuthorizationUrl: d, tokenUrl: t, scopes: {}}} | risky | safe
secured flows: {implicit: {authorizationUrl: i, scopes: {}}} | secured flows: {implicit: {authorizationUrl: i, scopes: {}}, deviceAuthorization: {deviceAuthorizationUrl: d, tokenUrl: t, scopes: {}}} | safe | risky
secured flows: {}, oauth2MetadataUrl: a | secured flows: {}, oauth2MetadataUrl: b | risky | risky
secured flows: {} | secured flows: {}, oauth2MetadataUrl: a | none | risky
secured flows: {} | secured flows: {}, deprecated: true | safe | safe
secured flows: {} | secured flows: {}, deprecated: false | none | none
servers {url: /a} | servers {url: /a, name: main} | none | none
servers {url: /a, name: x}, {url: /b, name: y} | servers {url: /a, name: y}, {url: /b, name: x} | none | none
servers {url: /a, name: main} | servers {url: /b, name: main} | risky | risky
";

/// Returns the document of a cell.
fn document(cell: &str) -> Value {
    let (name, members) = cell.split_once(' ').unwrap_or((cell, ""));
    let frames = rows(FRAMES);
    let frame = frames.iter().find(|[known, _]| *known == name);
    let [_, frame] = frame.unwrap_or_else(|| panic!("there is no frame `{name}`"));
    let mut document = super::document(&yaml(&frame.replace('@', members)));
    document["openapi"] = "3.2.0".into();
    document
}

#[test]
fn each_addition_of_3_2_has_verdicts_and_other_spellings() {
    let mut wrong = Vec::new();
    for [old, new, forward, back] in rows(ROWS) {
        for (old, new, wanted) in [(old, new, forward), (new, old, back)] {
            let (a, b) = (document(old), document(new));
            let differences = compare(&a, &b);
            let is_as_wanted = if wanted == "none" {
                loud(&a, &b).is_empty()
            } else {
                differences.wire().to_string() == wanted
            };
            let mut changes = differences.changes.iter();
            if !is_as_wanted || changes.any(|change| change.rule.id == "unhandled") {
                let changes = lines(&differences.changes);
                wrong.push(format!("{wanted}\n{old}\n{new}\n{changes:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
