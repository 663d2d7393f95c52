//! Snapshots for a quick review: the table of overrides, a reconciled fragment, one type, one operation.

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

#[test]
fn reconciled_mention_and_search() {
    let reconciled = Inputs::committed().reconciled();
    let code = client_generator::generate::code(&reconciled.source, &reconciled.report).unwrap();
    let at = |pointer: &str| reconciled.value().pointer(pointer).unwrap();
    let mention = code.model.schema("CompanyMention").unwrap();
    let mut operations = code.model.operations.iter();
    let search = operations.find(|one| one.rust_name == "company_search");
    let fragment = serde_json::json!({
        "CompanyMention": at(&mention.pointer),
        "company_search": at(&search.unwrap().pointer),
    });
    insta::assert_snapshot!(serde_yaml::to_string(&fragment).unwrap());
}

/// Returns a generated file from the first occurrence of `from` to the end of the next occurrence of `to`.
fn excerpt(file: &str, from: &str, to: &str) -> String {
    let tree = Inputs::committed().tree();
    between(tree.get(file).unwrap(), from, to).to_owned()
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(from).unwrap();
    let end = start + text[start..].find(to).unwrap() + to.len();
    &text[start..end]
}

/// Returns the generated type that begins with `from`, including its documentation of any length.
fn documented(file: &str, from: &str) -> String {
    let tree = Inputs::committed().tree();
    let above = tree.get(file).unwrap().split(from).next().unwrap().len();
    let text = &tree.get(file).unwrap()[..above];
    let start = text.rfind("\n\n").unwrap() + 2;
    format!("{}{}", &text[start..], excerpt(file, from, "\n}\n"))
}

#[test]
fn emitted_type_with_two_names_for_a_field() {
    let public = documented("src/types.rs", "pub struct CompanyMention {");
    let read = excerpt("src/types.rs", "wire::object!(CompanyMention {", ";\n");
    insta::assert_snapshot!(format!("{public}\n{read}"));
}

#[test]
fn emitted_operation() {
    let file = "src/operations.rs";
    let sent = "self.client.send(self.request()).await\n    }\n";
    insta::assert_snapshot!(excerpt(file, "static EMPLOYEE_REVIEWS", sent));
}

#[test]
fn emitted_pages() {
    let tree = Inputs::committed().tree();
    let builder = builder(tree.get("src/operations.rs").unwrap(), "PRODUCT_REVIEWS");
    insta::assert_snapshot!(between(builder, "generated_client::paged!", "\n}\n"));
}

#[test]
fn emitted_waiting() {
    let told = excerpt("src/operations.rs", "    /// Polls until", "\n}\n");
    let submitted = excerpt(
        "src/operations.rs",
        "impl types::AddCompanyResponse",
        "\n}\n",
    );
    insta::assert_snapshot!(format!("{told}\n{submitted}"));
}
