//! The report as other programs read it: SARIF by its schema.

use std::sync::OnceLock;

use openapi_diff::command::{Format, Options};
use serde_json::Value;

use super::command::{OLD, PLAIN, committed, new, run};

/// Validates a report by the schema of SARIF 2.1.0, as OASIS publishes it.
fn sarif(report: &Value) -> Result<(), String> {
    static SCHEMA: OnceLock<(boon::Schemas, boon::SchemaIndex)> = OnceLock::new();
    let (schemas, index) = SCHEMA.get_or_init(|| {
        let schema = serde_json::from_str(include_str!("sarif-2.1.0.schema.json")).unwrap();
        let mut schemas = boon::Schemas::new();
        let mut compiler = boon::Compiler::new();
        compiler.add_resource("sarif.json", schema).unwrap();
        let index = compiler.compile("sarif.json", &mut schemas).unwrap();
        (schemas, index)
    });
    let result = schemas.validate(report, *index);
    result.map_err(|error| format!("{error:#}"))
}

/// Returns a document whose names and strings contain reserved characters of these formats, and a reference that cannot be followed.
fn awkward() -> String {
    let name = r#""a,b:c%0A::<&>\"\x01é""#;
    let member = format!("{name}: {{$ref: missing.yaml}}\n        genre: ");
    new()
        .replace("genre: ", &member)
        .replace("required: [title]", &format!("required: [title, {name}]"))
}

fn printed(text: &str) -> String {
    let options = Options {
        format: Format::Sarif,
        ..PLAIN
    };
    run(&committed(text), &options).unwrap().1
}

#[test]
fn sarif_keeps_to_its_schema() {
    for text in [new(), awkward(), OLD.to_owned()] {
        let mut report: Value = serde_json::from_str(&printed(&text)).unwrap();
        assert_eq!(sarif(&report), Ok(()));
        report["version"] = "2.0.0".into();
        assert!(sarif(&report).is_err());
    }
}
