//! Snapshots for a quick review: the table of overrides, a reconciled fragment, one type, one operation.

use serde_json::{Map, Value};

use crate::support::{Inputs, builder};

#[test]
fn table_of_overrides() {
    let reconciled = Inputs::committed().reconciled();
    let table: String = reconciled
        .report
        .applied
        .iter()
        .map(|applied| {
            format!(
                "{:<10} {:<26} {:>2} places  {}\n",
                applied.by.family.folder(),
                applied.by.id,
                applied.changes.len(),
                applied.by.overlay.title
            )
        })
        .collect();
    insta::assert_snapshot!(table);
}

/// Returns the name of a small type with a property that has two names, and its schema; `None` if no property has.
fn with_two_names() -> Option<(String, &'static Value)> {
    let inputs = Inputs::committed();
    let document = inputs.reconciled().value();
    let types = inputs.types().into_iter();
    let schemas = types.filter_map(|(name, at)| Some((name, document.pointer(&at)?)));
    let found = schemas.filter(|(_, schema)| {
        let mut properties = schema["properties"].as_object().into_iter().flatten();
        properties.any(|(_, property)| property["x-aliases"].is_array())
    });
    found.min_by_key(|(_, schema)| schema.to_string().len())
}

#[test]
fn reconciled_mention_and_search() {
    let reconciled = Inputs::committed().reconciled();
    let mut operations = Inputs::committed().model().operations.iter();
    let search = operations.find(|one| one.rust_name == "company_search");
    let search = reconciled.value().pointer(&search.unwrap().pointer);
    let mut fragment = Map::new();
    fragment.extend(with_two_names().map(|(name, schema)| (name, schema.clone())));
    fragment.insert("company_search".to_owned(), search.unwrap().clone());
    insta::assert_snapshot!(serde_yaml::to_string(&fragment).unwrap());
}

/// Returns the generated code from the first occurrence of `from` to the end of the next occurrence of `to`. Operations with tags have several
/// files.
fn excerpt(from: &str, to: &str) -> String {
    between(file_with(from), from, to).to_owned()
}

fn file_with(text: &str) -> &'static str {
    let mut files = Inputs::committed().tree().iter();
    let found = files.find(|(path, content)| path.ends_with(".rs") && content.contains(text));
    found.unwrap().1
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(from).unwrap();
    let end = start + text[start..].find(to).unwrap() + to.len();
    &text[start..end]
}

/// Returns the generated type that begins with `from`, including its documentation of any length.
fn documented(from: &str) -> String {
    let above = file_with(from).split(from).next().unwrap();
    let start = above.rfind("\n\n").unwrap() + 2;
    format!("{}{}", &above[start..], excerpt(from, "\n}\n"))
}

#[test]
fn emitted_type_with_two_names_for_a_field() {
    let Some((name, _)) = with_two_names() else {
        return;
    };
    let public = documented(&format!("pub struct {name} {{"));
    let read = excerpt(&format!("wire::object!({name} {{"), ";\n");
    insta::assert_snapshot!(format!("{public}\n{read}"));
}

#[test]
fn emitted_operation() {
    insta::assert_snapshot!(excerpt("static JOB_POSTS", "        request\n    }\n}\n"));
}

#[test]
fn emitted_pages() {
    let builder = builder(file_with("static JOB_POSTS: "), "JOB_POSTS");
    insta::assert_snapshot!(between(builder, "generated_client::paged!", "\n}\n"));
}

#[test]
fn emitted_waiting() {
    let told = excerpt("    /// Polls until", "\n}\n");
    let submitted = excerpt("impl types::AddCompanyResponse", "\n}\n");
    insta::assert_snapshot!(format!("{told}\n{submitted}"));
}
