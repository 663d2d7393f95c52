//! Required members with a documented default: callers need not give them, and they are sent.

use crate::support::Workspace;

const DOCUMENT: &str = "openapi: 3.1.0
info: {title: Small, version: '1'}
paths:
  /search:
    post:
      operationId: search
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Query'}}}}
      responses: {'204': {description: Done.}}
components:
  schemas:
    Order: {type: string, enum: [asc, desc]}
    Page: {type: integer, default: 1}
    Query:
      type: object
      required: [text, size, order, exact, tags, score, since, named, wrong, many]
      properties:
        text: {type: string}
        size: {type: integer, minimum: 0, default: 20}
        order: {allOf: [{$ref: '#/components/schemas/Order'}], default: asc}
        exact: {type: boolean, default: false}
        tags: {type: array, items: {type: string}, default: []}
        score: {type: number, default: 1}
        since: {type: string, format: date, default: '2024-05-06'}
        named: {$ref: '#/components/schemas/Page'}
        wrong: {type: integer, minimum: 0, default: -1}
        many: {type: array, items: {type: integer}, default: [1]}
";

#[test]
fn the_constructor_fills_in_the_defaults_that_fit_and_each_has_a_setter() {
    let workspace = Workspace::with(DOCUMENT);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = workspace.read("generated/src/types.rs");
    let (_, query) = types.split_once("impl Query {").unwrap();
    let (constructor, setters) = query.split_once("    /// Sets `").unwrap();
    let (arguments, values) = constructor.split_once("Self {").unwrap();
    for filled in [
        "size: 20,",
        "order: Order::Asc,",
        "exact: false,",
        "score: 1.0,",
    ] {
        assert!(values.contains(filled), "{filled}: {constructor}");
    }
    assert!(values.contains("tags: Vec::new(),"), "{constructor}");
    // Types of strings, named numbers, and what is no value of the type are given by callers.
    for given in ["text: ", "since: ", "named: ", "wrong: ", "many: "] {
        assert!(arguments.contains(given), "{given}: {constructor}");
    }
    assert!(!arguments.contains("size: "), "{constructor}");
    for setter in ["pub fn order(", "pub fn exact(", "pub fn tags("] {
        assert!(setters.contains(setter), "{setter}: {setters}");
    }
}
