//! Requests that a service sends itself: the types of their bodies, and a table of them.

use crate::support::Emitted;
use crate::support::tool::tree_of as made;

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
    let tree = made(DOCUMENT);
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

#[test]
fn a_signature_of_an_override_is_a_constant_of_the_crate() {
    let text = |signature: &str, path: &str| {
        let document = DOCUMENT.replace("webhooks:", &format!("{signature}\nwebhooks:"));
        let tree = made(&document);
        tree.get(path).unwrap().to_owned()
    };
    let standard = "x-webhook-signature: standard-webhooks";
    assert!(text(standard, "src/lib.rs").contains(
        "pub const WEBHOOK_SIGNATURE: webhooks::Signature = webhooks::Signature::STANDARD_WEBHOOKS;\n"
    ));
    insta::assert_snapshot!(
        text(standard, "README.md")
            .split_once("## Webhooks")
            .unwrap()
            .1
    );
    let own = "x-webhook-signature: {header: X-Hook, value: 'sha256={hex}', signed: '{timestamp}.{body}', timestamp: X-Time}";
    let lib = text(own, "src/lib.rs");
    insta::assert_snapshot!(lib.split_once("pub const WEBHOOK_SIGNATURE").unwrap().1);
    // A request with any body or time would have the right signature, or none could have it.
    let wrong = [
        (".{body}", ""),
        ("{timestamp}.", ""),
        ("{timestamp}.", "{id}."),
        ("{timestamp}.", "{method}."),
        ("sha256={hex}", "sha256"),
        ("X-Hook", "X Hook"),
        ("sha256={hex}", "t={timestamp},v1={hex}"),
    ];
    let wrong = wrong.map(|(right, wrong)| own.replace(right, wrong));
    for unsigned in wrong.iter().map(String::as_str).chain(["x-other: 1"]) {
        let lib = text(unsigned, "src/lib.rs");
        assert!(!lib.contains("WEBHOOK_SIGNATURE"), "{unsigned}");
        assert!(lib.contains("pub use generated_client::webhooks;"));
    }
}

/// OpenAPI 3.0 has no webhooks, and its services send them.
#[test]
fn a_signature_is_a_constant_without_webhooks_in_the_document_too() {
    let document = "openapi: 3.0.3
info: {title: Hooks, version: '1'}
x-webhook-signature: standard-webhooks
paths: {/a: {get: {operationId: a, responses: {'204': {description: Done.}}}}}
";
    for (document, has_constant) in [
        (document.to_owned(), true),
        (
            document.replace("x-webhook-signature: standard-webhooks", "x-other: 1"),
            false,
        ),
    ] {
        let tree = made(&document);
        let lib = tree.get("src/lib.rs").unwrap();
        assert_eq!(lib.contains("WEBHOOK_SIGNATURE"), has_constant, "{lib}");
        let manifest = tree.get("Cargo.toml").unwrap();
        assert_eq!(
            manifest.contains("\"webhooks\""),
            has_constant,
            "{manifest}"
        );
    }
}

/// A union of its own that no override could rename would be in the way of the document's.
#[test]
fn the_type_of_any_webhook_has_a_name_that_the_document_does_not_have() {
    let named = |schema: &str| {
        let document = DOCUMENT.replace(
            "    Other:",
            &format!("    {schema}: {{type: string}}\n    Other:"),
        );
        let tree = made(&document);
        tree.get("README.md").unwrap().to_owned()
    };
    assert!(named("Event").contains("| any of them | `types::WebhookEvent` |"));
    for taken in ["WebhookEvent", "webhook_event"] {
        let readme = named(taken);
        assert!(readme.contains("`types::AnyWebhookEvent`"), "{readme}");
    }
}
