//! Tests of corrections that the new document includes: their overrides are removed, with their additional names.

use openapi_overrides::{OverrideSet, Verdict};
use openapi_rebase::rebase;

use super::{DOCUMENT, file, followed, source};
use crate::support::Workspace;

const RENAMES: &str = "  - target: $.components.schemas.Thing.properties
    x-expect: {sort: null}
    update: {sort: {$ref: '#/components/schemas/Kind', description: Its kind., x-aliases: [kind]}}
  - target: $.components.schemas.Thing.properties.kind
    x-expect: {$ref: '#/components/schemas/Kind'}
    remove: true
";

/// Returns the ids of the removed overrides, given one in this family with these actions.
fn gone(family: &str, actions: &str, new: &str) -> Vec<String> {
    let path = format!("overrides/{family}/one.yaml");
    let workspace = Workspace::with(DOCUMENT).file(&path, &file(actions));
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let rebase = rebase(&source(DOCUMENT), &source(new), &set, true).unwrap();
    let gone = rebase.superfluous.iter();
    gone.map(|one| one.id.clone()).collect()
}

#[test]
fn a_correction_goes_when_words_and_old_names_are_all_that_is_left() {
    let new = DOCUMENT.replace("        kind:", "        sort:");
    assert_eq!(gone("upstream", RENAMES, &new), ["one"]);
    // An override corrects only what the document once stated.
    assert_eq!(gone("assumed", RENAMES, &new), [""; 0]);
    // A type of the crate is more than documentation.
    let typed = RENAMES.replace("x-aliases: [kind]", "x-rust-type: Loose, x-aliases: [kind]");
    assert_eq!(gone("upstream", &typed, &new), [""; 0]);
    // Half of a correction is not enough.
    let both = DOCUMENT.replace(
        "        kind:",
        "        sort: {type: boolean}\n        kind:",
    );
    assert_eq!(gone("upstream", RENAMES, &both), [""; 0]);
    assert_eq!(gone("upstream", RENAMES, DOCUMENT), [""; 0]);
    // Names alone are not enough: they are the only content of such an override.
    let names = "  - target: $.components.schemas.Thing.properties.name
    x-expect: {x-aliases: null}
    update: {x-aliases: [title]}
";
    let worded = DOCUMENT.replace("Its name.", "A name.");
    assert_eq!(gone("upstream", names, &worded), [""; 0]);
}

#[test]
fn a_document_that_says_nothing_does_not_say_what_an_override_does() {
    let actions = "  - target: $.components.schemas.Thing.properties.name.type
    x-expect: string
    remove: true
  - target: $.components.schemas.Thing.properties.name
    x-expect: {description: Its name.}
    update: {description: A name.}
";
    let new = DOCUMENT.replace("name: {type: string, ", "name: {");
    assert_eq!(gone("upstream", actions, &new), ["one"]);
    let (before, after) = new.split_once("    Thing:").unwrap();
    let (_, kind) = after.split_once("    Kind:").unwrap();
    let empty = format!("{before}    Thing: {{}}\n    Kind:{kind}");
    assert_eq!(gone("upstream", actions, &empty), [""; 0]);
}

#[test]
fn a_list_that_is_published_as_the_override_replaces_it_leaves_nothing_to_do() {
    let actions = "  - target: $.components.schemas.Kind.enum
    x-expect: [a, b]
    remove: true
  - target: $.components.schemas.Kind
    x-expect: {enum: [a, b]}
    update: {enum: [A, B], x-aliases: {A: [a], B: [b]}}
";
    let new = DOCUMENT.replace("enum: [a, b]", "enum: [A, B]");
    assert_eq!(gone("upstream", actions, &new), ["one"]);
    assert_eq!(gone("upstream", actions, DOCUMENT), [""; 0]);
    let half = DOCUMENT.replace("enum: [a, b]", "enum: [A, b]");
    assert_eq!(gone("upstream", actions, &half), [""; 0]);
}

#[test]
fn a_reference_for_the_generator_that_is_written_out_leaves_nothing_to_do() {
    let reference = "kind: {$ref: '#/components/schemas/Kind'}";
    let inline = "{type: string, enum: [a, b]}";
    let old = DOCUMENT.replace(
        reference,
        &format!("kind: {inline}\n        sort: {{$ref: '#/components/schemas/Kind'}}"),
    );
    let actions = |more: &str| {
        format!(
            "  - target: $.components.schemas.Thing.properties.kind
    x-expect: {{enum: [a, b]}}
    remove: true
  - target: $.components.schemas.Thing.properties
    x-expect: {{kind: {{allOf: null}}}}
    update: {{kind: {{{more}allOf: [{{$ref: '#/components/schemas/Kind'}}]}}}}
"
        )
    };
    let left = |family: &str, more: &str, new: &str| {
        let path = format!("overrides/{family}/one.yaml");
        let workspace = Workspace::with(&old).file(&path, &file(&actions(more)));
        let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
        let rebase = rebase(&source(&old), &source(new), &set, true).unwrap();
        rebase.superfluous.len()
    };
    let new = old.replace(
        "sort: {$ref: '#/components/schemas/Kind'}",
        &format!("sort: {inline}"),
    );
    let (new, _) = new.split_once("    Kind:").unwrap();
    assert_eq!(left("generator", "", new), 1);
    // The reference removed a keyword that the document adds.
    let more = new.replace("kind: {type: string,", "kind: {type: string, minLength: 1,");
    assert_ne!(more, new);
    assert_eq!(left("generator", "", &more), 0);
    // The reference provides a name.
    let worded = old.replace("One thing.", "A thing.");
    assert_eq!(left("generator", "", &worded), 0);
    // Null, or an extension, is an addition.
    assert_eq!(left("generator", "nullable: true, ", new), 0);
    assert_eq!(left("generator", "x-rust-name: sort, ", new), 0);
    assert_eq!(left("assumed", "", new), 0);
}

#[test]
fn a_reference_that_the_document_says_in_a_wrapper_of_its_own_is_not_said_twice() {
    let actions = "  - target: $.components.schemas.Thing.properties
    x-expect: {sort: null}
    update: {sort: {allOf: [{$ref: '#/components/schemas/Kind'}], x-rust-type: Loose}}
";
    let kind = "        kind:";
    for wrapper in ["oneOf", "allOf"] {
        let sort = format!(
            "        sort: {{{wrapper}: [{{$ref: '#/components/schemas/Kind'}}], description: Its sort.}}"
        );
        let new = DOCUMENT.replace(kind, &format!("{sort}\n{kind}"));
        let (_, verdict, document) = followed(actions, &new);
        assert_eq!(verdict, Verdict::Applied, "{wrapper}");
        let sort = document.pointer("/components/schemas/Thing/properties/sort");
        let sort = sort.and_then(serde_json::Value::as_object).unwrap();
        let keywords: Vec<&String> = sort.keys().collect();
        assert_eq!(keywords, [wrapper, "description", "x-rust-type"]);
        assert_eq!(sort[wrapper].as_array().unwrap().len(), 1);
    }
}

#[test]
fn a_reference_or_null_that_is_written_out_leaves_nothing_to_do() {
    let with = |sort: &str| {
        let kind = "kind: {$ref: '#/components/schemas/Kind'}";
        let inline = "kind: {type: string, nullable: true, enum: [a, b]}";
        DOCUMENT.replace(kind, &format!("{inline}\n        sort: {sort}"))
    };
    let old = with("{$ref: '#/components/schemas/Kind'}");
    let new = with("{type: string, enum: [a, b]}");
    let (new, _) = new.split_once("    Kind:").unwrap();
    for null in [
        "{type: string, nullable: true, enum: [null]}",
        "{enum: [null]}",
    ] {
        let actions = format!(
            "  - target: $.components.schemas.Thing.properties.kind
    x-expect: {{enum: [a, b]}}
    remove: true
  - target: $.components.schemas.Thing.properties
    x-expect: {{kind: {{anyOf: null}}}}
    update: {{kind: {{anyOf: [{{$ref: '#/components/schemas/Kind'}}, {null}]}}}}
"
        );
        let workspace = Workspace::with(&old).file("overrides/generator/one.yaml", &file(&actions));
        let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
        let rebase = rebase(&source(&old), &source(new), &set, true).unwrap();
        assert_eq!(rebase.superfluous.len(), 1, "{null}: {:#?}", rebase.files);
    }
}
