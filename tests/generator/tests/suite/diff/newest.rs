//! Tests of OpenAPI 3.2: for each feature a breaking pair if possible, a safe one, and equivalent notations.

use openapi_diff::Wire::{self, Breaking, None as Quiet, Risky, Safe};
use serde_json::Value;

use super::quiet::loud;
use super::{compare, lines, yaml};

/// Two documents, and the worst verdict in both directions. `Quiet` allows only documentation and `no-effect`.
type Row = (String, String, Wire, Wire);

fn operation(members: &str) -> String {
    format!("{{paths: {{/a: {{post: {{{members}}}}}}}}}")
}

fn sent(content: &str) -> String {
    operation(&format!("requestBody: {{content: {{{content}}}}}"))
}

fn received(content: &str) -> String {
    operation(&format!("responses: {{'200': {{content: {{{content}}}}}}}"))
}

/// Returns a query string with this schema.
fn querystring(schema: &str) -> String {
    let content = format!("{{application/x-www-form-urlencoded: {{schema: {schema}}}}}");
    operation(&format!(
        "parameters: [{{name: q, in: querystring, content: {content}}}]"
    ))
}

/// Returns a document with components.
fn with(document: &str, components: &str) -> String {
    let members = document.strip_suffix('}').unwrap();
    format!("{members}, components: {components}}}")
}

/// Returns a response with one of two schemas, and this member of the discriminator.
fn chosen(member: &str) -> String {
    let schema = format!(
        "{{oneOf: [{{$ref: '#/components/schemas/A'}}, {{$ref: '#/components/schemas/B'}}], discriminator: {{propertyName: kind{member}}}}}"
    );
    let schemas = "{A: {type: object, properties: {kind: {type: string}}}, B: {type: object, properties: {kind: {type: string}, size: {type: integer}}}}";
    with(
        &received(&format!("application/json: {{schema: {schema}}}")),
        &format!("{{schemas: {schemas}}}"),
    )
}

/// Returns a document whose operation requires this credential.
fn secured(scheme: &str) -> String {
    format!(
        "{{paths: {{/a: {{get: {{}}}}}}, security: [{{k: []}}], components: {{securitySchemes: {{k: {{type: oauth2, {scheme}}}}}}}}}"
    )
}

fn methods() -> Vec<Row> {
    let query = |body: &str| {
        let media = format!("application/json: {{schema: {{type: {body}}}}}");
        format!("query: {{requestBody: {{content: {{{media}}}}}}}")
    };
    let paths = |item: &str| format!("{{paths: {{/a: {{{item}}}}}}}");
    let copy = "additionalOperations: {COPY: {}}";
    let referred = |item: &str| {
        let item = format!("{{pathItems: {{P: {{{item}}}}}}}");
        with("{paths: {/a: {$ref: '#/components/pathItems/P'}}}", &item)
    };
    vec![
        (
            paths(&query("string")),
            paths(&query("integer")),
            Breaking,
            Breaking,
        ),
        (
            paths(&query("string")),
            paths("get: {}"),
            Breaking,
            Breaking,
        ),
        (paths(""), paths(&query("string")), Safe, Breaking),
        (paths(""), paths(copy), Safe, Breaking),
        (
            paths(copy),
            paths("additionalOperations: {COPY: {security: [{key: []}]}}"),
            Breaking,
            Safe,
        ),
        (
            paths(copy),
            paths("additionalOperations: {COPY: {deprecated: true}}"),
            Safe,
            Safe,
        ),
        (
            paths(&query("string")),
            referred(&query("string")),
            Quiet,
            Quiet,
        ),
        (paths(copy), referred(copy), Quiet, Quiet),
        (
            paths("query: {}"),
            paths("additionalOperations: {QUERY: {}}"),
            Quiet,
            Quiet,
        ),
    ]
}

fn messages() -> Vec<Row> {
    let object = |more: &str| {
        querystring(&format!(
            "{{type: object, properties: {{a: {{type: string}}}}{more}}}"
        ))
    };
    let inside = object("").replace("name: q", "name: other");
    let parameter = "{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}";
    let outside = with(
        &operation("parameters: [{$ref: '#/components/parameters/Q'}]"),
        &format!("{{parameters: {{Q: {parameter}}}}}"),
    );
    let lines_of = |members: &str| received(&format!("application/jsonl: {{{members}}}"));
    let parts = |members: &str| {
        sent(&format!(
            "multipart/mixed: {{schema: {{type: array, prefixItems: [{{type: string}}], items: {{type: object}}}}{members}}}"
        ))
    };
    let media = |name: &str, members: &str, component: &str| {
        with(
            &received(&format!("{name}: {members}")),
            &format!("{{mediaTypes: {{M: {component}}}}}"),
        )
    };
    let (text, number) = ("{schema: {type: string}}", "{schema: {type: integer}}");
    let reference = "{$ref: '#/components/mediaTypes/M'}";
    vec![
        (object(""), object(", required: [a]"), Breaking, Safe),
        (operation(""), object(""), Safe, Risky),
        (object(""), inside, Quiet, Quiet),
        (object(""), outside, Quiet, Quiet),
        (
            lines_of("itemSchema: {type: string}"),
            lines_of("itemSchema: {type: integer}"),
            Breaking,
            Breaking,
        ),
        (
            lines_of(""),
            lines_of("itemSchema: {type: integer}"),
            Safe,
            Breaking,
        ),
        (
            lines_of("itemSchema: {type: integer}"),
            lines_of("itemSchema: {type: integer, description: One}"),
            Quiet,
            Quiet,
        ),
        (
            lines_of("itemSchema: {type: integer}"),
            lines_of("itemSchema: {allOf: [{type: integer}]}"),
            Quiet,
            Quiet,
        ),
        (
            lines_of("itemSchema: {type: integer}"),
            lines_of("schema: {type: array, items: {type: integer}}"),
            Quiet,
            Quiet,
        ),
        (
            lines_of("itemSchema: {type: integer}"),
            lines_of("schema: {type: integer}"),
            Quiet,
            Quiet,
        ),
        (
            lines_of("itemSchema: {type: integer}"),
            lines_of("schema: {type: array, items: {type: string}}"),
            Breaking,
            Breaking,
        ),
        (
            parts(""),
            parts(", prefixEncoding: [{contentType: text/csv}]"),
            Breaking,
            Breaking,
        ),
        (
            parts(""),
            parts(", prefixEncoding: [{contentType: text/plain}]"),
            Quiet,
            Quiet,
        ),
        (parts(""), parts(", prefixEncoding: [{}]"), Quiet, Quiet),
        (
            parts(""),
            parts(", itemEncoding: {contentType: application/xml}"),
            Breaking,
            Breaking,
        ),
        (
            parts(", prefixEncoding: [{contentType: text/plain}]"),
            parts(
                ", prefixEncoding: [{contentType: text/plain}], itemEncoding: {contentType: application/json}",
            ),
            Quiet,
            Quiet,
        ),
        (
            parts(", itemEncoding: {contentType: text/csv}"),
            parts(
                ", prefixEncoding: [{contentType: text/csv}], itemEncoding: {contentType: text/csv}",
            ),
            Quiet,
            Quiet,
        ),
        (
            parts(""),
            parts(", itemEncoding: {headers: {A: {required: true}}}"),
            Breaking,
            Safe,
        ),
        (
            parts(", itemEncoding: {contentType: multipart/mixed}"),
            parts(
                ", itemEncoding: {contentType: multipart/mixed, itemEncoding: {contentType: text/csv}}",
            ),
            Breaking,
            Breaking,
        ),
        (
            sent("application/json: {}"),
            sent(
                "application/json: {itemEncoding: {contentType: text/csv}, prefixEncoding: [{contentType: text/csv}]}",
            ),
            Quiet,
            Quiet,
        ),
        (
            received(&format!("application/json: {text}")),
            media("application/json", reference, text),
            Quiet,
            Quiet,
        ),
        (
            media("application/json", reference, text),
            media("application/json", reference, number),
            Breaking,
            Breaking,
        ),
        (
            media("text/csv", "{}", text),
            media("text/csv", "{}", number),
            Safe,
            Safe,
        ),
        (
            media("text/csv", "{}", text),
            received("text/csv: {}"),
            Safe,
            Safe,
        ),
    ]
}

fn rest() -> Vec<Row> {
    let device = |url: &str, scopes: &str| {
        format!(
            "flows: {{deviceAuthorization: {{deviceAuthorizationUrl: {url}, tokenUrl: t, scopes: {{{scopes}}}}}}}"
        )
    };
    let implicit = "implicit: {authorizationUrl: i, scopes: {}}";
    let both = device("d", "").replace("flows: {", &format!("flows: {{{implicit}, "));
    let metadata = |url: &str| format!("{}, oauth2MetadataUrl: {url}", device("d", ""));
    let servers = |list: &str| format!("{{servers: [{list}], paths: {{/a: {{get: {{}}}}}}}}");
    vec![
        (chosen(""), chosen(", defaultMapping: A"), Risky, Safe),
        (
            chosen(", defaultMapping: A"),
            chosen(", defaultMapping: B"),
            Breaking,
            Breaking,
        ),
        (
            chosen(", defaultMapping: A"),
            chosen(", defaultMapping: '#/components/schemas/A'"),
            Quiet,
            Quiet,
        ),
        (
            operation(""),
            operation("").replacen('{', "{$self: 'https://a.example/api', ", 1),
            Quiet,
            Quiet,
        ),
        (
            "{tags: [{name: a}, {name: b}]}".to_owned(),
            "{tags: [{name: a, summary: A, kind: nav, parent: b}, {name: b}]}".to_owned(),
            Quiet,
            Quiet,
        ),
        (
            secured(&device("d", "")),
            secured(&device("e", "")),
            Risky,
            Risky,
        ),
        (
            secured(&device("d", "read: Read")),
            secured(&device("d", "")),
            Risky,
            Safe,
        ),
        (
            secured(&format!("flows: {{{implicit}}}")),
            secured(&both),
            Safe,
            Risky,
        ),
        (
            secured(&metadata("a")),
            secured(&metadata("b")),
            Risky,
            Risky,
        ),
        (
            secured(&device("d", "")),
            secured(&metadata("a")),
            Quiet,
            Risky,
        ),
        (
            secured(&device("d", "")),
            secured(&format!("{}, deprecated: true", device("d", ""))),
            Safe,
            Safe,
        ),
        (
            secured(&device("d", "")),
            secured(&format!("{}, deprecated: false", device("d", ""))),
            Quiet,
            Quiet,
        ),
        (
            servers("{url: /a}"),
            servers("{url: /a, name: main}"),
            Quiet,
            Quiet,
        ),
        (
            servers("{url: /a, name: x}, {url: /b, name: y}"),
            servers("{url: /a, name: y}, {url: /b, name: x}"),
            Quiet,
            Quiet,
        ),
        (
            servers("{url: /a, name: main}"),
            servers("{url: /b, name: main}"),
            Risky,
            Risky,
        ),
    ]
}

fn document(members: &str) -> Value {
    let mut document = super::document(&yaml(members));
    document["openapi"] = "3.2.0".into();
    document
}

#[test]
fn each_addition_of_3_2_has_verdicts_and_other_spellings() {
    let mut wrong = Vec::new();
    for (old, new, forward, back) in [methods(), messages(), rest()].concat() {
        for (old, new, wanted) in [(&old, &new, forward), (&new, &old, back)] {
            let (a, b) = (document(old), document(new));
            let differences = compare(&a, &b);
            let is_as_wanted = match wanted {
                Quiet => loud(&a, &b).is_empty(),
                wanted => differences.wire() == wanted,
            };
            let is_known = differences
                .changes
                .iter()
                .all(|change| change.rule.id != "unhandled");
            if !is_as_wanted || !is_known {
                wrong.push(format!(
                    "{wanted}\n{old}\n{new}\n{:#?}",
                    lines(&differences.changes)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
