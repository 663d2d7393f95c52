//! Decisions of a person: all of them are there at once, and the printed command answers one.

use openapi_crate::commands::overrides;

use super::*;

/// The schema has another name, and a property of another type than the override adds.
fn undecided() -> String {
    DOCUMENT
        .replace("schemas/Things", "schemas/Stuff")
        .replace("    Things:", "    Stuff:")
        .replace("name: {type", "size: {type: string}\n        name: {type")
}

#[test]
fn the_printed_command_moves_an_override_and_guards_it() {
    let workspace = workspace(&undecided());
    for accept in [false, true] {
        let options = Options {
            accept,
            ..options()
        };
        let (shown, stop) = refused(&workspace, &options);
        let text = format!("{shown}{stop}");
        let command = format!("`openapi-crate overrides guard size --document {NEW}`");
        assert!(text.contains(&command), "{text}");
    }
    let ids = ["size".to_owned()];
    let mut out = Vec::new();
    overrides::guard(&workspace.layout(), &ids, Some(NEW), &mut out).unwrap();
    let shown = String::from_utf8(out).unwrap();
    assert_eq!(shown, "     Guarded overrides/assumed/size.yaml\n");
    let text = workspace.read("overrides/assumed/size.yaml");
    assert!(text.contains("schemas.Stuff.properties"), "{text}");
    assert!(text.contains("type: string"), "{text}");
    workspace.git(&["add", "."]);
    done(&workspace, &options());
    assert!(workspace.regen(true).0);
}

#[test]
fn an_override_that_an_update_deletes_has_no_guard() {
    let stuff = "paths:\n  /stuff:\n    get:\n      operationId: stuff\n      responses: {'204': {description: No stuff.}}";
    let workspace = workspace(DOCUMENT);
    workspace.write("spec/openapi.yaml", &DOCUMENT.replace("paths:", stuff));
    let path = "overrides/assumed/size.yaml";
    let about_stuff = SIZE.replace(
        "$.components.schemas.Things.properties",
        "$.paths['/stuff'].get",
    );
    workspace.write(path, &about_stuff.replace("size:", "summary:"));
    let ids = ["size".to_owned()];
    let stop = overrides::guard(&workspace.layout(), &ids, Some(NEW), &mut Vec::new());
    let message = stop.unwrap_err().to_string();
    let expected =
        format!("an update deletes {path}: the document no longer has or uses what it is about");
    assert_eq!(message, expected);
}
