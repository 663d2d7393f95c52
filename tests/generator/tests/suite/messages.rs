//! Messages about bad input: rule, file, location, problem, and next step. The file has the input, and a snapshot for each the message.

use serde_json::Value;

use crate::support::Workspace;

fn workspace(file: &Value, case: &Value) -> Workspace {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pairs = |key: &str| case[key].as_array().cloned().unwrap_or_default();
    let document = match (case.get("document"), case.get("paged")) {
        (Some(Value::Null), _) => None,
        (Some(own), _) => Some(text(own)),
        (None, Some(paging)) => Some(text(&file["paged"]).replace("PAGING", &text(paging))),
        (None, None) => Some(text(&file["document"])),
    };
    let mut workspace = document.map_or_else(Workspace::new, |mut document| {
        for edit in pairs("edits") {
            let [from, to] = [text(&edit[0]), text(&edit[1])];
            assert!(document.contains(&from), "{from}");
            document = document.replace(&from, &to);
        }
        Workspace::with(&document)
    });
    if let Some(actions) = case.get("override") {
        let head = "overlay: 1.1.0\ninfo: {title: X, version: 1.0.0}\n\
            x-override: {published: p, observed: o, reference: '1', retire-when: r}\nactions:\n";
        let file = format!("{head}{}", text(actions));
        workspace = workspace.file("overrides/upstream/x.yaml", &file);
    }
    for (path, content) in case["files"].as_object().into_iter().flatten() {
        workspace = workspace.file(path, &text(content));
    }
    workspace
}

#[test]
fn bad_input_has_its_message() {
    let file = include_str!("../../fixtures/messages.yaml");
    let file: Value = serde_yaml::from_str(file).unwrap();
    for case in file["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        insta::assert_snapshot!(name, workspace(&file, case).failure());
    }
}
