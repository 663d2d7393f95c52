//! Requests that a service sends itself: the types of their bodies, and a table of them.

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};

use crate::support::{Emitted, Workspace};

const DOCUMENT: &str = "openapi: 3.1.0
info: {title: Hooks, version: '1'}
webhooks:
  thing.made:
    post:
      summary: A thing was made.
      requestBody:
        content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}
      responses: {'200': {description: Read.}}
  thing.gone:
    post:
      requestBody:
        content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}
      responses: {'200': {description: Read.}}
components:
  schemas:
    Thing: {type: object, properties: {part: {$ref: '#/components/schemas/Part'}}}
    Part: {type: object, properties: {size: {type: [integer, 'null']}}}
    Other: {type: object, properties: {size: {type: integer}}}
";

#[test]
fn a_document_of_webhooks_alone_is_a_crate_of_their_types() {
    let workspace = Workspace::with(DOCUMENT);
    let published = Source::read(workspace.root(), "spec/openapi.yaml").unwrap();
    let overrides = OverrideSet::default();
    let reconciled = reconcile(&published, &overrides).unwrap();
    let tree = crate::support::tool::tree(&published, &overrides, &reconciled).unwrap();
    let emitted = Emitted::of_tree(&tree);
    for name in ["Thing", "Part", "ThingGoneWebhook"] {
        assert!(emitted.find(&format!("types::{name}")).is_some(), "{name}");
    }
    assert!(emitted.find("types::Other").is_none());

    let text = |wanted: &str| {
        let mut files = tree.iter();
        let found = files.find_map(|(path, text)| (path == wanted).then(|| text.to_owned()));
        found.unwrap()
    };
    let readme = text("README.md");
    assert!(
        readme.contains("| `thing.made` | `types::Thing` | A thing was made. |\n| `thing.gone` | `types::ThingGoneWebhook` |  |\n"),
        "{readme}"
    );
    // An import that no operation uses would be a compiler warning.
    assert!(!text("src/client.rs").contains("use crate::operations"));
}
