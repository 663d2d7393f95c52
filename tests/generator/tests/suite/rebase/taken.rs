//! Tests of names that callers know, and that the new document gives to other components.

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, rebase, reconcile};

use super::{DOCUMENT, set, source};

#[test]
fn a_schema_that_says_more_than_a_component_does_not_have_its_name() {
    let (before, _) = DOCUMENT.split_once("        kind:").unwrap();
    let with = |names: [&str; 2], components: &str| {
        let [kind, sort] = names.map(|name| format!("{{$ref: '#/components/schemas/{name}'}}"));
        source(&format!(
            "{before}        kind: {kind}\n        sort: {sort}\n        code: {{description: Its code.}}\n{components}"
        ))
    };
    let old = with(
        ["Kind", "Sort"],
        "    Kind: {type: object, properties: {a: {type: string}}}\n    Sort: {type: object, properties: {b: {type: string}}}\n",
    );
    let new = with(["Code", "Code"], "    Code: {}\n");
    let set = set("  - target: $.components.schemas.Thing.properties.code
    x-expect: {allOf: null}
    update: {allOf: [{$ref: '#/components/schemas/Kind'}]}
");
    let rebase = rebase(&old, &new, &set, true).unwrap();
    let reconciled = reconcile(&new, &rebase.set).unwrap();
    let model = openapi_model::read(&reconciled.source).unwrap();
    let rules: Vec<&str> = model.warnings.iter().map(|one| one.rule).collect();
    assert!(!rules.contains(&"type-name"), "{:#?}", rebase.files);
    let names = model.schemas.iter().map(|one| one.name.as_str());
    assert!(names.filter(|name| *name == "Kind").count() <= 1);
}

#[test]
fn a_name_that_an_earlier_rebase_gave_to_several_places_is_not_given_again() {
    let (before, _) = DOCUMENT.split_once("        kind:").unwrap();
    let with = |kind: &str, component: &str| {
        let places = format!("        kind: {kind}\n        sort: {kind}\n");
        source(&format!("{before}{places}{component}"))
    };
    let kind = "{type: string, enum: [a, b]}";
    let component = format!("    Kind: {kind}\n");
    let old = with("{$ref: '#/components/schemas/Kind'}", &component);
    let new = with(kind, "");
    let first = rebase(&old, &new, &OverrideSet::default(), true).unwrap();
    assert_eq!(first.kept, ["Kind"]);
    let again = rebase(&old, &new, &first.set, true).unwrap();
    assert_eq!((again.kept, again.files), (vec![], vec![]));
}

/// Two operations of one id would share a budget, and callers know the one that had it.
#[test]
fn an_operation_keeps_its_id_where_its_method_has_the_same_name() {
    let with = |id: &str| {
        let id = format!("operationId: {id}\n");
        source(&DOCUMENT.replace("operationId: thing\n", &id))
    };
    let named = |name: &str| format!("      x-rust-name: \"{name}\"\n");
    let kept = |id: &str| format!("      x-operation-id: \"{id}\"\n");
    for (old, new, written) in [
        ("oneThing", "one_thing", vec![kept("oneThing")]),
        ("oneThing", "OneThing", vec![kept("oneThing")]),
        ("oneThing", "another", vec![named("oneThing")]),
        ("oneThing", "oneThing", vec![]),
    ] {
        let rebase = rebase(&with(old), &with(new), &OverrideSet::default(), true).unwrap();
        let overrides = rebase.set.overrides.iter();
        let text: String = overrides.map(|one| &*one.source.text).collect();
        let update = text.split("    update:\n").skip(1);
        let update: Vec<&str> = update.map(|one| &one[..=one.find('\n').unwrap()]).collect();
        assert_eq!(update, written, "{old} to {new}: {text}");
        // A second update has nothing to add: the override is what callers know.
        let again = openapi_overrides::rebase(&with(new), &with(new), &rebase.set, true).unwrap();
        assert_eq!(again.kept, [""; 0], "{old} to {new}");
    }
}

#[test]
fn a_new_operation_does_not_get_the_name_of_an_earlier_one() {
    let mine = "  /v1/mine: {post: {operationId: thing, responses: {'200': {description: Done.}}}}\ncomponents:";
    let new = DOCUMENT.replace("components:", mine);
    let new = source(&new.replacen("operationId: thing", "operationId: one_thing", 1));
    let none = OverrideSet::default();
    let first = rebase(&source(DOCUMENT), &new, &none, true).unwrap();
    // What is said is what callers know.
    assert_eq!(first.kept, ["thing"]);
    let names = |set: &OverrideSet| {
        let reconciled = reconcile(&new, set).unwrap();
        let model = openapi_model::read(&reconciled.source).unwrap();
        assert_eq!(model.warnings.len(), 0);
        let operations = model.operations.iter();
        let names = operations.map(|one| format!("{} {}", one.path, one.known_as));
        names.collect::<Vec<_>>()
    };
    let [earlier, added] = ["/v1/things/{id} thing", "/v1/mine post_v1_mine"];
    assert_eq!(names(&first.set), [earlier, added]);
    // Nor in the documents after that.
    let again = rebase(&new, &new, &first.set, true).unwrap();
    assert_eq!(names(&again.set), [earlier, added]);
}

#[test]
fn a_handle_keeps_its_name_where_its_tag_has_another() {
    let with = |tags: [&str; 2], described: &str| {
        let tagged = |tag: &str, id: &str| {
            format!(
                "get: {{operationId: {id}, tags: [{tag}], responses: {{'200': {{description: Done.}}}}}}"
            )
        };
        let [one, two] = [tagged(tags[0], "one"), tagged(tags[1], "two")];
        source(&format!(
            "openapi: 3.0.3\ninfo: {{title: Small, version: '1', x-rust-package: {{handles: tags}}}}\n{described}paths:\n  \
             /one: {{{one}}}\n  /two: {{{two}}}\n"
        ))
    };
    let handles = |new: &Source, set: &OverrideSet| {
        let reconciled = reconcile(new, set).unwrap();
        let handles = openapi_model::read(&reconciled.source).unwrap().handles;
        handles.into_iter().map(|one| one.name).collect::<Vec<_>>()
    };
    let none = OverrideSet::default();
    let old = with(["Things", "Kinds"], "");
    for described in ["", "tags: [{name: Objects}]\n", "tags: [{name: Kinds}]\n"] {
        let new = with(["Objects", "Kinds"], described);
        let first = rebase(&old, &new, &none, true).unwrap();
        assert_eq!(first.kept, ["Things"]);
        assert_eq!(handles(&new, &first.set), ["kinds", "things"]);
        // Nor is it lost or given to another tag in the documents after that.
        for described in [described, "tags: [{name: Kinds}, {name: Objects}]\n"] {
            let next = with(["Objects", "Kinds"], described);
            let again = rebase(&new, &next, &first.set, true).unwrap();
            assert_eq!(again.decisions, []);
            assert_eq!(handles(&next, &again.set), ["kinds", "things"]);
        }
    }
    // A tag of several earlier ones, of one that is still there, and one that differs in its spelling alone.
    for tags in [
        ["Objects", "Objects"],
        ["Kinds", "Kinds"],
        ["things", "Kinds"],
    ] {
        let rebase = rebase(&old, &with(tags, ""), &none, true).unwrap();
        assert_eq!(rebase.kept, [""; 0], "{tags:?}");
    }
}

#[test]
fn operations_of_one_id_keep_the_names_that_their_paths_gave_them() {
    let with = |ids: [&str; 2]| {
        let [keys, users] = ids.map(|id| {
            format!(
                "{{delete: {{operationId: {id}, responses: {{'204': {{description: Gone.}}}}}}}}"
            )
        });
        source(&format!(
            "openapi: 3.0.3\ninfo: {{title: Small, version: '1'}}\npaths:\n  /keys: {keys}\n  /users: {users}\n"
        ))
    };
    let names = |document: &Source, set: &OverrideSet| {
        let reconciled = reconcile(document, set).unwrap();
        let model = openapi_model::read(&reconciled.source).unwrap();
        let operations = model.operations.iter();
        let names = operations.map(|one| format!("{} {}", one.rust_name, one.known_as));
        names.collect::<Vec<_>>()
    };
    let (old, none) = (with(["delete", "delete"]), OverrideSet::default());
    let before = names(&old, &none);
    assert_eq!(before, ["delete delete", "delete_users delete_users"]);
    for ids in [["delete_key", "delete_user"], ["delete_users", "delete"]] {
        let new = with(ids);
        let rebase = rebase(&old, &new, &none, true).unwrap();
        assert_eq!(names(&new, &rebase.set), before, "{ids:?}");
    }
}
