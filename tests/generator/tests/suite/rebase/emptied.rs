//! Tests of a new document that leaves schemas empty, or no longer requires credentials.

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Rebase, Verdict, judge, rebase};
use serde_json::{Value, json};

use super::nulls::DOCUMENT;
use super::source;

fn moved(old: &Source, new: &Source, accept: bool) -> Rebase {
    rebase(old, new, &OverrideSet::default(), accept).unwrap()
}

/// Returns the line of the screen that contains a string.
fn line(rebase: &Rebase, text: &str) -> Option<(&'static str, String)> {
    let mut lines = rebase.lines(false).into_iter();
    lines.find(|(_, line)| line.contains(text))
}

/// Returns the document with another schema of the property, and without the component if it is not used.
fn with(schema: &str) -> Source {
    let text = DOCUMENT.replace("{$ref: '#/components/schemas/Kind'}", schema);
    let kind = "    Kind: {type: string, enum: [a, b]}\n";
    source(&if schema.contains("Kind") {
        text
    } else {
        text.replace(kind, "")
    })
}

const KIND: &str = "#/components/schemas/Thing/properties/kind";

/// Checks that the property refers to the component, and that the empty schema is gone.
fn assert_kept(document: &Value, written: &str) {
    let kind = document.pointer(KIND.trim_start_matches('#'));
    let kind = kind.and_then(Value::as_object).unwrap();
    let kept = json!([{"$ref": "#/components/schemas/Kind"}]);
    assert_eq!(kind.get("allOf"), Some(&kept), "{written}");
    for gone in ["oneOf", "anyOf"] {
        assert_eq!(kind.get(gone), None, "{written}");
    }
}

#[test]
fn a_schema_that_is_empty_now_is_kept_where_a_person_accepts_it() {
    let old = source(DOCUMENT);
    for schema in [
        "{}",
        "{description: Its kind.}",
        "true",
        "{oneOf: [{}, {type: 'null'}]}",
        "{oneOf: [true, {type: 'null'}]}",
        "{anyOf: [{type: 'null'}, {}], title: Kind}",
    ] {
        let new = with(schema);
        let accepted = moved(&old, &new, true);
        let (verb, text) = line(&accepted, KIND).unwrap();
        assert_eq!(verb, "Kept", "{schema}");
        assert!(
            text.contains("overrides/assumed/what-schemas-said.yaml"),
            "{text}"
        );
        let judged = judge(&new, &accepted.set);
        let verdicts: Vec<Verdict> = judged.all.iter().map(|one| one.verdict).collect();
        assert_eq!(
            verdicts,
            [Verdict::Applied],
            "{schema} {:#?}",
            accepted.files
        );
        let schemas = &judged.document["components"]["schemas"];
        assert_eq!(
            schemas["Kind"],
            json!({"type": "string", "enum": ["a", "b"]}),
            "{schema}"
        );
        assert_kept(&judged.document, schema);

        let followed = moved(&old, &new, false);
        assert_eq!(line(&followed, KIND).unwrap().0, "Decide", "{schema}");
        assert_eq!(followed.emptied.kept_by, None);
    }
    for new in ["{type: string}", "{$ref: '#/components/schemas/Kind'}"] {
        let moved = moved(&old, &with(new), true);
        assert_eq!(moved.emptied.places, [""; 0], "{new}");
    }
}

#[test]
fn a_component_that_is_empty_now_has_what_it_said() {
    let old = source(DOCUMENT);
    for empty in ["{}", "true"] {
        let empty = format!("Kind: {empty}");
        let new = source(&DOCUMENT.replace("Kind: {type: string, enum: [a, b]}", &empty));
        let accepted = moved(&old, &new, true);
        let judged = judge(&new, &accepted.set);
        assert_eq!(judged.document, old.value, "{:?}", accepted.files);
    }
}

#[test]
fn null_stays_where_both_documents_allow_it() {
    let (old, new) = (
        with("{type: string, nullable: true}"),
        with("{nullable: true}"),
    );
    let accepted = moved(&old, &new, true);
    let (_, text) = &accepted.files[0];
    assert!(!text.contains("remove: true"), "{text}");
    let judged = judge(&new, &accepted.set);
    assert_eq!(judged.document, old.value);
}

#[test]
fn schemas_that_cannot_be_kept_are_named() {
    let kind = "    Kind: {type: string, enum: [a, b]}\n";
    let one =
        |name: &str, a: &str| format!("    {name}: {{type: object, properties: {{a: {a}}}}}\n");
    let two = one("Kind", "{type: string}") + &one("Sort", "{type: integer}");
    let sort = "        sort: {$ref: '#/components/schemas/Sort'}\n        size:";
    let old = source(&DOCUMENT.replace("        size:", sort).replace(kind, &two));
    let new = (old.text.replace(&two, &one("Code", "{}")))
        .replace("schemas/Kind", "schemas/Code")
        .replace("schemas/Sort", "schemas/Code");
    let accepted = moved(&old, &source(&new), true);
    assert_eq!(accepted.emptied.places, [""; 0]);
    let lost = ["Kind", "Sort"].map(|name| format!("/components/schemas/{name}/properties/a"));
    assert_eq!(accepted.emptied.lost, lost);
    let (verb, text) = line(&accepted, &lost[0]).unwrap();
    assert_eq!(verb, "Decide");
    assert!(text.contains("does not keep them"), "{text}");
}

#[test]
fn what_an_override_brings_is_kept_where_its_schema_is_empty_now() {
    let kind = "    Kind: {type: string, enum: [a, b]}\n";
    let both = format!("{kind}    Sort: {{type: integer}}\n");
    let sort = "        sort: {$ref: '#/components/schemas/Sort'}\n        size:";
    let old = source(&DOCUMENT.replace("        size:", sort).replace(kind, &both));
    let written = [
        "{description: Another., allOf: [{$ref: '#/components/schemas/Kind'}]}",
        "{$ref: '#/components/schemas/Kind'}",
        "{anyOf: [{$ref: '#/components/schemas/Kind'}, {type: 'null'}]}",
    ];
    for empty in ["Code: {}", "Code: true", ""] {
        let mut new = old.text.replace(&both, &format!("    {empty}\n"));
        for name in ["Kind", "Sort"] {
            let reference = format!("#/components/schemas/{name}");
            new = match empty {
                "" => new.replace(&format!("{{$ref: '{reference}'}}"), "{}"),
                _ => new.replace(&reference, "#/components/schemas/Code"),
            };
        }
        let new = source(&new);
        for written in written {
            let set = super::set(&format!(
                "  - target: $.components.schemas.Thing.properties\n    x-expect: {{other: null}}\n    update: {{other: {written}}}\n"
            ));
            let accepted = rebase(&old, &new, &set, true).unwrap();
            let judged = judge(&new, &accepted.set);
            let findings = judged.findings(&new);
            assert!(findings.is_empty(), "{empty} {written}: {findings:#?}");
            let schemas = &judged.document["components"]["schemas"];
            let other = schemas["Thing"]["properties"]["other"].to_string();
            let reference = "[{\"$ref\":\"#/components/schemas/Kind\"}";
            assert!(other.contains(reference), "{empty} {written}: {other}");
            assert_eq!(
                other.matches("$ref").count(),
                1,
                "{empty} {written}: {other}"
            );
            assert_eq!(
                schemas["Kind"],
                json!({"type": "string", "enum": ["a", "b"]})
            );
        }
    }
}

#[test]
fn an_override_inside_of_a_kept_schema_says_that_it_is_kept() {
    let old = source(super::DOCUMENT);
    let (before, _) = super::DOCUMENT.split_once("    Thing:\n").unwrap();
    let new = source(&format!(
        "{before}    Thing: {{}}\n    Kind: {{type: string, enum: [a, b]}}\n"
    ));
    let set = super::set(super::NAME);
    for (accept, expected) in [(true, 1), (false, 0)] {
        let moved = rebase(&old, &new, &set, accept).unwrap();
        let findings = judge(&new, &moved.set).findings(&new);
        let findings = moved.explained(findings, false);
        assert_eq!(findings.len(), 1);
        let said = "is empty now as this override made it";
        let notes = findings[0].notes.iter().filter(|note| note.contains(said));
        assert_eq!(notes.count(), expected, "{}", findings[0]);
        let kept = moved.files.iter().any(|(_, text)| text.contains("format"));
        assert_eq!(kept, accept);
    }
}

#[test]
fn null_that_goes_with_an_empty_component_is_not_counted() {
    let old = source(DOCUMENT);
    let kind = "Kind: {type: string, enum: [a, b]}";
    let new = source(&DOCUMENT.replace(kind, "Kind: {nullable: true}"));
    let accepted = moved(&old, &new, true);
    assert_eq!(accepted.nulls.places, [""; 0]);
    assert_eq!(judge(&new, &accepted.set).document, old.value);
    // Null stays allowed if the location itself allows it.
    let wrapped = "{anyOf: [{$ref: '#/components/schemas/Kind'}, {type: 'null'}]}";
    let new = source(&with(wrapped).text.replace(kind, "Kind: {}"));
    let accepted = moved(&old, &new, true);
    assert_eq!(accepted.nulls.places.len(), 1);
}

#[test]
fn a_version_is_text_whatever_it_contains() {
    let version = r#"2.0 "beta" \ : # {'"#;
    let written = Value::from(version).to_string();
    let text = DOCUMENT.replace("'1.0'", &written);
    let old = source(&text);
    let new = source(&text.replace("Kind: {type: string, enum: [a, b]}", "Kind: {}"));
    let accepted = moved(&old, &new, true);
    let reference = &accepted.set.overrides[0].about.reference;
    assert_eq!(reference, &format!("the document of version {version}"));
}

#[test]
fn the_override_is_outdated_when_the_document_says_it_again() {
    let (old, new) = (source(DOCUMENT), with("{}"));
    let accepted = moved(&old, &new, true);
    let again = rebase(&new, &old, &accepted.set, true).unwrap();
    let left = judge(&old, &again.set).all;
    // Its guard says that the place is empty.
    assert!(
        left.iter().all(|one| one.verdict == Verdict::Outdated),
        "{:?}",
        again.files
    );
}

/// Returns the document with these security requirements of its operation, and of all operations.
fn demanding(own: &str, all: &str) -> Source {
    let schemes = "components:\n  securitySchemes:\n    Key: {type: apiKey, in: header, name: k}\n";
    let text = DOCUMENT.replace("components:\n", schemes).replace(
        "      operationId: things\n",
        &format!("      operationId: things\n{own}"),
    );
    source(&format!("{text}{all}"))
}

const NEEDED: &str = "security: [{Key: []}]\n";

#[test]
fn credentials_stay_required_where_a_person_accepts_it() {
    let needed = demanding("", NEEDED);
    let own = |said: &str| demanding(&format!("      {said}\n"), "");
    for new in [
        own("security: [{Key: []}, {}]"),
        own("security: [{}, {Key: []}]"),
        demanding("", "security: [{Key: []}, {}]\n"),
    ] {
        let accepted = moved(&needed, &new, true);
        let (verb, text) = line(&accepted, "credential").unwrap();
        assert_eq!(verb, "Kept");
        assert!(text.contains("1 operation as required"), "{text}");
        let judged = judge(&new, &accepted.set);
        assert_eq!(judged.all[0].verdict, Verdict::Applied);
        let operation = &judged.document["paths"]["/things"]["get"];
        let kept = operation
            .get("security")
            .or(judged.document.get("security"));
        assert_eq!(kept, Some(&json!([{"Key": []}])));

        let followed = moved(&needed, &new, false);
        assert_eq!(line(&followed, "credential").unwrap().0, "Decide");
        assert_eq!(followed.files, []);
        assert_eq!(judge(&new, &followed.set).document, new.value);
    }
    for said in ["security: []", "security: [{}]"] {
        let followed = moved(&needed, &own(said), true);
        assert_eq!(line(&followed, "names no credential").unwrap().0, "Note");
        assert_eq!(followed.files, []);
    }
    let optional = demanding("", "security: [{Key: []}, {}]\n");
    for (old, new) in [
        (&needed, &own(NEEDED.trim())),
        (&optional, &optional),
        (&optional, &own("security: [{}, {Key: []}]")),
    ] {
        assert_eq!(moved(old, new, true).open.places, [""; 0]);
    }
}

#[test]
fn credentials_stay_required_where_the_document_has_lost_all_demands() {
    let own = format!("      {NEEDED}");
    for (old, names) in [
        (demanding("", NEEDED), ["Key: ", "Key: "]),
        (demanding(&own, ""), ["Key: ", "Key: "]),
        (demanding("", NEEDED), ["Key: ", "Token: "]),
    ] {
        let text = demanding("", "").text.replace(names[0], names[1]);
        let new = source(&text);
        let accepted = moved(&old, &new, true);
        assert_eq!(line(&accepted, "credential").unwrap().0, "Kept");
        let judged = judge(&new, &accepted.set);
        assert_eq!(judged.all[0].verdict, Verdict::Applied);
        let wanted = old.text.replace(names[0], names[1]);
        assert_eq!(judged.document, source(&wanted).value);

        let followed = moved(&old, &new, false);
        assert_eq!(line(&followed, "credential").unwrap().0, "Decide");
        assert_eq!(judge(&new, &followed.set).document, new.value);
        let again = moved(&new, &new, true);
        assert_eq!(again.open.places, [""; 0]);
    }
}

#[test]
fn a_credential_that_the_document_has_lost_is_kept_with_its_demands() {
    let old = demanding("", NEEDED);
    for new in [
        source(DOCUMENT),
        source(&DOCUMENT.replace("components:\n", "components:\n  securitySchemes: {}\n")),
    ] {
        let accepted = moved(&old, &new, true);
        let judged = judge(&new, &accepted.set);
        assert_eq!(judged.all[0].verdict, Verdict::Applied);
        assert_eq!(judged.document, old.value, "{:?}", accepted.files);
        let back = rebase(&new, &old, &accepted.set, true).unwrap();
        let left = judge(&old, &back.set).all;
        assert!(left.iter().all(|one| one.verdict == Verdict::Retired));
    }
}

#[test]
fn a_list_that_another_operation_was_open_by_stays() {
    let other = "  /others:\n    get:\n      operationId: others\n      security: [{}]\n      responses: {'204': {description: Nothing.}}\ncomponents:\n";
    let text = |document: &Source| document.text.replace("components:\n", other);
    let old = source(&text(&demanding("", NEEDED)));
    let all = "security: [{Key: []}, {}]\n";
    let new = text(&demanding("", all)).replace("      security: [{}]\n", "");
    let accepted = moved(&old, &source(&new), true);
    assert_eq!(accepted.open.places, [""; 0]);
    assert_eq!(line(&accepted, "share the list").unwrap().0, "Decide");
    assert_eq!(accepted.open.lost, ["/paths/~1things/get"]);
    let apart = moved(&old, &source(&text(&demanding("", all))), true);
    assert_eq!(apart.open.places, ["/paths/~1things/get"]);
    let lost = text(&demanding("", "")).replace("      security: [{}]\n", "");
    let lost = source(&lost);
    let accepted = moved(&old, &lost, true);
    assert_eq!(accepted.open.places, ["/paths/~1things/get"]);
    assert_eq!(judge(&lost, &accepted.set).document.get("security"), None);
}

#[test]
fn an_override_that_keeps_a_schema_follows_one_wrapper_more() {
    let old = source(DOCUMENT);
    for empty in [
        "{oneOf: [{}, {type: 'null'}]}",
        "{anyOf: [{type: 'null'}, true]}",
    ] {
        let new = with(empty);
        let kept = moved(&old, &new, true).set;
        for wrapped in [
            format!("{{anyOf: [{empty}, {{type: 'null'}}]}}"),
            format!("{{allOf: [{empty}], description: Its kind.}}"),
        ] {
            let wrapped = with(&wrapped);
            let moved = rebase(&new, &wrapped, &kept, true).unwrap();
            let judged = judge(&wrapped, &moved.set);
            let findings = judged.findings(&wrapped);
            assert!(findings.is_empty(), "{empty}: {findings:#?}");
            assert_kept(&judged.document, empty);
        }
    }
}

#[test]
fn what_a_document_no_longer_says_is_one_line() {
    let kind = "      type: string\n      enum: [a, b]\n";
    let new = source(super::DOCUMENT.split(kind).next().unwrap());
    let new = source(&new.text.replace("    Kind:\n", "    Kind: {}\n"));
    let bound = "schema: {type: integer, maximum: 9}";
    let old = source(&super::DOCUMENT.replace("schema: {type: integer}", bound));
    for (accept, verb) in [(true, "Kept"), (false, "Decide")] {
        let lines = moved(&old, &new, accept).lines(false);
        let lines: Vec<_> = lines.iter().filter(|(one, _)| *one == verb).collect();
        let [(_, line)] = lines.as_slice() else {
            panic!("{lines:#?}");
        };
        for said in ["#/components/schemas/Kind", "`size`"] {
            assert!(line.contains(said), "{line}");
        }
    }
}
