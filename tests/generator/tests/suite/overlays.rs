//! Overlays of any tool, given to the generator, and the help for people who have no overrides.

use client_generator::emit::Runtime;
use client_generator::generate::{Generated, Layout, generate};
use openapi_document::finding::{DocumentError, Severity};

use crate::support::{Workspace, layout};

const DOCUMENT: &str = "openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /a: {post: {operationId: raw, requestBody: {content: {'*/*': {schema: {type: string}}}}, responses: {'204': {description: d}}}}
";

/// Generates the document after an Overlay of these actions.
fn made(actions: &str, strict: bool, overrides: Option<&str>) -> Result<Generated, DocumentError> {
    let overlay = format!("overlay: 1.0.0\ninfo: {{title: o, version: '1'}}\nactions:\n{actions}");
    let workspace = Workspace::new()
        .file("api.yaml", &DOCUMENT.replace("raw", "things"))
        .file("overlay.yaml", &overlay);
    generate(&Layout {
        overrides: overrides.unwrap_or_default().to_owned(),
        overlays: vec!["overlay.yaml".to_owned()],
        strict,
        ..layout(workspace.root(), "api.yaml", Runtime::Version)
    })
}

#[test]
fn a_target_that_selects_nothing_is_a_warning_with_its_place() {
    for target in [
        "$.paths['/a'].post.requestBody.content['application/json']",
        "$.paths['/b']",
        "$.components.schemas[?(@.type == 'object')]",
    ] {
        let actions = format!(
            "  - {{target: $.info, update: {{version: '2'}}}}\n  - target: \"{target}\"\n    update: {{x-seen: true}}\n"
        );
        let generated = made(&actions, false, None).unwrap();
        let [dead] = generated.warnings.as_slice() else {
            panic!("{target}: {:?}", generated.warnings);
        };
        assert_eq!(dead.severity, Severity::Warning);
        assert_eq!(
            (dead.rule, &*dead.pointer),
            ("overlay-target", "/actions/1/target")
        );
        assert!(dead.to_string().contains("overlay.yaml:5"), "{dead}");
    }
}

#[test]
fn a_strict_crate_refuses_a_target_that_selects_nothing() {
    let dead = "  - {target: $.lost, remove: true}\n";
    let Err(stop) = made(dead, true, None) else {
        panic!("it was generated");
    };
    let rules: Vec<&str> = stop.findings().iter().map(|one| one.rule).collect();
    assert_eq!(rules, ["overlay-target"]);
    let selecting = "  - {target: $.info, update: {version: '2'}}\n";
    assert!(made(selecting, true, None).is_ok());
}

#[test]
fn help_names_overrides_only_where_a_crate_has_them() {
    let reserved = "  - {target: \"$.paths['/a'].post\", update: {operationId: raw}}\n";
    for (overrides, word) in [(None, "an Overlay"), (Some("overrides"), "an override")] {
        let generated = made(reserved, false, overrides).unwrap();
        let helps: Vec<&str> = generated.warnings.iter().map(|one| &*one.help).collect();
        assert!(
            !helps.is_empty() && helps.iter().all(|help| help.contains(word)),
            "{helps:?}"
        );
        assert!(
            helps.iter().all(|help| !help.contains("overrides/")),
            "{helps:?}"
        );
    }
}
