//! Malicious documents, which attack the reader of a report or the machine: none of their characters controls a terminal or
//! a comment, and the findings of a large document take no more memory than the document.

use crate::support::tool::{Options, warned};
use openapi_diff::command::{Format, Options as DiffOptions, alone};
use openapi_document::finding::{self, DocumentError, Excerpt, Finding};
use openapi_document::source::Source;
use openapi_schemas::normal;
use serde_json::{Map, Value, json};

use crate::diff::command::PLAIN;
use crate::support::{Workspace, shortest};

/// A terminal escape, one of its short forms, a bell, and characters that change the direction of text or that nobody sees.
const ODD: &str = "a\u{1b}[31m\u{9b}2J\u{7}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{200b}\u{ad}\u{2063}\u{3164}\u{fe0f}\u{feff}\u{e000}\u{fff9}\u{ffff}\u{e0041}\u{e0101}z";

fn is_readable(text: &str) {
    let is_odd = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
                | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{ffff}' | '\u{e0000}'..)
    };
    let found: Vec<char> = text.chars().filter(|c| is_odd(*c)).collect();
    assert!(found.is_empty(), "{found:?} in {text}");
}

/// Returns a document with this string wherever a person reads it.
fn document(text: &str, kind: &str) -> String {
    let plain = json!({"type": kind, "description": text, "title": text});
    json!({
        "openapi": "3.0.3",
        "info": {"title": format!("Odd {text}"), "version": format!("1{text}"), "description": text},
        "servers": [{"url": "https://a.example", "description": text}],
        "tags": [{"name": text, "description": text}],
        "paths": {
            "/a": {"get": {
                "operationId": "a", "summary": text, "description": text, "tags": [text],
                "parameters": [{"name": text, "in": "query", "description": text, "schema": plain}],
                "responses": {"200": {"description": text, "content": {"application/json": {"schema": {
                    "type": "object", "description": text, "properties": {
                        "a": plain, text: plain, "b": {"type": "string", "enum": [text], "description": text}}}}}}},
            }},
            format!("/{text}"): {"get": {"operationId": text, "parameters": [{"$ref": format!("#/{text}")}],
                "responses": {"200": {"description": text, "content": {text: {"schema": plain}}}}}},
        },
    })
    .to_string()
}

fn path(workspace: &Workspace, name: &str) -> String {
    workspace.root().join(name).to_string_lossy().into_owned()
}

/// Returns the output of `generate`, or its error.
fn generated(workspace: &Workspace) -> Result<String, DocumentError> {
    warned(&Options::of(workspace, "new.json", "crate"))
}

#[test]
fn no_control_character_of_a_document_reaches_a_person() {
    let workspace = Workspace::new()
        .file("old.json", &document(ODD, "string"))
        .file("new.json", &document(ODD, "integer"));
    is_readable(&generated(&workspace).unwrap());
    for (path, bytes) in workspace.files() {
        let text = String::from_utf8(bytes).unwrap();
        let is_read = path.ends_with(".rs") || path.ends_with(".md");
        if path.starts_with("crate/") && is_read {
            is_readable(&text);
        }
    }
    for format in [Format::Text, Format::Markdown] {
        let options = DiffOptions { format, ..PLAIN };
        let mut out = Vec::new();
        let [old, new] = ["old.json", "new.json"].map(|name| path(&workspace, name));
        alone(&old, &new, &options, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("integer"), "{format:?}: {text}");
        is_readable(&text);
    }
    let finding = Finding::about("rule", ODD, ODD, ODD).note(ODD);
    is_readable(&finding.to_string());
}

#[test]
fn no_html_of_a_document_reaches_its_documentation() {
    let html = "a <script>x()</script> `<kept>` <img src=x> | <b>";
    let workspace = Workspace::new().file("new.json", &document(html, "string"));
    generated(&workspace).unwrap();
    for (path, bytes) in workspace.files() {
        let text = String::from_utf8(bytes).unwrap();
        let is_documentation =
            |line: &&str| path.ends_with(".md") || line.trim_start().starts_with("//");
        for line in text.lines().filter(is_documentation) {
            let outside_of_code: String = line.split('`').step_by(2).collect();
            for tag in ["<script", "</script", "<img", "<b>"] {
                let raw = outside_of_code.replace(&format!("\\{tag}"), "");
                assert!(!raw.contains(tag), "{path}: {line}");
            }
        }
    }
    assert!(
        workspace
            .read("crate/README.md")
            .contains("\\<script>x()\\</script> `<kept>`")
    );
}

/// Returns a crate with a module for each documentation of the generated files.
fn documented(workspace: &Workspace) -> String {
    let mut modules = String::new();
    let mut count = 0;
    for (path, bytes) in workspace.files() {
        let text = String::from_utf8(bytes).unwrap();
        if !path.starts_with("crate/") || !(path.ends_with(".rs") || path.ends_with(".md")) {
            continue;
        }
        let lines = text.lines().map(|line| {
            if path.ends_with(".md") {
                Some(format!(" {line}"))
            } else {
                let line = line.trim_start();
                let line = line
                    .strip_prefix("///")
                    .or_else(|| line.strip_prefix("//!"));
                line.map(str::to_owned)
            }
        });
        let lines: Vec<Option<String>> = lines.collect();
        for block in lines.split(Option::is_none).filter(|one| !one.is_empty()) {
            for line in block.iter().flatten() {
                modules.push_str(&format!("///{line}\n"));
            }
            modules.push_str(&format!("pub mod of{count} {{}}\n"));
            count += 1;
        }
    }
    modules
}

/// Returns the tests that rustdoc finds, without their lines.
fn doctests(workspace: &Workspace) -> Vec<String> {
    workspace.write("documented.rs", &documented(workspace));
    let output = std::process::Command::new("rustdoc")
        .args(["--edition", "2021", "--test", "--test-args", "--list"])
        .arg(path(workspace, "documented.rs"))
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{shown}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = shown.lines().filter_map(|line| line.split_once(" (line "));
    let names = found.filter_map(|(test, _)| test.split_once(" - "));
    names.map(|(_, name)| name.to_owned()).collect()
}

#[test]
fn no_description_of_a_document_is_a_test() {
    let code = "std::process::exit(7);";
    let long = "x".repeat(106);
    let documented = |text: &str| {
        let mut document: Value = serde_json::from_str(&document("plain", "string")).unwrap();
        let operation = &mut document["paths"]["/a"]["get"];
        document_all(operation, text);
        operation["parameters"][0]["required"] = true.into();
        document["info"]["description"] = text.into();
        let workspace = Workspace::new().file("new.json", &document.to_string());
        generated(&workspace).unwrap();
        workspace
    };
    let expected = doctests(&documented("plain"));
    assert_eq!(expected, ["of0", "of5"]);
    for form in [
        format!("a\n\n~~~\n{code}\n~~~\nb"),
        format!("~~~rust\n{code}"),
        format!("```\na\n```\n\n{code}"),
        format!("````\n```\n{code}\n```\n````"),
        format!("a\n\n> ~~~\n> {code}\n> ~~~"),
        format!("a\n\n> ```\n> {code}\n> ```"),
        format!("- ~~~\n  {code}\n- ```\n  {code}"),
        format!("1. > ~~~\n   > {code}"),
        format!("{long} ```\n{code}\n```"),
        format!("{long} ~~~\n{code}\n~~~"),
        format!("# {long} \t{code}"),
        format!("# {long}      {code}"),
        format!("a\n\n>      {code}"),
        format!("-      {code}"),
        format!("1.\t\t\t{code}"),
        format!("a\n\n\u{b}\u{b}\u{b}\u{b}\u{b}{code}"),
        format!("# {long} \u{c}\u{c}\u{c}\u{c}\u{c}{code}"),
        format!("`\u{200b}``\n{code}\n`\u{200b}``"),
        format!("~\u{200b}~~\n{code}"),
        format!("\\`~~~\n~~~\n{code}"),
    ] {
        assert_eq!(doctests(&documented(&form)), expected, "{form}");
    }
}

/// Sets each description below a value.
fn document_all(value: &mut Value, text: &str) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match key.as_str() {
                    "description" | "summary" => *value = text.into(),
                    _ => document_all(value, text),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|one| document_all(one, text)),
        _ => {}
    }
}

#[test]
fn findings_of_a_long_line_take_time_by_their_number() {
    let time = |count: usize| {
        let one = |n| json!({"$ref": format!("#/components/schemas/M{n}")});
        let members: Map<String, Value> =
            (0..count).map(|n| (format!("p{n:05}"), one(n))).collect();
        let source = Source::parse("one.json", json!({"a": members}).to_string()).unwrap();
        shortest(|| {
            for n in 0..count {
                let finding = source.finding("rule", format!("/a/p{n:05}"), "m", "h");
                assert!(finding.excerpt.is_some_and(|excerpt| excerpt.line == 1));
            }
        })
    };
    time(50);
    let (few, many) = (time(200), time(1_600));
    assert!(many < few * 28, "{few:?}, then {many:?}");
}

#[test]
fn a_finding_keeps_what_is_near_its_place() {
    let line = format!(
        "{}\u{e9}{{\"wrong\u{9b}\": 1}}{}",
        "x".repeat(5_000),
        "y".repeat(5_000)
    );
    let text = format!("first\n{line}\n");
    let start = text.find("\"wrong").unwrap();
    let excerpt = Excerpt::of(&text, start..start + 9).unwrap();
    assert!(excerpt.text.len() < 1_000, "{}", excerpt.text.len());
    assert_eq!(&excerpt.text[excerpt.span.clone()], "\"wrong \"");
    assert_eq!(excerpt.line, 2);
    let mut finding = Finding::about("rule", "a.json", "message", "help");
    finding.excerpt = Some(excerpt);
    assert!(finding.to_string().contains("a.json:2:5003"), "{finding}");
    // If no line is cut, all of it is shown.
    let whole = Excerpt::of("one\ntwo\nthree", 4..7).unwrap();
    assert_eq!((whole.text.as_str(), whole.left_out), ("two", 0));
}

#[test]
fn findings_of_a_document_of_one_line_take_no_more_than_the_document() {
    let lost: Map<String, Value> = (0..300)
        .map(|index| {
            (
                format!("p{index}"),
                json!({"$ref": format!("#/lost/{index}")}),
            )
        })
        .collect();
    let mut document: Value = serde_json::from_str(&document("plain", "string")).unwrap();
    // A break is looked for between all of its words.
    document["paths"]["/a"]["get"]["description"] = "x ".repeat(1 << 19).into();
    document["info"]["description"] = "x".repeat(1 << 17).into();
    document["components"] = json!({"schemas": {"Lost": {"type": "object", "properties": lost}}});
    let workspace = Workspace::new().file("new.json", &document.to_string());
    let shown = generated(&workspace).unwrap();
    assert!(shown.len() < 100_000, "{}", shown.len());
    assert!(shown.contains("more warnings"), "{shown}");
    let wrong = Finding::about("rule", "a.json", "message", "help");
    let stop = DocumentError::Findings(vec![wrong; 50_000]);
    assert!(stop.to_string().ends_with("error: and 49000 more findings"));
}

#[test]
fn of_a_million_findings_some_are_kept_and_all_are_counted() {
    let lost = |index: usize| {
        let reference = json!({"$ref": format!("#/lost/{index}")});
        (format!("p{index}"), reference)
    };
    let count = 12_000;
    let lost: Map<String, Value> = (0..count).map(lost).collect();
    let mut document: Value = serde_json::from_str(&document("plain", "string")).unwrap();
    document["components"] = json!({"schemas": {"Lost": {"type": "object", "properties": lost}}});
    let source = Source::parse("new.json", document.to_string()).unwrap();
    let warnings = normal(&source).unwrap().warnings;
    assert!(warnings.len() <= 10_005, "{}", warnings.len());
    assert!(finding::count(&warnings) >= count);
    let last = warnings.last().unwrap();
    let note = format!("{} more findings of this rule are not listed", last.more);
    assert!(last.more > 1_900 && last.to_string().contains(&note));
    let stop = DocumentError::Findings(warnings);
    let left = finding::count(stop.findings()) - 1_000;
    let end = format!("error: and {left} more findings");
    assert!(stop.to_string().ends_with(&end));
}

#[test]
fn credentials_that_share_headers_and_long_paths_of_one_id_take_little_time() {
    let (mut schemes, mut all) = (Map::new(), Map::new());
    for index in 0..60 {
        let scheme = json!({"type": "apiKey", "in": "header", "name": format!("X-{}", index / 2)});
        schemes.insert(format!("s{index}"), scheme);
        all.insert(format!("s{index}"), json!([]));
    }
    let called = json!({"get": {"operationId": "a", "responses": {"204": {"description": "d"}}}});
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "Shared", "version": "1"},
        "security": [all, {"s0": []}],
        "paths": {"/": called, format!("/{}", "a-".repeat(200_000)): called},
        "components": {"securitySchemes": schemes},
    });
    let source = Source::parse("openapi.json", document.to_string()).unwrap();
    let model = openapi_model::read(&source).unwrap();
    assert_eq!(model.operations.len(), 2);
    let warned = |rule| model.warnings.iter().any(|warning| warning.rule == rule);
    assert!(warned("security-scheme") && warned("operation-name"));
}
