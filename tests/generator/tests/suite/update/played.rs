//! Updates of the committed crate, as providers publish them. Each is one command, and leaves nothing to a person. A case is found by what
//! it is, so that it is there in the next document too.

use openapi_crate::commands::overrides::{self, RebaseOptions};
use openapi_document::pointer;
use openapi_overrides::judge;
use serde_json::{Map, Value, json};

use super::{built, *};
use crate::diff::rewrites::everywhere;
use crate::rebase::committed::{PREFIX, moved, rewritten, with_other_names};
use crate::support::{Inputs, reached};

/// Changes a document.
pub(super) type Edit = fn(&mut Value);

/// Returns the pointer of the first operation of the published document for which an override has an extension.
fn operation_with(extension: &str) -> String {
    let inputs = Inputs::committed();
    let mut found = None;
    pointer::walk(inputs.reconciled().value(), "", &mut |at, value| {
        let is_there = inputs.published.value.pointer(at).is_some();
        if is_there && at.starts_with("/paths/") && value.get(extension).is_some() {
            found.get_or_insert_with(|| at.to_owned());
        }
    });
    found.expect("no override has it")
}

fn path_of(operation: &str) -> String {
    pointer::tokens(operation).nth(1).unwrap()
}

/// Returns a schema without words and other names.
fn bare(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(map) = schema.as_object_mut() {
        map.retain(|key, _| !["description", "x-aliases"].contains(&key.as_str()));
    }
    schema
}

/// Returns the name of a property that an override adds, with its schema and the name that the document has for it. Nothing else differs.
fn corrected_name() -> Option<(String, String, String)> {
    let inputs = Inputs::committed();
    let published = &inputs.published.value;
    let mut found = None;
    pointer::walk(inputs.reconciled().value(), "", &mut |at, value| {
        let Some((owner, name)) = pointer::split_last(at) else {
            return;
        };
        let alias = value.get("x-aliases").and_then(|all| all.get(0)?.as_str());
        let alias = alias.filter(|alias| {
            let there = published.pointer(&pointer::join(owner, alias));
            there.map(bare) == Some(bare(value)) && published.pointer(at).is_none()
        });
        if let Some(alias) = alias.filter(|_| owner.ends_with("/properties")) {
            found.get_or_insert((owner.to_owned(), name, alias.to_owned()));
        }
    });
    found
}

/// Replaces a property by properties of these names, in its place.
fn renamed(document: &mut Value, keep: bool) {
    let Some((owner, name, alias)) = corrected_name() else {
        return;
    };
    let properties = document.pointer_mut(&owner).unwrap();
    let all = std::mem::take(properties.as_object_mut().unwrap());
    let new = all.into_iter().flat_map(|(key, value)| {
        let is_it = key == alias;
        let own = (!is_it || keep).then(|| (key, value.clone()));
        own.into_iter()
            .chain(is_it.then(|| (name.clone(), value)))
            .collect::<Vec<_>>()
    });
    *properties = new.collect::<Map<_, _>>().into();
}

/// Adds an operation that pages, as its parameters and its response suggest.
fn additive(document: &mut Value) {
    let path = path_of(&operation_with("x-pagination"));
    let mut item = document["paths"][&path].clone();
    for operation in item.as_object_mut().unwrap().values_mut() {
        operation["operationId"] = "playedOperation".into();
        for name in ["limit", "offset"] {
            let schema = json!({"type": "integer", "minimum": 0});
            let parameter = json!({"name": name, "in": "query", "schema": schema});
            let all = operation["parameters"].as_array_mut().unwrap();
            all.push(parameter);
        }
    }
    document["paths"][format!("{path}/played")] = item;
}

fn without_an_operation(document: &mut Value) {
    let path = path_of(&operation_with("x-pagination"));
    document["paths"]
        .as_object_mut()
        .unwrap()
        .shift_remove(&path);
}

/// Removes an operation with all schemas that only it leads to.
fn without_an_operation_and_its_schemas(document: &mut Value) {
    let before = reached(document);
    without_an_operation(document);
    let after = reached(document);
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    schemas.retain(|name, _| !before.contains(name) || after.contains(name));
}

fn with_other_words(document: &mut Value) {
    document["info"]["description"] = "Other words.".into();
}

fn with_another_prefix(document: &mut Value) {
    rewritten(document, PREFIX, 1).unwrap();
}

fn with_other_schemas(document: &mut Value) {
    *document = with_other_names(Inputs::committed());
}

fn in_another_format(_: &mut Value) {}

/// Writes the document as a framework does that derives it from code: ids from paths, a title everywhere, null wherever nothing is required.
fn exported(document: &mut Value) {
    let exported = |key: &str, value: &mut Value| {
        let required = value.get("required").cloned().unwrap_or_default();
        let Some(object) = value.as_object_mut() else {
            return;
        };
        if let Some(Value::Object(properties)) = object.get_mut("properties") {
            let is_required = |name: &str| {
                let mut all = required.as_array().into_iter().flatten();
                all.any(|one| one == name)
            };
            for (name, schema) in properties {
                if !is_required(name) && schema.get("anyOf").is_none() {
                    *schema = json!({"anyOf": [schema.clone(), {"type": "null"}], "title": name});
                }
            }
        }
        if key == "schema" && object.get("$ref").is_none() {
            object.insert("title".to_owned(), "A title".into());
        }
        if object.contains_key("in") && object.contains_key("schema") {
            object.entry("required").or_insert(false.into());
        }
        if object.get("nullable").is_some() {
            object.shift_remove("nullable");
            if object.get("enum") == Some(&json!([null])) {
                object.insert("type".to_owned(), "null".into());
            }
        }
    };
    everywhere(document, &exported, "");
    document["openapi"] = "3.1.0".into();
    let security = document.as_object_mut().unwrap().shift_remove("security");
    for (path, item) in document["paths"].as_object_mut().unwrap() {
        let item = item.as_object_mut().unwrap().iter_mut();
        for (method, operation) in item {
            if let Some(security) = &security {
                operation["security"] = security.clone();
            }
            operation["operationId"] =
                format!("{method}{}", path.replace(['/', '{', '}'], "_")).into();
        }
    }
}

/// Updates a copy of the committed crate to a document, after another command. Returns the copy, and what the update says.
fn play(edit: Edit, accept: bool, command: fn(&Workspace)) -> (Workspace, String) {
    let workspace = Workspace::committed();
    let shown = play_in(&workspace, edit, accept, command);
    (workspace, shown)
}

/// Does the same in a workspace.
pub(super) fn play_in(
    workspace: &Workspace,
    edit: Edit,
    accept: bool,
    command: fn(&Workspace),
) -> String {
    let mut document = Inputs::committed().published.value.clone();
    edit(&mut document);
    let text = serde_json::to_string_pretty(&document).unwrap();
    workspace.write("new.json", &text);
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["add", "."]);
    let update = Options {
        document: "new.json".to_owned(),
        name: "new.json".to_owned(),
        accept,
        ..options()
    };
    command(workspace);
    let (updated, stop) = run(workspace, &update);
    assert_eq!(stop, None);
    let (fresh, shown) = workspace.regen(true);
    assert!(fresh, "{shown}");
    workspace.git(&["add", "."]);
    let (again, stop) = run(workspace, &update);
    assert_eq!(
        (again.contains("is unchanged"), stop),
        (true, None),
        "{again}"
    );
    updated
}

/// An update as providers publish it.
struct Case {
    kind: &'static str,
    edit: Edit,
    accept: bool,
    /// The name of the snapshot of its pull request, if reviewers read that.
    text: Option<&'static str>,
}

const CASES: [Case; 10] = [
    Case::of("a new operation that is paged", additive).read("additive"),
    Case::of(
        "the export of a framework: 3.1, other ids, titles and null everywhere",
        exported,
    )
    .accepted()
    .read("exported"),
    Case::of(
        "a property gets the name that an override has for it",
        |document| renamed(document, false),
    )
    .read("renamed"),
    Case::of("a property of that name beside the other", |document| {
        renamed(document, true)
    }),
    Case::of("an operation is gone", without_an_operation),
    Case::of(
        "an operation is gone with its schemas",
        without_an_operation_and_its_schemas,
    )
    .read("gone"),
    Case::of("all components have other names", with_other_schemas)
        .accepted()
        .read("other_schemas"),
    Case::of("all paths have another prefix", with_another_prefix).read("prefix"),
    Case::of("another description", with_other_words),
    Case::of("another format", in_another_format),
];

impl Case {
    const fn of(kind: &'static str, edit: Edit) -> Self {
        Self {
            kind,
            edit,
            accept: false,
            text: None,
        }
    }

    /// A person accepts what is likely.
    const fn accepted(mut self) -> Self {
        self.accept = true;
        self
    }

    const fn read(mut self, text: &'static str) -> Self {
        self.text = Some(text);
        self
    }

    /// Plays it. Returns its row of the table.
    fn row(&self) -> String {
        let (_, shown) = play(self.edit, self.accept, |_| {});
        let at = shown.find("# Update to interface").unwrap_or(shown.len());
        let (_, text) = shown.split_at(at);
        let (text, _) = text.split_once("\n**Wire: ").unwrap_or_default();
        if let Some(name) = self.text {
            insta::assert_snapshot!(format!("pull_request_{name}"), text);
        }
        let (_, assumed) = text
            .split_once("- **Assumed:** ")
            .unwrap_or(("", "nothing"));
        let (assumed, _) = assumed.split_once('\n').unwrap_or((assumed, ""));
        let assumptions = match assumed.split_once(", such as") {
            _ if assumed == "nothing" => "0",
            Some((number, _)) => number,
            None => "1",
        };
        let version = text.lines().find(|line| line.starts_with("The package "));
        let (_, step) = version
            .unwrap_or_default()
            .rsplit_once(": ")
            .unwrap_or(("", "no new one."));
        let accept = if self.accept { " --accept" } else { "" };
        let kind = self.kind;
        format!(
            "| {kind} | `update{accept}` | {assumptions} | {} |\n",
            step.trim_end_matches('.')
        )
    }
}

#[test]
fn each_update_is_one_command_as_the_table_says() {
    let rows: Vec<String> = std::thread::scope(|scope| {
        let plays: Vec<_> = CASES
            .iter()
            .map(|case| scope.spawn(|| case.row()))
            .collect();
        plays.into_iter().map(|play| play.join().unwrap()).collect()
    });
    let page = "../../CONTRIBUTING.md";
    let text = reviewed_facts::read(page);
    let (before, rest) = text.split_once("| --- | --- | --- | --- |\n").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let table = rows.concat();
    let now = format!("{before}| --- | --- | --- | --- |\n{table}\n{after}");
    reviewed_facts::assert_reviewed(page, Some(&now));
}

/// The gate builds the client of an export; `PLAYED` has the kind of another case, or a part of its name.
#[test]
#[ignore = "builds the client: the gate does"]
fn the_client_of_each_update_builds_and_its_tests_pass() {
    let Ok(kind) = std::env::var("PLAYED") else {
        return built::build(exported, true);
    };
    let mut chosen = CASES
        .iter()
        .filter(|case| case.kind.contains(&kind))
        .peekable();
    assert!(chosen.peek().is_some(), "no case is about {kind}");
    for case in chosen {
        built::build(case.edit, case.accept);
    }
}

#[test]
fn an_operation_of_an_override_needs_the_key_that_all_others_need() {
    let inputs = Inputs::committed();
    let mut document = inputs.published.value.clone();
    exported(&mut document);
    let (new, rebase) = moved(inputs, &document);
    let judged = judge(&new, &rebase.set);
    pointer::walk(&judged.document["paths"], "", &mut |at, value| {
        if value.get("operationId").is_some() && value.get("responses").is_some() {
            assert!(value.get("security").is_some(), "{at}");
        }
    });
}

#[test]
fn overrides_that_were_rebased_first_leave_nothing_to_do() {
    play(exported, true, |workspace| {
        let rebase = RebaseOptions {
            document: "new.json".to_owned(),
            accept: true,
            dry_run: false,
            verbose: false,
        };
        overrides::rebase(&workspace.layout(), &rebase, &mut Vec::new()).unwrap();
        workspace.git(&["add", "."]);
    });
}
