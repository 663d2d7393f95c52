//! Operations behind handles: the documents that have them, the names of their methods, and names that are not possible.

use client_generator::surface;
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;

use crate::support::tool::tree_of as tree;

/// Returns a document with these operations: tag, HTTP method and identifier.
fn document(package: &str, operations: &[(&str, &str, &str)]) -> String {
    let paths = operations
        .iter()
        .enumerate()
        .map(|(index, (tag, method, id))| {
            let tags = (!tag.is_empty()).then(|| format!("tags: ['{tag}'], "));
            let tags = tags.unwrap_or_default();
            format!(
                "  /p{index}: {{{method}: {{{tags}operationId: {id}, responses: {{'204': {{description: d}}}}}}}}\n"
            )
        });
    let paths: String = paths.collect();
    format!(
        "openapi: 3.0.3\ninfo: {{title: Shop, version: '1', x-rust-package: {{name: shop, version: 0.1.0, environment: SHOP, \
         description: d{package}}}}}\ntags: [{{name: issues, description: What is wrong.}}]\npaths:\n{paths}"
    )
}

fn paths(document: &str) -> Vec<String> {
    let source = Source::parse("openapi.yaml", document.to_owned()).unwrap();
    let surface = surface::read(&source, &OverrideReport::default()).unwrap();
    let paths = surface.items().map(|item| item.path.clone());
    paths.collect()
}

#[test]
fn a_large_document_has_handles_for_its_tags() {
    let ids: Vec<String> = (0..41).map(|number| format!("call{number}")).collect();
    let operations = |count: usize, untagged: usize| -> Vec<(&str, &str, &str)> {
        let all = ids.iter().take(count).enumerate();
        all.map(|(index, id)| match index {
            index if index < untagged => ("", "get", id.as_str()),
            index if index % 2 == 0 => ("even", "get", id.as_str()),
            _ => ("odd", "get", id.as_str()),
        })
        .collect()
    };
    let has = |package: &str, count, untagged| {
        let document = document(package, &operations(count, untagged));
        tree(&document).get("src/handles.rs").is_some()
    };
    assert!(has("", 41, 0));
    assert!(!has("", 40, 0), "small");
    assert!(has("", 41, 1), "one has no tag");
    let one_untagged = document("", &operations(41, 1));
    assert!(paths(&one_untagged).contains(&"Client::call0".to_owned()));
    assert!(!has(", handles: none", 41, 0));
    assert!(has(", handles: tags", 3, 1));
    assert!(!has("", 41, 41), "there is no tag");
}

#[test]
fn the_readme_and_the_links_lead_through_the_handle() {
    let operations: Vec<String> = (0..60)
        .map(|number| format!("issues_call{number}"))
        .collect();
    let operations: Vec<(&str, &str, &str)> = operations
        .iter()
        .map(|id| ("issues", "get", id.as_str()))
        .chain([
            ("pulls", "get", "list"),
            ("pulls", "get", "listAll_p61_get"),
        ])
        .collect();
    let tree = tree(&document(", cli: true", &operations));
    let readme = tree.get("README.md").unwrap();
    assert!(
        readme.contains("client.issues().issues_call0().send()"),
        "{readme}"
    );
    assert!(
        readme.contains("| `issues()` | 60 | What is wrong. |"),
        "{readme}"
    );
    assert!(readme.lines().count() < 120, "{readme}");
    let builder = tree.get("src/operations/pulls.rs").unwrap();
    assert!(
        builder.contains("[`Pulls::list_all`](crate::handles::Pulls::list_all)"),
        "{builder}"
    );
    let commands = tree.get("src/cli.rs").unwrap();
    assert!(commands.contains("name: \"issues-call0\""), "{commands}");
}
