//! Parts of a document that its client lacks: a warning at the location, and a line in the README.

use crate::support::tool::{Options, run, tree_of};
use client_generator::generate;
use openapi_document::source::Source;
use openapi_model::LOSSES;
use openapi_overrides::OverrideReport;

use crate::support::{Workspace, rows};

/// Losses of a document: rules and locations.
struct Lost {
    places: Vec<(String, String)>,
    left_out: usize,
    readme: String,
}

impl Lost {
    fn rules(&self) -> Vec<&str> {
        self.places.iter().map(|(rule, _)| rule.as_str()).collect()
    }
}

/// Generates a document of these paths, with further members.
fn lost(version: &str, paths: &str, more: &str) -> Lost {
    let document = format!(
        "openapi: {version}\ninfo: {{title: Small, version: '1'}}\nservers: [{{url: 'https://example.com'}}]\n\
         paths:\n  /whole: {{get: {{operationId: whole, responses: {{'204': {{description: Done.}}}}}}}}\n{paths}{more}"
    );
    let source = Source::parse("openapi.yaml", document.clone()).unwrap();
    let code = generate::code(&source, &OverrideReport::default()).unwrap();
    Lost {
        places: code
            .warnings
            .iter()
            .map(|one| (one.rule.to_owned(), one.pointer.clone()))
            .collect(),
        left_out: code.model.left_out.len(),
        readme: tree_of(&document).get("README.md").unwrap().to_owned(),
    }
}

/// Returns an operation `a` with this beside its identifier.
fn operation(rest: &str) -> String {
    format!("  /a: {{post: {{operationId: a, {rest}}}}}\n")
}

/// What stands beside the identifier of an operation, and the rule and the place of its loss.
const NOT_TAKEN: &str = "
responses: {'200': {description: Done., content: {application/xml: {schema: OBJECT}}}} | response-schema | /responses/200/content/application~1xml/schema
responses: {'200': {description: Done., content: {application/x-lines: {schema: OBJECT}, application/json: {schema: {type: array, items: OBJECT}}}}} | response-schema | /responses/200/content/application~1x-lines/schema
responses: {'204': {description: Done.}, '400': {description: No., content: {application/xml: {schema: OBJECT}}}} | response-schema | /responses/400/content/application~1xml/schema
responses: {'200': {description: Done., headers: {X-Left: {schema: {type: integer}}, Retry-After: {schema: {type: integer}}}}} | response-header | /responses/200/headers/X-Left
requestBody: {content: {text/csv: {schema: OBJECT}}}, DONE | request-schema | /requestBody/content/text~1csv/schema
requestBody: {content: {multipart/form-data: {schema: OBJECT, encoding: {b: {headers: {X-A: {schema: {type: string}}}}}}}}, DONE | encoding | /requestBody/content/multipart~1form-data/encoding/b/headers
requestBody: {content: {application/json: {schema: {anyOf: [OBJECT, {type: object, properties: {c: {type: string}}}]}}}}, DONE | any-of | /requestBody/content/application~1json/schema/anyOf
callbacks: {made: {'{$request.body#/url}': {post: {responses: {}}}}}, DONE | callback | /callbacks/made
requestbody: {}, DONE | unknown-member | /requestbody
requestBody: {content: {application/json: {schema: {type: object, propertes: {}, properties: {b: {type: string}}}}}}, DONE | unknown-keyword | /requestBody/content/application~1json/schema/propertes
requestBody: {content: {application/json: {schema: {type: object, not: {required: [b]}, properties: {b: {type: string}}}}}}, DONE | schema-condition | /requestBody/content/application~1json/schema/not
servers: [{url: 'https://a.example.com'}, {url: 'https://b.example.com'}], DONE | other-servers | /servers
";

#[test]
fn what_the_model_did_not_take_has_a_rule_a_place_and_a_line() {
    let at = "/paths/~1a/post";
    for [rest, rule, below] in rows(NOT_TAKEN) {
        let object = "{type: object, properties: {b: {type: string}}}";
        let done = "responses: {'204': {description: Done.}}";
        let rest = rest.replace("OBJECT", object).replace("DONE", done);
        let lost = lost("3.1.0", &operation(&rest), "");
        assert_eq!(
            lost.places,
            [(rule.to_owned(), format!("{at}{below}"))],
            "{rest}"
        );
        let loss = LOSSES.iter().find(|one| one.rule == rule).unwrap();
        let line = format!("| {} | 1 | `#{at}{below}` |\n", loss.misses);
        assert!(lost.readme.contains(&line), "{}", lost.readme);
    }
}

#[test]
fn what_has_no_effect_on_a_call_is_no_loss() {
    let lost = lost(
        "3.1.0",
        &operation(
            "externalDocs: {url: 'https://example.com'}, x-a: 1, tags: [a], responses: {'200': {description: Done., x-b: 2, \
             content: {application/json: {schema: {$ref: '#/components/schemas/A'}, examples: {c: {value: 1}}}, \
             application/xml: {schema: {$ref: '#/components/schemas/A'}}, image/png: {schema: {type: string, format: binary}}}}}",
        ),
        "components:\n  schemas:\n    A: {type: object, x-c: 1, embed: true, $comment: d, propertyNames: {type: string}, properties: {e: {type: string}}}\n",
    );
    assert_eq!(lost.rules(), [""; 0]);
    assert!(!lost.readme.contains("Differences"), "{}", lost.readme);
}

#[test]
fn a_loss_in_a_component_is_reported_once() {
    let leads = "responses: {'200': {$ref: '#/components/responses/Made'}}";
    let paths = format!(
        "  /a: {{get: {{operationId: a, {leads}}}}}\n  /b: {{$ref: '#/components/pathItems/B'}}\n"
    );
    let more = format!(
        "components:\n  pathItems:\n    B: {{get: {{operationId: b, {leads}}}}}\n  responses:\n    Made: {{description: Done., \
         content: {{text/csv: {{schema: {{type: array, items: {{type: string}}}}}}}}}}\n"
    );
    let lost = lost("3.1.0", &paths, &more);
    assert_eq!(lost.rules(), ["response-schema"]);
}

#[test]
fn a_schema_of_too_many_parts_is_read_in_part_and_reported() {
    let schema = |at: usize| {
        let next = at + 1;
        format!(
            "    S{at}: {{allOf: [{{$ref: '#/components/schemas/S{next}'}}, {{properties: {{m{at}: {{type: string}}}}}}]}}\n"
        )
    };
    let last = "    S400: {properties: {m400: {type: string}}}\n";
    let schemas: String = (0..400).map(schema).collect();
    let more = format!("components:\n  schemas:\n{schemas}{last}");
    let refer = |at: usize| {
        operation(&format!(
            "responses: {{'200': {{description: Done., content: {{application/json: {{schema: {{$ref: '#/components/schemas/S{at}'}}}}}}}}}}"
        ))
    };
    let cut = lost("3.0.3", &refer(0), &more);
    assert_eq!(cut.rules(), ["schema-parts"]);
    assert_eq!(lost("3.0.3", &refer(100), &more).rules(), [""; 0]);
    // The members of an alternative are those of the object around it.
    let around = "    Around: {properties: {id: {type: string}}, oneOf: [{$ref: '#/components/schemas/S0'}, {properties: {q: {type: string}}}]}\n";
    let place = operation(
        "responses: {'200': {description: Done., content: {application/json: {schema: {$ref: '#/components/schemas/Around'}}}}}",
    );
    let merged = lost("3.0.3", &place, &format!("{more}{around}"));
    assert_eq!(merged.rules(), ["schema-parts"]);
}

#[test]
fn a_reference_in_place_of_all_media_types_is_read() {
    for version in ["3.0.3", "3.1.0", "3.2.0"] {
        let rest = "responses: {'200': {description: Done., content: {$ref: '#/components/mediaTypes/Made'}}}";
        let more = "components:\n  mediaTypes:\n    Made: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}\n\
                    \x20 schemas:\n    Thing: {type: object, properties: {b: {type: string}}}\n";
        let found = lost(version, &operation(rest), more);
        assert_eq!(found.rules(), [""; 0], "{version}");
        let lost = lost(version, &operation(rest), "");
        assert_eq!(lost.rules(), ["reference"], "{version}");
    }
}

#[test]
fn a_security_scheme_by_another_name_is_the_only_one_that_is_declared() {
    let rest = "security: [{tokenAuth: []}], responses: {'204': {description: Done.}}";
    let one = "components:\n  securitySchemes:\n    key: {type: apiKey, in: header, name: X-Key}\n";
    let read = lost("3.0.3", &operation(rest), one);
    assert_eq!((read.rules(), read.left_out), (vec!["security-scheme"], 0));
    let two = format!("{one}    other: {{type: http, scheme: bearer}}\n");
    let doubtful = lost("3.0.3", &operation(rest), &two);
    assert_eq!(doubtful.left_out, 1);
    let by_reference = rest.replace("tokenAuth", "'#/components/securitySchemes/other'");
    let referred = lost("3.2.0", &operation(&by_reference), &two);
    assert_eq!((referred.rules(), referred.left_out), (vec![], 0));
}

#[test]
fn links_among_the_components_and_by_place_are_followed() {
    let link = |target: &str| {
        let paths = "  /a: {get: {operationId: a, responses: {'200': {description: Done., content: {application/json: {schema: {$ref: '#/components/schemas/Made'}}}, \
             links: {next: {$ref: '#/components/links/Next'}}}}}}\n  /b/{id}: {get: {operationId: b, \
             parameters: [{name: id, in: path, required: true, schema: {$ref: '#/components/schemas/Id'}}], responses: {}}}\n";
        let more = format!(
            "components:\n  links:\n    Next: {{{target}, parameters: {{id: '$response.body#/id'}}}}\n  schemas:\n    Id: {{type: string}}\n\
             \x20   Made: {{type: object, properties: {{id: {{$ref: '#/components/schemas/Id'}}}}}}\n"
        );
        lost("3.0.3", paths, &more).rules().len()
    };
    assert_eq!(link("operationId: b"), 0);
    assert_eq!(link("operationRef: '#/paths/~1b~1{id}/get'"), 0);
    assert_eq!(link("operationId: lost"), 1);
}

#[test]
fn the_summary_counts_operations_and_warnings_and_strict_stops() {
    let document = "openapi: 3.1.0\ninfo: {title: Small, version: '1'}\npaths:\n  /a:\n    get: {operationId: a, responses: {'204': {description: None.}}}\n\
         \x20   put: {operationId: b, responses: {'200': {description: Done., headers: {X-A: {}}, content: {text/csv: {schema: {type: array, items: {}}}}}}}\n";
    let workspace = Workspace::new().file("api.yaml", document);
    let options = Options::of(&workspace, "api.yaml", "out");
    let strict = Options {
        strict: true,
        ..options.clone()
    };
    let (result, out, _) = run(&strict);
    assert!(result.is_err() && out.is_empty(), "{out}");
    let (result, out, _) = run(&options);
    result.unwrap();
    let expected =
        ": 2 operations, 0 left out, 1 warning: response-schema 1; 1 note: response-header 1\n";
    assert!(out.ends_with(expected), "{out}");
}

#[test]
fn methods_without_a_keyword_are_read_and_nothing_else_is_said_of_them() {
    let document = "openapi: 3.2.0\ninfo: {title: Small, version: '1'}\npaths:\n  /a:\n    parameters: [{name: q, in: query, schema: {type: string}}]\n    additionalOperations:\n\
         \x20     COPY: {operationId: copyA, responses: {'204': {description: None.}}}\n      LINK: {operationId: linkA, responses: {'204': {description: None.}}}\n";
    let workspace = Workspace::new().file("api.yaml", document);
    let options = Options::of(&workspace, "api.yaml", "out");
    let (result, out, err) = run(&options);
    result.unwrap();
    assert!(
        out.ends_with(": 2 operations, 0 left out, 0 warnings\n"),
        "{out}{err}"
    );
}
