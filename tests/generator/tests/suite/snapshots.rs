//! What a reviewer reads in a minute: the table of overrides, a reconciled fragment, one type, one operation.

use crate::support::Inputs;

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
    let fragment = serde_json::json!({
        "CompanyMention": reconciled.value()["components"]["schemas"]["CompanyMention"],
        "companySearch": reconciled.value()["paths"]["/v1/company/search"]["get"],
    });
    insta::assert_snapshot!(serde_yaml::to_string(&fragment).unwrap());
}

/// The items of a generated file from the line that starts with `from` to the next line that starts with `to`.
fn excerpt(file: &str, from: &str, to: &str) -> String {
    let tree = Inputs::committed().tree();
    let text = tree.get(file).unwrap();
    let start = text.find(from).unwrap();
    let end = text[start..].find(to).map_or(text.len(), |end| start + end);
    text[start..end].to_owned()
}

#[test]
fn emitted_type_with_two_names_for_a_field() {
    let public = excerpt("src/types.rs", "/// A company that an article mentions", "/// ");
    let all = excerpt("src/types.rs", "pub struct CompanyMention", "impl ");
    let twin = excerpt("src/types.rs", "    pub(super) struct CompanyMentionWire", "\n    #[derive");
    insta::assert_snapshot!(format!("{}\n…\n{all}\n…\n{twin}", public.lines().next().unwrap_or_default()));
}

#[test]
fn emitted_operation() {
    insta::assert_snapshot!(excerpt("src/operations/employee_reviews.rs", "use ", "\u{0}"));
}
