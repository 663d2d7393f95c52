//! The report as other programs read it: SARIF by its schema, and annotations by their grammar.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use openapi_diff::Wire;
use openapi_diff::command::{Format, Options};
use serde_json::Value;

use super::command::{OLD, PLAIN, committed, new, run};
use crate::support::Workspace;

/// Validates a report by the schema of SARIF 2.1.0, as OASIS publishes it.
pub(super) fn sarif(report: &Value) -> Result<(), String> {
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

/// A workflow command of GitHub.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) name: String,
    pub(super) properties: BTreeMap<String, String>,
    pub(super) message: String,
}

/// Reads workflow commands, as the runner of GitHub does: `::name key=value,key=value::message`.
pub(super) fn commands(text: &str) -> Vec<Command> {
    let decoded = |text: &str, codes: &[(&str, &str)]| {
        let text = codes
            .iter()
            .fold(text.to_owned(), |text, (code, c)| text.replace(code, c));
        text.replace("%25", "%")
    };
    const DATA: [(&str, &str); 2] = [("%0D", "\r"), ("%0A", "\n")];
    const PROPERTY: [(&str, &str); 4] = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")];
    let command = |line: &str| {
        let rest = line.strip_prefix("::").unwrap_or_else(|| panic!("{line}"));
        let (head, message) = rest.split_once("::").unwrap_or_else(|| panic!("{line}"));
        let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
        let properties = properties
            .split(',')
            .filter(|one| !one.is_empty())
            .map(|one| {
                let (key, value) = one.split_once('=').unwrap_or_else(|| panic!("{line}"));
                (key.to_owned(), decoded(value, &PROPERTY))
            });
        Command {
            name: name.to_owned(),
            properties: properties.collect(),
            message: decoded(message, &DATA),
        }
    };
    text.lines().map(command).collect()
}

/// Returns a document whose names and strings contain reserved characters of these formats, and a reference that cannot be followed.
fn awkward() -> String {
    let name = r#""a,b:c%0A::<&>\"\x01é""#;
    let member = format!("{name}: {{$ref: missing.yaml}}\n        genre: ");
    new()
        .replace("genre: ", &member)
        .replace("required: [title]", &format!("required: [title, {name}]"))
}

/// Creates workspaces with a policy that waives one change: with plain strings, with reserved characters, and without a change.
fn workspaces() -> Vec<Workspace> {
    let policy = "waivers: [{rule: schema.bound-tightened, reason: 'Agreed, 50%: <all>'}]\n";
    [new(), awkward(), OLD.to_owned()]
        .iter()
        .map(|text| committed(text).file("policy.yaml", policy))
        .collect()
}

fn printed(workspace: &Workspace, format: Format) -> String {
    let file = workspace.root().join("policy.yaml");
    let options = Options {
        format,
        policy: Some(file.to_string_lossy().into_owned()),
        fail_on: Some(Wire::Breaking),
        ..PLAIN
    };
    run(workspace, &options).unwrap().1
}

#[test]
fn sarif_keeps_to_its_schema() {
    for workspace in workspaces() {
        let mut report: Value = serde_json::from_str(&printed(&workspace, Format::Sarif)).unwrap();
        assert_eq!(sarif(&report), Ok(()));
        report["version"] = "2.0.0".into();
        assert!(sarif(&report).is_err());
    }
}

#[test]
fn annotations_keep_to_the_grammar_of_workflow_commands() {
    for workspace in workspaces() {
        let text = printed(&workspace, Format::Github);
        let commands = commands(&text);
        for command in &commands {
            assert!(
                ["error", "warning", "notice"].contains(&command.name.as_str()),
                "{text}"
            );
            let known = ["file", "line", "col", "title"];
            for (key, value) in &command.properties {
                assert!(
                    known.contains(&key.as_str()) && !value.is_empty(),
                    "{command:?}"
                );
            }
            assert!(!command.message.is_empty(), "{text}");
        }
        let waived = |command: &&Command| command.message.contains("Agreed, 50%: <all>");
        let is_awkward = text.contains("missing.yaml");
        assert_eq!(
            commands.iter().filter(waived).count(),
            usize::from(text.contains("breaking"))
        );
        if is_awkward {
            let name = "a,b:c%0A::<&>\"";
            assert!(
                commands.iter().any(|one| one.message.contains(name)),
                "{text}"
            );
        }
    }
}
