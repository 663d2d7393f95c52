//! Every rule with the smallest documents that trigger it. A row reads: rule, old, new, the verdict if a client sends the value,
//! the verdict if a client receives it.

use std::collections::{BTreeMap, BTreeSet};

use openapi_diff::Wire::{self, Breaking, Risky, Safe};
use openapi_diff::{Direction, Part, RULES, Rule};
use serde_json::Value;

use super::{as_webhook, called, compare, document, in_request, in_response, lines, yaml};

pub(crate) type Row = (&'static str, &'static str, &'static str, Wire, Wire);

/// Old and new schema of a body.
#[rustfmt::skip]
pub(crate) const SCHEMAS: &[Row] = &[
    ("schema.type-changed", "{type: string}", "{type: integer}", Breaking, Breaking),
    ("schema.type-changed", "{type: [string, boolean]}", "{type: [string, integer]}", Breaking, Breaking),
    ("schema.type-changed", "{enum: [a, b]}", "{enum: [1, 2]}", Breaking, Breaking),
    ("schema.type-narrowed", "{type: number}", "{type: integer}", Breaking, Safe),
    ("schema.type-narrowed", "{}", "{type: string}", Breaking, Safe),
    ("schema.type-narrowed", "{type: string}", "false", Breaking, Safe),
    ("schema.type-widened", "{type: integer}", "{type: number}", Safe, Breaking),
    ("schema.type-widened", "{type: string}", "{type: [string, integer]}", Safe, Breaking),
    ("schema.null-added", "{type: string}", "{type: [string, 'null']}", Safe, Breaking),
    ("schema.null-added", "{type: string}", "{type: string, nullable: true}", Safe, Breaking),
    ("schema.null-removed", "{anyOf: [{type: string}, {type: 'null'}]}", "{type: string}", Breaking, Safe),
    ("schema.null-removed", "{enum: [a, null]}", "{enum: [a]}", Breaking, Safe),
    ("schema.const-changed", "{const: a}", "{const: b}", Breaking, Breaking),
    ("schema.const-changed", "{enum: [a]}", "{const: b}", Breaking, Breaking),
    ("schema.enum-introduced", "{type: string}", "{type: string, enum: [a, b]}", Breaking, Safe),
    ("schema.enum-lifted", "{type: string, enum: [a, b]}", "{type: string}", Safe, Breaking),
    ("schema.enum-value-added", "{enum: [a, b]}", "{enum: [a, b, c]}", Safe, Risky),
    ("schema.enum-value-added", "{enum: [a, b]}", "{oneOf: [{const: a}, {const: b}, {const: c}]}", Safe, Risky),
    ("schema.enum-value-removed", "{enum: [a, b]}", "{enum: [a]}", Breaking, Safe),
    ("schema.bound-added", "{type: string}", "{type: string, maxLength: 9}", Breaking, Safe),
    ("schema.bound-added", "{type: array}", "{type: array, minItems: 1}", Breaking, Safe),
    ("schema.bound-added", "{type: object}", "{type: object, maxProperties: 9}", Breaking, Safe),
    ("schema.bound-removed", "{type: string, maxLength: 9}", "{type: string}", Safe, Breaking),
    ("schema.bound-removed", "{type: object, minProperties: 1}", "{type: object, minProperties: 0}", Safe, Breaking),
    ("schema.bound-tightened", "{type: integer, minimum: 0}", "{type: integer, minimum: 1}", Breaking, Safe),
    ("schema.bound-tightened", "{type: number, maximum: 9}", "{type: number, maximum: 9, exclusiveMaximum: true}", Breaking, Safe),
    ("schema.bound-tightened", "{type: number, minimum: 9}", "{type: number, exclusiveMinimum: 9}", Breaking, Safe),
    ("schema.bound-tightened", "{type: integer, maximum: 5, allOf: [{maximum: 9}]}", "{type: integer, maximum: 5, allOf: [{maximum: 4}]}", Breaking, Safe),
    ("schema.bound-loosened", "{type: array, maxItems: 9}", "{type: array, maxItems: 10}", Safe, Breaking),
    ("schema.bound-loosened", "{type: string, minLength: 9}", "{type: string, minLength: 8}", Safe, Breaking),
    ("schema.pattern-added", "{type: string}", "{type: string, pattern: ^a}", Breaking, Safe),
    ("schema.pattern-removed", "{type: string, pattern: ^a}", "{type: string, pattern: .*}", Safe, Risky),
    ("schema.pattern-changed", "{type: string, pattern: ^a}", "{type: string, pattern: ^b}", Risky, Risky),
    ("schema.format-narrowed", "{type: integer, format: int64}", "{type: integer, format: int32}", Breaking, Safe),
    ("schema.format-narrowed", "{type: string}", "{type: string, format: date}", Breaking, Safe),
    ("schema.format-widened", "{type: integer, format: int32}", "{type: integer, format: int64}", Safe, Breaking),
    ("schema.format-changed", "{type: string, format: date}", "{type: string, format: uuid}", Breaking, Breaking),
    ("schema.content-encoding-changed", "{type: string}", "{type: string, contentEncoding: base64}", Breaking, Breaking),
    ("schema.multiple-of-added", "{type: integer}", "{type: integer, multipleOf: 5}", Breaking, Safe),
    ("schema.multiple-of-added", "{type: integer, multipleOf: 5}", "{type: integer, multipleOf: 10}", Breaking, Safe),
    ("schema.multiple-of-removed", "{type: integer, multipleOf: 5}", "{type: integer}", Safe, Breaking),
    ("schema.multiple-of-changed", "{type: integer, multipleOf: 5}", "{type: integer, multipleOf: 7}", Breaking, Breaking),
    ("schema.unique-items-added", "{type: array}", "{type: array, uniqueItems: true}", Breaking, Safe),
    ("schema.unique-items-removed", "{type: array, uniqueItems: true}", "{type: array, uniqueItems: false}", Safe, Breaking),
    ("schema.closed", "{type: object}", "{type: object, additionalProperties: false}", Breaking, Safe),
    ("schema.closed", "{type: object}", "{type: object, unevaluatedProperties: false}", Breaking, Safe),
    ("schema.opened", "{type: object, additionalProperties: false}", "{type: object}", Safe, Breaking),
    ("schema.type-narrowed", "{type: object}", "{type: object, additionalProperties: {type: string}}", Breaking, Safe),
    ("schema.pattern-properties-added", "{type: object}", "{type: object, patternProperties: {^a: {type: string}}}", Breaking, Safe),
    ("schema.pattern-properties-removed", "{type: object, patternProperties: {^a: {type: string}}}", "{type: object}", Safe, Breaking),
    ("schema.dependency-added", "{type: object}", "{type: object, dependentRequired: {a: [b]}}", Breaking, Safe),
    ("schema.dependency-removed", "{type: object, dependentRequired: {a: [b]}}", "{type: object}", Safe, Breaking),
    ("schema.condition-added", "{type: array}", "{type: array, contains: {type: string}}", Breaking, Safe),
    ("schema.condition-added", "{type: object}", "{type: object, propertyNames: {pattern: ^a}}", Breaking, Safe),
    ("schema.condition-removed", "{type: string, not: {const: a}}", "{type: string}", Safe, Breaking),
    ("schema.alternative-added", "{oneOf: [{type: string, format: date}, {type: integer}]}", "{oneOf: [{type: boolean}, {type: integer}, {type: string, format: date}]}", Safe, Breaking),
    ("schema.alternative-added", "{type: string, format: date}", "{anyOf: [{type: integer}, {type: string, format: date}]}", Safe, Breaking),
    ("schema.alternative-removed", "{oneOf: [{type: array}, {type: object}, {type: string, format: date}]}", "{oneOf: [{type: string, format: date}, {type: array}]}", Breaking, Safe),
    ("schema.alternative-removed", "{anyOf: [{type: integer}, {type: string, format: date}]}", "{type: string, format: date}", Breaking, Safe),
    ("schema.bound-tightened", "{oneOf: [{type: array}, {type: string, maxLength: 9}]}", "{oneOf: [{type: string, maxLength: 8}, {type: array}]}", Breaking, Safe),
    ("schema.alternatives-introduced", "{type: object}", "{type: object, anyOf: [{required: [a]}, {required: [b]}]}", Breaking, Safe),
    ("schema.alternatives-lifted", "{type: object, anyOf: [{required: [a]}, {required: [b]}]}", "{type: object}", Safe, Breaking),
    ("schema.alternatives-kind-changed", "{oneOf: [{type: object}, {type: string, format: date}]}", "{anyOf: [{type: object}, {type: string, format: date}]}", Risky, Risky),
    ("schema.discriminator-added", "{type: object}", "{type: object, discriminator: {propertyName: kind}}", Safe, Safe),
    ("schema.discriminator-removed", "{type: object, discriminator: {propertyName: kind}}", "{type: object}", Safe, Risky),
    ("schema.discriminator-changed", "{type: object, discriminator: {propertyName: kind}}", "{type: object, discriminator: {propertyName: sort}}", Risky, Risky),
    ("schema.discriminator-value-added", "{discriminator: {propertyName: a, mapping: {x: '#/openapi'}}}", "{discriminator: {propertyName: a, mapping: {x: '#/openapi', y: '#/openapi'}}}", Safe, Risky),
    ("schema.discriminator-value-removed", "{discriminator: {propertyName: a, mapping: {x: '#/openapi', y: '#/openapi'}}}", "{discriminator: {propertyName: a, mapping: {x: '#/openapi'}}}", Breaking, Safe),
    ("schema.discriminator-value-changed", "{discriminator: {propertyName: a, mapping: {x: '#/openapi'}}}", "{discriminator: {propertyName: a, mapping: {x: '#/info/title'}}}", Breaking, Breaking),
    ("schema.default-added", "{type: string}", "{type: string, default: a}", Safe, Safe),
    ("schema.default-changed", "{type: string, default: a}", "{type: string, default: b}", Risky, Risky),
    ("schema.xml-changed", "{type: object}", "{type: object, xml: {name: book}}", Risky, Risky),
    ("schema.read-only-added", "{properties: {a: {type: string}}}", "{properties: {a: {type: string, readOnly: true}}}", Risky, Safe),
    ("schema.read-only-removed", "{properties: {a: {type: string, readOnly: true}}}", "{properties: {a: {type: string}}}", Safe, Safe),
    ("schema.write-only-added", "{properties: {a: {type: string}}}", "{properties: {a: {type: string, writeOnly: true}}}", Safe, Breaking),
    ("schema.write-only-removed", "{properties: {a: {type: string, writeOnly: true}}}", "{properties: {a: {type: string}}}", Safe, Safe),
    ("property.added", "{type: object}", "{type: object, properties: {a: {type: string}}}", Safe, Safe),
    ("property.added-required", "{type: object}", "{type: object, properties: {a: {type: string}}, required: [a]}", Breaking, Safe),
    ("property.removed", "{type: object, properties: {a: {type: string}}}", "{type: object}", Risky, Risky),
    ("property.removed-required", "{type: object, properties: {a: {type: string}}, required: [a]}", "{type: object}", Risky, Breaking),
    ("property.removed-and-refused", "{additionalProperties: false, properties: {a: {}}}", "{additionalProperties: false}", Breaking, Risky),
    ("property.removed-required-and-refused", "{additionalProperties: false, required: [a], properties: {a: {}}}", "{additionalProperties: false}", Breaking, Breaking),
    ("property.renamed", "{type: object, properties: {page_url: {type: string}}}", "{type: object, properties: {url: {type: string}}}", Risky, Risky),
    ("property.renamed-and-refused", "{additionalProperties: false, properties: {a: {enum: [x]}}}", "{additionalProperties: false, properties: {b: {enum: [x]}}}", Breaking, Risky),
    ("property.renamed-required", "{type: object, required: [a], properties: {a: {format: uuid}}}", "{type: object, required: [b], properties: {b: {format: uuid}}}", Breaking, Breaking),
    ("property.became-required", "{properties: {a: {type: string}}}", "{properties: {a: {type: string}}, required: [a]}", Breaking, Safe),
    ("property.became-required", "{type: object}", "{type: object, required: [a]}", Breaking, Safe),
    ("property.became-optional", "{properties: {a: {type: string}}, required: [a]}", "{properties: {a: {type: string}}}", Safe, Breaking),
    ("deprecated", "{type: string}", "{type: string, deprecated: true}", Safe, Safe),
    ("deprecation-withdrawn", "{type: string, deprecated: true}", "{type: string}", Safe, Safe),
    ("docs.changed", "{type: string, description: a}", "{type: string, description: b}", Safe, Safe),
    ("extension.changed", "{type: string, x-a: 1}", "{type: string, x-a: 2}", Safe, Safe),
    ("reference.broken", "{$ref: '#/openapi'}", "{$ref: '#/nowhere'}", Risky, Risky),
    ("reference.mended", "{$ref: other.yaml}", "{$ref: '#/openapi'}", Risky, Risky),
    ("no-effect", "{type: array}", "{type: array, minLength: 1}", Safe, Safe),
    ("no-effect", "{type: string}", "{type: string, format: password}", Safe, Safe),
    ("no-effect", "{type: integer, minimum: 1, maximum: 9}", "{type: integer, minimum: 1, maximum: 9, format: int64}", Safe, Safe),
    ("no-effect", "{type: integer, minimum: 1}", "{type: integer, exclusiveMinimum: 0}", Safe, Safe),
    ("no-effect", "{type: object}", "{type: object, items: {type: string}}", Safe, Safe),
    ("no-effect", "{enum: [a, bc]}", "{enum: [a, bc], maxLength: 2}", Safe, Safe),
    ("schema.bound-added", "{enum: [a, bc]}", "{enum: [a, bc], maxLength: 1}", Breaking, Safe),
    ("no-effect", "{required: [a]}", "{required: [a], minProperties: 1}", Safe, Safe),
    ("no-effect", "{type: array, maxItems: 1}", "{type: array, maxItems: 1, uniqueItems: true}", Safe, Safe),
    ("schema.format-widened", "{type: string, format: uri}", "{type: string, format: uri-reference}", Safe, Breaking),
    ("schema.multiple-of-removed", "{type: number, multipleOf: 0.3}", "{type: number, multipleOf: 0.1}", Safe, Breaking),
    ("reference.unknown", "{$ref: other.yaml}", "{$ref: other.yaml}", Risky, Risky),
    ("unhandled", "{type: string, $dynamicRef: a}", "{type: string, $dynamicRef: b}", Risky, Risky),
    ("schema.type-changed", "{$dynamicRef: '#a', $defs: {A: {$dynamicAnchor: a, type: string}}}", "{$dynamicRef: '#a', $defs: {A: {$dynamicAnchor: a, type: integer}}}", Breaking, Breaking),
    ("schema.bound-added", "{$ref: '#a', $defs: {A: {$anchor: a, type: string}}}", "{$ref: '#b', $defs: {A: {$anchor: b, type: string, minLength: 1}}}", Breaking, Safe),
    ("schema.bound-added", "{$ref: 'https://a.example/a', $defs: {A: {$id: 'https://a.example/a', type: string}}}", "{$ref: 'https://a.example/b', $defs: {A: {$id: 'https://a.example/b', type: string, minLength: 1}}}", Breaking, Safe),
    ("reference.broken", "{$dynamicRef: '#a', $defs: {A: {$dynamicAnchor: a}}}", "{$dynamicRef: '#a', $defs: {A: {$dynamicAnchor: a}, B: {$anchor: a}}}", Risky, Risky),
    ("schema.enum-value-removed", "{enum: [1, 9007199254740993, 9007199254740992]}", "{enum: [1, 9007199254740992]}", Breaking, Safe),
    ("schema.const-changed", "{const: 9007199254740993}", "{const: 9007199254740992}", Breaking, Breaking),
    ("schema.const-changed", "{const: 9007199254740993}", "{const: 9007199254740992.0}", Breaking, Breaking),
    ("property.removed-and-refused", "{unevaluatedProperties: false, properties: {a: {}}}", "{unevaluatedProperties: false}", Breaking, Risky),
    ("property.removed", "{unevaluatedProperties: false, additionalProperties: true, properties: {a: {}}}", "{unevaluatedProperties: false, additionalProperties: true}", Risky, Risky),
    ("property.removed", "{unevaluatedProperties: false, properties: {a: {}}, oneOf: [{required: [x], properties: {a: {}}}, {required: [y]}]}", "{unevaluatedProperties: false, oneOf: [{required: [x], properties: {a: {}}}, {required: [y]}]}", Risky, Risky),
    ("property.renamed-and-refused", "{unevaluatedProperties: false, properties: {page_url: {type: string}}}", "{unevaluatedProperties: false, properties: {url: {type: string}}}", Breaking, Risky),
    ("schema.type-changed", "{type: string, contentMediaType: application/json, contentSchema: {type: object}}", "{type: string, contentMediaType: application/json, contentSchema: {type: array}}", Breaking, Breaking),
    ("schema.condition-added", "{type: string, contentMediaType: application/json}", "{type: string, contentMediaType: application/json, contentSchema: {type: array}}", Breaking, Safe),
    ("no-effect", "{type: string}", "{type: string, contentSchema: {type: array}}", Safe, Safe),
];

/// Old and new operation, called by the client, and as a webhook by the service.
#[rustfmt::skip]
pub(crate) const OPERATIONS: &[Row] = &[
    ("operation.id-changed", "{operationId: a}", "{operationId: b}", Safe, Safe),
    ("parameter.added", "{}", "{parameters: [{name: a, in: query}]}", Safe, Safe),
    ("parameter.added-required", "{}", "{parameters: [{name: a, in: query, required: true}]}", Breaking, Safe),
    ("parameter.removed", "{parameters: [{name: a, in: query}]}", "{}", Risky, Breaking),
    ("parameter.became-required", "{parameters: [{name: a, in: query}]}", "{parameters: [{name: a, in: query, required: true}]}", Breaking, Safe),
    ("parameter.became-optional", "{parameters: [{name: a, in: query, required: true}]}", "{parameters: [{name: a, in: query}]}", Safe, Breaking),
    ("parameter.default-changed", "{parameters: [{name: a, in: query, schema: {default: 1}}]}", "{parameters: [{name: a, in: query, schema: {default: 2}}]}", Breaking, Risky),
    ("parameter.became-list", "{parameters: [{name: a, in: query, schema: {type: string}}]}", "{parameters: [{name: a, in: query, schema: {type: array, items: {type: string}}}]}", Safe, Breaking),
    ("schema.type-changed", "{parameters: [{name: A, in: header, schema: {type: string}}]}", "{parameters: [{name: a, in: header, schema: {type: array}}]}", Breaking, Breaking),
    ("schema.type-widened", "{parameters: [{name: a, in: query, schema: {type: integer}}]}", "{parameters: [{name: a, in: query, schema: {type: string}}]}", Safe, Breaking),
    ("parameter.type-respelled", "{parameters: [{name: a, in: query, schema: {type: [string, integer]}}]}", "{parameters: [{name: a, in: query, schema: {type: string}}]}", Safe, Safe),
    ("parameter.style-changed", "{parameters: [{name: a, in: query}]}", "{parameters: [{name: a, in: query, explode: false}]}", Breaking, Breaking),
    ("parameter.style-changed", "{parameters: [{name: a, in: query, schema: {}}]}", "{parameters: [{name: a, in: query, content: {application/json: {}}}]}", Breaking, Breaking),
    ("deprecated", "{parameters: [{name: a, in: query}]}", "{parameters: [{name: a, in: query, deprecated: true}]}", Safe, Safe),
    ("body.added", "{}", "{requestBody: {content: {}}}", Safe, Safe),
    ("body.added-required", "{}", "{requestBody: {required: true, content: {}}}", Breaking, Safe),
    ("body.removed", "{requestBody: {content: {}}}", "{}", Breaking, Breaking),
    ("body.became-required", "{requestBody: {content: {}}}", "{requestBody: {required: true, content: {}}}", Breaking, Safe),
    ("body.became-optional", "{requestBody: {required: true, content: {}}}", "{requestBody: {content: {}}}", Safe, Breaking),
    ("media-type.added", "{requestBody: {content: {}}}", "{requestBody: {content: {text/plain: {}}}}", Safe, Safe),
    ("media-type.removed", "{requestBody: {content: {text/plain: {}}}}", "{requestBody: {content: {}}}", Breaking, Breaking),
    ("media-type.specialised", "{responses: {'200': {content: {application/json: {}}}}}", "{responses: {'200': {content: {application/problem+json: {}}}}}", Safe, Risky),
    ("media-type.encoding-changed", "{requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}}}}}", "{requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: text/csv}}}}}}", Breaking, Breaking),
    ("no-effect", "{requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}}}}}", "{requestBody: {content: {multipart/form-data: {schema: {properties: {a: {type: string}}}, encoding: {a: {contentType: text/plain}}}}}}", Safe, Safe),
    ("no-effect", "{}", "{parameters: [{name: Authorization, in: header, required: true}]}", Safe, Safe),
    ("media-type.widened", "{requestBody: {content: {application/json: {}}}}", "{requestBody: {content: {'*/*': {}}}}", Safe, Breaking),
    ("media-type.narrowed", "{requestBody: {content: {'text/*': {}}}}", "{requestBody: {content: {text/plain: {}}}}", Breaking, Safe),
    ("no-effect", "{requestBody: {content: {'*/*': {}, application/json: {}}}}", "{requestBody: {content: {'*/*': {}}}}", Safe, Safe),
    ("no-effect", "{requestBody: {content: {'*/*': {}}}}", "{requestBody: {content: {'*/*': {}, application/json: {}}}}", Safe, Safe),
    ("parameter.style-changed", "{parameters: [{name: a, in: cookie, style: cookie, schema: {type: array}}]}", "{parameters: [{name: a, in: cookie, style: cookie, explode: false, schema: {type: array}}]}", Breaking, Breaking),
    ("parameter.style-changed", "{parameters: [{name: a, in: query, schema: {type: array}}]}", "{parameters: [{name: a, in: query, explode: false, schema: {type: array}}]}", Breaking, Breaking),
    ("no-effect", "{parameters: [{name: a, in: query, schema: {type: string}}]}", "{parameters: [{name: a, in: query, explode: false, schema: {type: string}}]}", Safe, Safe),
    ("no-effect", "{parameters: [{name: id, in: path, schema: {type: string}}]}", "{parameters: [{name: id, in: path, required: true, schema: {type: string}}]}", Safe, Safe),
    ("response.success-added", "{responses: {'200': {}}}", "{responses: {'200': {}, '202': {}}}", Risky, Safe),
    ("response.success-removed", "{responses: {'200': {}, '202': {}}}", "{responses: {'200': {}}}", Breaking, Safe),
    ("response.widened", "{responses: {'200': {}}}", "{responses: {2XX: {}}}", Risky, Safe),
    ("response.narrowed", "{responses: {2XX: {}}}", "{responses: {'200': {}}}", Safe, Breaking),
    ("response.singled-out", "{responses: {default: {}}}", "{responses: {default: {}, '200': {}}}", Safe, Safe),
    ("no-effect", "{responses: {default: {}, '400': {}}}", "{responses: {default: {}}}", Safe, Safe),
    ("response.error-added", "{responses: {'200': {}}}", "{responses: {'200': {}, '404': {}}}", Safe, Safe),
    ("response.error-removed", "{responses: {'200': {}, default: {}}}", "{responses: {'200': {}}}", Safe, Safe),
    ("header.added", "{responses: {'200': {}}}", "{responses: {'200': {headers: {A: {}}}}}", Safe, Safe),
    ("header.added-required", "{responses: {'200': {}}}", "{responses: {'200': {headers: {A: {required: true}}}}}", Safe, Breaking),
    ("header.removed", "{responses: {'200': {headers: {A: {}}}}}", "{responses: {'200': {}}}", Risky, Safe),
    ("header.removed-required", "{responses: {'200': {headers: {A: {required: true}}}}}", "{responses: {'200': {}}}", Breaking, Safe),
    ("header.became-required", "{responses: {'200': {headers: {A: {}}}}}", "{responses: {'200': {headers: {a: {required: true}}}}}", Safe, Breaking),
    ("header.became-optional", "{responses: {'200': {headers: {A: {required: true}}}}}", "{responses: {'200': {headers: {A: {}}}}}", Breaking, Safe),
    ("link.changed", "{responses: {'200': {links: {a: {operationId: b}}}}}", "{responses: {'200': {links: {a: {operationId: c}}}}}", Safe, Safe),
    ("callback.added", "{}", "{callbacks: {paid: {$request.body#/url: {post: {}}}}}", Safe, Safe),
    ("callback.removed", "{callbacks: {paid: {$request.body#/url: {post: {}}}}}", "{callbacks: {paid: {$request.body#/url: {}}}}", Breaking, Breaking),
    ("body.became-optional", "{callbacks: {paid: {url: {post: {requestBody: {required: true}}}}}}", "{callbacks: {paid: {url: {post: {requestBody: {}}}}}}", Breaking, Safe),
    ("security.tightened", "{}", "{security: [{key: []}]}", Breaking, Breaking),
    ("security.tightened", "{security: [{oauth: [read]}]}", "{security: [{oauth: [read, write]}]}", Breaking, Breaking),
    ("security.loosened", "{security: [{key: []}]}", "{security: [{}, {key: []}]}", Safe, Safe),
    ("security.loosened", "{security: [{key: [], app: []}]}", "{security: [{key: []}]}", Safe, Safe),
    ("server.added", "{servers: [{url: /a}]}", "{servers: [{url: /a}, {url: /b}]}", Safe, Safe),
    ("server.host-changed", "{}", "{servers: [{url: 'https://b.example/v1'}]}", Breaking, Breaking),
    ("server.host-changed", "{servers: [{url: 'https://b.example/v1'}]}", "{}", Breaking, Breaking),
    ("server.host-changed", "{servers: [{url: 'https://a.example'}]}", "{servers: [{url: 'https://a.example:8443'}, {url: 'https://a.example'}]}", Breaking, Breaking),
    ("server.host-added", "{servers: [{url: 'https://a.example'}]}", "{servers: [{url: 'https://a.example'}, {url: 'https://b.example'}]}", Risky, Risky),
    ("server.added", "{servers: [{url: 'https://a.example'}]}", "{servers: [{url: 'https://a.example'}, {url: 'https://a.example/v2'}]}", Safe, Safe),
    ("server.removed", "{servers: [{url: /a}, {url: /b}]}", "{servers: [{url: /b}]}", Risky, Risky),
    ("deprecated", "{}", "{deprecated: true}", Safe, Safe),
    ("deprecation-withdrawn", "{deprecated: true}", "{}", Safe, Safe),
    ("docs.changed", "{tags: [a]}", "{tags: [b]}", Safe, Safe),
    ("unhandled", "{}", "{querystring: true}", Risky, Risky),
];

/// Old and new members of a document, with one verdict for all of it.
#[rustfmt::skip]
pub(crate) const DOCUMENTS: &[(&str, &str, &str, Wire)] = &[
    ("operation.added", "{paths: {/a: {}}}", "{paths: {/a: {get: {}}}}", Safe),
    ("operation.removed", "{paths: {/a: {get: {}}}}", "{paths: {}}", Breaking),
    ("operation.removed", "{webhooks: {a: {post: {}}}}", "{}", Breaking),
    ("operation.removed", "{paths: {/a: {query: {}, get: {}}}}", "{paths: {/a: {get: {}}}}", Breaking),
    ("operation.removed", "{paths: {/a: {additionalOperations: {COPY: {}}, get: {}}}}", "{paths: {/a: {get: {}}}}", Breaking),
    ("operation.added", "{paths: {}}", "{paths: {/a: {query: {}}}}", Safe),
    ("schema.type-changed", "{paths: {/a: {get: {responses: {'200': {content: {application/jsonl: {itemSchema: {type: string}}}}}}}}}", "{paths: {/a: {get: {responses: {'200': {content: {application/jsonl: {itemSchema: {type: boolean}}}}}}}}}", Breaking),
    ("deprecated",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: apiKey, in: header, name: a}}}}",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: apiKey, in: header, name: a, deprecated: true}}}}", Safe),
    ("security.flow-changed",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: oauth2, oauth2MetadataUrl: a, flows: {}}}}}",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: oauth2, oauth2MetadataUrl: b, flows: {}}}}}", Risky),
    ("deprecated", "{paths: {/a: {query: {}}}}", "{paths: {/a: {query: {deprecated: true}}}}", Safe),
    ("server.added", "{servers: [{url: 'https://{z}.a.example', variables: {z: {enum: [eu], default: eu}}}], paths: {/a: {get: {}}}}", "{servers: [{url: 'https://eu.a.example'}, {url: 'https://b.example'}], paths: {/a: {get: {}}}}", Safe),
    ("security.scheme-changed",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: apiKey, in: header, name: a}}}}",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: apiKey, in: query, name: a}}}}", Breaking),
    ("security.flow-changed",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: oauth2, flows: {implicit: {authorizationUrl: a}}}}}}",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: oauth2, flows: {implicit: {authorizationUrl: b}}}}}}", Risky),
    ("security.tightened", "{paths: {/a: {get: {}}}}", "{paths: {/a: {get: {}}}, security: [{k: []}]}", Breaking),
    ("server.host-added", "{servers: [{url: 'https://a.example'}], paths: {/a: {get: {}}}}", "{servers: [{url: 'https://b.example'}, {url: 'https://a.example'}], paths: {/a: {get: {}}}}", Risky),
    ("server.added", "{servers: [{url: 'https://a.example'}], paths: {/a: {get: {}}}}", "{servers: [{url: 'https://a.example'}, {url: 'https://b.example'}], paths: {/a: {get: {}}}}", Safe),
    ("server.added", "{paths: {/a: {get: {}}}}", "{servers: [{url: 'https://a.example'}], paths: {/a: {get: {}}}}", Safe),
    ("server.host-changed", "{servers: [{url: 'https://a.example'}], paths: {/a: {get: {}}}}", "{servers: [{url: 'https://a.example'}], paths: {/a: {servers: [{url: 'https://b.example'}], get: {}}}}", Breaking),
    ("server.host-changed", "{servers: [{url: 'https://a.example'}], paths: {/a: {servers: [{url: 'https://b.example'}], get: {}}}}", "{servers: [{url: 'https://a.example'}], paths: {/a: {get: {}}}}", Breaking),
    ("server.removed", "{servers: [{url: /b}], paths: {/a: {servers: [{url: /a}, {url: /b}], get: {}}}}", "{servers: [{url: /b}], paths: {/a: {get: {}}}}", Risky),
    ("server.removed", "{servers: [{url: /a}, {url: /b}], paths: {/a: {get: {}}}}", "{servers: [{url: /b}], paths: {/a: {get: {}}}}", Risky),
    ("no-effect", "{paths: {'/a/{b}': {get: {}}}}", "{paths: {'/a/{b}': {get: {parameters: [{name: b, in: path, required: true, schema: {type: string}}]}}}}", Safe),
    ("no-effect",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: http, scheme: bearer}}}}",
        "{paths: {/a: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: http, scheme: Bearer}}}}", Safe),
    ("docs.changed", "{info: {title: a}}", "{info: {title: b}}", Safe),
    ("docs.changed", "{tags: [{name: a}]}", "{tags: [{name: b}]}", Safe),
    ("extension.changed", "{x-a: 1}", "{x-a: 2}", Safe),
    ("component.added", "{}", "{components: {schemas: {A: {}}}}", Safe),
    ("component.removed", "{components: {parameters: {A: {}}}}", "{}", Safe),
    ("component.changed", "{components: {parameters: {A: {name: a}}}}", "{components: {parameters: {A: {name: b}}}}", Safe),
    ("schema.type-changed", "{components: {schemas: {A: {type: string}}}}", "{components: {schemas: {A: {type: integer}}}}", Safe),
    ("unhandled", "{jsonSchemaDialect: a}", "{jsonSchemaDialect: b}", Risky),
];

/// An object, and alternatives that both allow it.
pub(crate) const OVERLAP: [&str; 2] = [
    "{type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}",
    "{oneOf: [
        {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}},
        {type: object, required: [b], properties: {a: {type: string}, b: {type: string}}}]}",
];

/// Compares two documents and expects one change, of this rule and verdict. Returns its direction.
fn one(
    rule: &str,
    old: &Value,
    new: &Value,
    verdict: Wire,
    wrong: &mut Vec<String>,
) -> Option<Direction> {
    let changes = compare(old, new).changes;
    match changes.as_slice() {
        [change] if change.rule.id == rule && change.wire == verdict => Some(change.direction),
        _ => {
            wrong.push(format!(
                "{rule}, {verdict}: {:#?}\n{old}\n{new}",
                lines(&changes)
            ));
            None
        }
    }
}

#[test]
fn every_row_is_one_change_with_its_verdict_and_every_rule_has_rows() {
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut note = |rule: &'static str, direction: Option<Direction>| {
        seen.entry(rule)
            .or_default()
            .extend(direction.map(|direction| direction.to_string()));
    };
    for (rule, old, new, request, response) in SCHEMAS {
        let (old, new) = (yaml(old), yaml(new));
        note(
            rule,
            one(
                rule,
                &in_request(&old),
                &in_request(&new),
                *request,
                &mut wrong,
            ),
        );
        note(
            rule,
            one(
                rule,
                &in_response(&old),
                &in_response(&new),
                *response,
                &mut wrong,
            ),
        );
    }
    for (rule, old, new, by_client, by_service) in OPERATIONS {
        let (old, new) = (yaml(old), yaml(new));
        note(
            rule,
            one(rule, &called(&old), &called(&new), *by_client, &mut wrong),
        );
        note(
            rule,
            one(
                rule,
                &as_webhook(&old),
                &as_webhook(&new),
                *by_service,
                &mut wrong,
            ),
        );
    }
    for (rule, old, new, verdict) in DOCUMENTS {
        let (old, new) = (document(&yaml(old)), document(&yaml(new)));
        note(rule, one(rule, &old, &new, *verdict, &mut wrong));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // Overlapping alternatives always come with other differences, and a version depends on them.
    let alone =
        |rule: &&&Rule| rule.id != "schema.alternatives-overlap" && rule.part != Part::Version;
    for rule in RULES.iter().filter(alone) {
        let directions = seen
            .remove(rule.id)
            .unwrap_or_else(|| panic!("`{}` has no row", rule.id));
        let whole = directions.contains("both") || directions.contains("none");
        assert!(
            whole || directions.len() == 2,
            "`{}` has rows in {directions:?} only",
            rule.id
        );
    }
    assert!(seen.is_empty(), "rows of rules that are gone: {seen:?}");
}

#[test]
fn alternatives_of_a_one_of_that_both_take_the_old_values_refuse_them() {
    let [old, new] = OVERLAP.map(yaml);
    let rules = |old: &Value, new: &Value| -> Vec<String> {
        compare(old, new)
            .changes
            .iter()
            .map(|change| format!("{} {}", change.rule.id, change.wire))
            .collect()
    };
    assert!(
        rules(&in_request(&old), &in_request(&new))
            .contains(&"schema.alternatives-overlap breaking".to_owned())
    );
    assert!(
        rules(&in_response(&old), &in_response(&new))
            .contains(&"schema.alternatives-overlap safe".to_owned())
    );
    let any = yaml(&OVERLAP[1].replace("oneOf", "anyOf"));
    assert_ne!(
        compare(&in_request(&old), &in_request(&any)).wire(),
        Breaking
    );
}

#[test]
fn the_documentation_has_the_table_of_rules() {
    let readme = crate::support::repository().join("crates/diff/README.md");
    let documentation = std::fs::read_to_string(readme).unwrap();
    let mut table = String::new();
    for request in [Breaking, Risky, Safe] {
        for response in [Breaking, Risky, Safe] {
            let rules = RULES
                .iter()
                .filter(|rule| rule.request == request && rule.response == response);
            let ids: Vec<String> = rules.map(|rule| format!("`{}`", rule.id)).collect();
            if !ids.is_empty() {
                table += &format!("| {request} | {response} | {} |\n", ids.join(", "));
            }
        }
    }
    assert!(
        documentation.contains(&table),
        "the table has to be:\n{table}"
    );
}
