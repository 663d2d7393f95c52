//! A renamed charge in the new document: nothing is updated before a person has seen it.

use super::*;

const CREDITS: &str = r#"overlay: 1.1.0
info: {title: Credits are exact, version: 1.0.0}
x-override: {published: A number., observed: It has to be exact., reference: "1", retire-when: Never.}
actions:
  - target: $.components.schemas[*].properties.cost
    x-expect:
      x-rust-type: null
    update:
      x-rust-type: Credits
"#;

#[test]
fn a_charge_with_another_name_stops_the_update_and_names_the_override() {
    // The override would select the charge of another schema.
    let other = "    Other: {type: object, properties: {cost: {type: number}}}\n";
    let old = with_property("cost: {type: number}") + other;
    let new = with_property("spent: {type: number}") + other;
    let workspace = workspace(&new)
        .file("spec/openapi.yaml", &old)
        .file("overrides/generator/credits.yaml", CREDITS);
    stage(&workspace);
    let (_, stop) = refused(&workspace, &options());
    let [finding] = stop.findings() else {
        panic!("{stop}");
    };
    assert_eq!((finding.rule, finding.file.as_str()), ("charge", NEW));
    let what = "no longer reads the charge of 1 operation, which was `cost`";
    assert!(finding.message.contains(what), "{finding}");
    assert!(finding.message.contains("GET /things"), "{finding}");
    let help = &finding.help;
    assert!(help.contains("overrides/generator/credits.yaml"), "{help}");
    assert!(help.contains("--accept"), "{help}");

    let accept = Options {
        accept: true,
        ..options()
    };
    let shown = done(&workspace, &accept);
    assert!(
        shown.contains("Accepted the crate no longer reads the charge"),
        "{shown}"
    );
}

#[test]
fn a_member_that_is_taken_for_the_charge_is_one_for_a_person_to_see() {
    let workspace = workspace("")
        .file(
            "spec/openapi.yaml",
            &with_property("cost: {type: number, minimum: 0}"),
        )
        .file("overrides/generator/credits.yaml", CREDITS)
        .file(NEW, &with_property("spent: {type: number, minimum: 0}"));
    stage(&workspace);
    let (_, stop) = refused(&workspace, &options());
    let message = &stop.findings()[0].message;
    let what =
        "reads the charge of 1 operation from `spent` and no longer from `cost`: GET /things";
    assert!(message.contains(what), "{stop}");
}
