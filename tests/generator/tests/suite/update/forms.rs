//! The formats of a new document, and the format in which it is committed.

use std::sync::LazyLock;

use super::*;

/// The document with comments, and in the style of people.
static COMMITTED: LazyLock<String> = LazyLock::new(|| {
    let commented = edited("  /things:", "  # All of them.\n  /things:");
    format!("# As published.\n{commented}")
});

/// Creates a workspace whose document has comments, with files beside it.
fn commented(files: &[(&str, &str)]) -> Workspace {
    let workspace = files.iter().fold(workspace(""), |workspace, (path, text)| {
        workspace.file(path, text)
    });
    let workspace = workspace.file("spec/openapi.yaml", &COMMITTED);
    stage(&workspace);
    workspace
}

/// Returns the committed document with one more property, as JSON in another order.
fn as_json() -> String {
    let mut document: serde_json::Value = serde_yaml::from_str(&COMMITTED).unwrap();
    let properties = &mut document["components"]["schemas"]["Things"]["properties"];
    properties["colour"] = serde_json::json!({"type": "string"});
    let members = document.as_object().unwrap().clone().into_iter();
    let reversed: serde_json::Map<String, serde_json::Value> = members.rev().collect();
    serde_json::to_string(&reversed).unwrap()
}

/// Returns a document as it is written anew, in its own order.
fn anew(document: &str) -> String {
    let value: serde_json::Value = serde_yaml::from_str(document).unwrap();
    serde_yaml::to_string(&value).unwrap()
}

#[test]
fn json_and_another_order_are_committed_as_yaml_in_the_order_in_place() {
    let json = as_json();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let yaml = serde_yaml::to_string(&value).unwrap();
    assert!(yaml.starts_with("components:"), "{yaml}");
    for (name, new) in [("new.json", &json), ("new.yaml", &yaml)] {
        let workspace = commented(&[(name, new)]);
        done(&workspace, &of(name));
        let expected = anew(&format!("{}        colour: {{type: string}}\n", *COMMITTED));
        assert_eq!(workspace.read("spec/openapi.yaml"), expected);
        assert!(workspace.regen(true).0);
    }
}

/// Written anew, the number would be another one.
#[test]
fn a_document_with_a_number_that_json_would_round_is_committed_as_it_is() {
    let property = with_property("weight: {type: integer, maximum: 18446744073709551617}");
    let (head, components) = property.split_once("components:").unwrap();
    let reordered = format!("components:{components}{head}");
    let workspace = commented(&[("new.yaml", &reordered)]);
    done(&workspace, &of("new.yaml"));
    assert_eq!(workspace.read("spec/openapi.yaml"), reordered);
}

#[test]
fn enum_values_and_required_names_in_another_order_change_nothing() {
    let with = |values: &str, names: &str| {
        let kind = format!("kind: {{type: string, enum: [{values}]}}");
        let required = format!("      required: [{names}]\n      properties:");
        with_property(&kind).replace("      properties:", &required)
    };
    let before = with("b, a, d", "name, kind");
    let workspace = commented(&[
        ("same.yaml", &with("d, a, b", "kind, name")),
        ("more.yaml", &with("a, c, d, b", "kind, name")),
    ])
    .file("spec/openapi.yaml", &before);
    stage(&workspace);
    let (shown, stop) = run(&workspace, &of("same.yaml"));
    assert_eq!(
        (shown.as_str(), stop),
        ("       Fresh spec/openapi.yaml is unchanged\n", None)
    );
    done(&workspace, &of("more.yaml"));
    assert_eq!(
        workspace.read("spec/openapi.yaml"),
        anew(&with("b, c, a, d", "name, kind"))
    );
}

#[test]
fn the_order_of_a_document_is_no_name_of_its_files() {
    let with = |kind: &str| with_property(&format!("kind: {kind}"));
    let part = "Kind: {type: string, enum: [b, a], description: Its kind.}\n";
    let several = with("{$ref: 'kind.yaml#/Kind'}");
    let workspace = commented(&[("two/api.yaml", &several), ("two/kind.yaml", part)])
        .file("spec/openapi.yaml", &with("{type: string, enum: [a, b]}"));
    stage(&workspace);
    done(&workspace, &of("two/api.yaml"));
    assert_eq!(workspace.read("spec/kind.yaml"), part);
    assert!(workspace.regen(true).0);
}

#[test]
fn a_finding_about_json_shows_the_line_of_the_given_file() {
    let mut document: serde_json::Value = serde_json::from_str(&as_json()).unwrap();
    let servers = serde_json::json!([{"url": "http://other.example"}]);
    document["paths"]["/things"]["get"]["servers"] = servers;
    let text = serde_json::to_string_pretty(&document).unwrap();
    let workspace = commented(&[("new.json", &text)]);
    let (_, stop) = refused(&workspace, &of("new.json"));
    let finding = &stop.findings()[0];
    assert_eq!(finding.file, "new.json");
    let excerpt = finding.excerpt.as_ref().unwrap();
    let line = text.lines().nth(excerpt.line - 1).unwrap();
    assert_eq!(excerpt.text.trim_end(), line);
}

#[test]
fn a_finding_about_a_parameter_shows_the_line_that_has_it() {
    let with = |names: [&str; 3]| {
        let one = |name: &str| {
            let kind = name.strip_prefix("odd ").map_or("string", |_| "odd");
            let name = name.trim_start_matches("odd ");
            format!("        - {{name: {name}, in: query, schema: {{type: {kind}}}}}\n")
        };
        let list: String = names.into_iter().map(one).collect();
        let id = "      operationId: things\n";
        COMMITTED.replace(id, &format!("{id}      parameters:\n{list}"))
    };
    let removal = "overlay: 1.1.0
info: {title: No key, version: 1.0.0}
x-override:
  published: A key.
  observed: It is not read.
  reference: '1'
  retire-when: It is gone.
actions:
  - target: $.paths[*][*].parameters[?(@.name == 'key')]
    x-expect: {name: key}
    remove: true
";
    // The parameter moves twice: by the removal of an override and by another order.
    let new = with(["odd colour", "size", "key"]);
    let workspace = workspace("")
        .file("spec/openapi.yaml", &with(["key", "size", "colour"]))
        .file("overrides/generator/no-key.yaml", removal)
        .file("new.yaml", &new);
    stage(&workspace);
    let (_, stop) = refused(&workspace, &of("new.yaml"));
    let finding = &stop.findings()[0];
    let excerpt = finding.excerpt.as_ref().unwrap();
    assert!(excerpt.text.contains("name: colour"), "{stop}");
    workspace.write("spec/openapi.yaml", &with(["key", "size", "odd colour"]));
    let stop = crate::support::tool::regen(&workspace.layout(), true, &mut Vec::new()).unwrap_err();
    assert!(stop.to_string().contains("{name: colour"), "{stop}");
}

#[test]
fn a_document_may_stand_at_a_revision() {
    let workspace = commented(&[("new.yaml", &with_property("colour: {type: string}"))]);
    workspace.git(&["add", "."]);
    workspace.git(&["commit", "--quiet", "--message", "First"]);
    std::fs::remove_file(workspace.root().join("new.yaml")).unwrap();
    let (_, stop) = refused(&workspace, &of("HEAD:old.yaml"));
    assert!(matches!(stop, DocumentError::Unreadable(_)), "{stop}");
    done(&workspace, &of("HEAD:new.yaml"));
    assert!(workspace.read("spec/openapi.yaml").contains("colour"));
}

#[test]
fn a_document_that_is_edited_in_place_is_one_command() {
    let workspace = workspace("");
    let new = with_property("colour: {type: string}");
    workspace.write("spec/openapi.yaml", &new);
    let shown = done(&workspace, &of("spec/openapi.yaml"));
    assert!(shown.contains("Version 0.1.0 to 0.1.1"), "{shown}");
    assert_eq!(workspace.read("spec/openapi.yaml"), new);
    assert!(workspace.regen(true).0);
}

#[test]
fn an_edit_in_place_is_kept_whatever_stops_the_update() {
    let workspace = workspace("");
    let new = edited("name: {type: string}", "name: {$ref: '#/lost'}");
    workspace.write("spec/openapi.yaml", &new);
    let (_, stop) = refused(&workspace, &of("spec/openapi.yaml"));
    assert_eq!(stop.findings()[0].rule, "reference");
    workspace.write(
        "spec/openapi.yaml",
        &with_property("colour: {type: string}"),
    );
    workspace.write("CHANGELOG.md", "# Mine\n");
    let (_, stop) = refused(&workspace, &of("spec/openapi.yaml"));
    let help = &stop.findings()[0].help;
    assert!(help.contains("git restore -- CHANGELOG.md`"), "{help}");
}

/// Returns a document of two files, in a separate folder.
fn several(first: &str) -> Vec<(String, String)> {
    let text = edited(
        "name: {type: string}",
        "name: {$ref: 'parts/name.yaml#/Name'}",
    );
    let part = "Name: {type: string, maxLength: 9}\nBack: {$ref: '../api.yaml#/components'}\n";
    vec![
        (format!("provider/{first}"), text),
        ("provider/parts/name.yaml".to_owned(), part.to_owned()),
    ]
}

fn with_files(files: &[(String, String)]) -> Workspace {
    let workspace = files.iter().fold(workspace(""), |workspace, (path, text)| {
        workspace.file(path, text)
    });
    workspace.git(&["add", "."]);
    workspace
}

#[test]
fn the_files_of_a_document_keep_their_folders() {
    let mut files = several("api.yaml");
    files[1].1 = "Name: {type: string, maxLength: 9}\n".to_owned();
    let workspace = with_files(&files);
    let shown = done(&workspace, &of("provider/api.yaml"));
    assert!(shown.contains("Wrote spec/parts/name.yaml"), "{shown}");
    assert_eq!(workspace.read("spec/parts/name.yaml"), files[1].1);
    assert!(workspace.regen(true).0);
    // A document of one file again.
    workspace.write(NEW, DOCUMENT);
    workspace.git(&["add", "."]);
    done(&workspace, &options());
    assert!(!workspace.exists("spec/parts/name.yaml"));
    assert!(workspace.regen(true).0);
}

#[test]
fn files_that_have_no_place_are_refused_with_what_to_do() {
    let workspace = with_files(&several("api.yaml"));
    let (_, by_name) = refused(&workspace, &of("provider/api.yaml"));
    // A path outside of the document's folder, and so of its new one.
    let way = "name: {$ref: '../provider/name.yaml#/Name'}";
    let files = [
        (
            "provider/api.yaml".to_owned(),
            edited("name: {type: string}", way),
        ),
        (
            "provider/name.yaml".to_owned(),
            "Name: {type: string}\n".to_owned(),
        ),
    ];
    let (_, outside) = refused(&with_files(&files), &of("provider/api.yaml"));
    insta::assert_snapshot!(format!("{by_name}\n\n{outside}"));
}

#[test]
fn parameters_in_another_order_change_nothing_the_second_time() {
    let with = |names: &[&str], values: &str| {
        let mut each = Vec::new();
        for name in names {
            let schema = format!("{{type: string, enum: [{values}, {name}]}}");
            each.push(format!("{{name: {name}, in: query, schema: {schema}}}"));
        }
        let all = each.join(", ");
        let id = "operationId: things\n";
        edited(id, &format!("{id}      parameters: [{all}]\n"))
    };
    let workspace = between(
        &with(&["a", "b"], "two, one"),
        &with(&["b", "a", "c"], "one, two"),
    );
    let shown = done(&workspace, &options());
    assert!(!shown.contains("is unchanged"), "{shown}");
    workspace.git(&["add", "."]);
    let shown = done(&workspace, &options());
    assert!(shown.contains("is unchanged"), "{shown}");
}

#[test]
fn what_cannot_be_read_is_said_before_anything_about_overrides() {
    for (new, rule) in [
        ("swagger: '2.0'\n", "openapi-version"),
        ("openapi: 4.0.0\n", "openapi-version"),
        ("a: b: c\n", "syntax"),
        ("", "syntax"),
    ] {
        let workspace = workspace(new).file("overrides/assumed/size.yaml", "no: override\n");
        let (shown, stop) = refused(&workspace, &options());
        assert_eq!(shown, "");
        assert!(matches!(&stop, DocumentError::Unreadable(_)), "{stop}");
        let finding = &stop.findings()[0];
        assert_eq!((finding.rule, finding.file.as_str()), (rule, NEW));
    }
}
