//! Likely but uncertain changes are proposed with a reason, and applied when accepted.

use openapi_overrides::{Verdict, judge, rebase};

use super::{DOCUMENT, NAME, edited, set, source, text};

#[test]
fn an_unused_component_with_another_name_is_proposed_by_its_form() {
    let unused = "    Unused: {type: object, properties: {a: {type: string}, b: {type: integer}}}\n    Kind:";
    let old = source(&edited("    Kind:", unused));
    let new = source(&old.text.replace("Unused:", "Spare:"));
    let actions = "  - target: $.components.schemas.Unused.properties.a\n    x-expect: {format: null}\n    update: {format: date}\n";
    let proposed = rebase(&old, &new, &set(actions), false).unwrap();
    assert!(proposed.files.is_empty() && proposed.follows.is_empty());
    let finding = proposed.proposed("new.yaml", true).unwrap();
    assert!(
        finding.notes[0]
            .contains("its form alone says that it is `Spare`: overrides/assumed/one.yaml"),
        "{finding}"
    );
    let accepted = rebase(&old, &new, &set(actions), true).unwrap();
    assert!(accepted.proposed("new.yaml", true).is_none());
    assert!(text(&accepted).contains("$.components.schemas.Spare.properties.a"));
}

#[test]
fn a_schema_that_several_became_is_proposed() {
    let twice = "    Item: {type: object, properties: {name: {type: string, description: Its name.}}}\n    Kind:";
    let second = "        '201':\n          description: A new one.\n          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/Item'}\ncomponents:";
    let old = edited("    Kind:", twice).replace("components:", second);
    let new = source(
        &old.replace("schemas/Item", "schemas/Thing")
            .replace("    Item:", "    Unread:"),
    );
    let name = NAME
        .split("  - target: $.components.schemas.Thing.properties\n")
        .next()
        .unwrap();
    let proposed = rebase(&source(&old), &new, &set(name), false).unwrap();
    let finding = proposed.proposed("new.yaml", true).unwrap();
    assert!(
        finding.notes[0].contains("the override would apply to all of them"),
        "{finding}"
    );
}

#[test]
fn a_document_that_says_what_an_override_adds_is_followed_if_accepted() {
    let ours = "{name: limit, in: query, description: Ours., schema: {type: integer, default: 10}}";
    let actions = format!(
        "  - target: $.paths['/v1/things/{{id}}'].get
    x-expect:
      parameters:
      - {{name: id, in: path, required: true, schema: {{type: string}}}}
      - $ref: '#/components/parameters/Size'
    update: {{parameters: [{ours}]}}
"
    );
    let moved = |theirs: &str, accept: bool| {
        let size = "        - $ref: '#/components/parameters/Size'";
        let new = source(&edited(size, &format!("        - {theirs}\n{size}")));
        let moved = rebase(&source(DOCUMENT), &new, &set(&actions), accept).unwrap();
        let verdicts = judge(&new, &moved.set).all;
        (moved, verdicts.first().map(|one| one.verdict))
    };
    let less = "{name: limit, in: query, schema: {type: integer}}";
    let (proposed, verdict) = moved(less, false);
    assert_eq!(verdict, Some(Verdict::Outdated));
    let finding = proposed.proposed("new.yaml", true).unwrap();
    assert!(
        finding.notes[0].contains("the document has `limit` itself now"),
        "{finding}"
    );
    let (accepted, verdict) = moved(less, true);
    assert_eq!((accepted.retired.len(), verdict), (1, None));
    // Other words are no other parameter, and another parameter is none of its business.
    let words =
        "{name: limit, in: query, description: Theirs., schema: {type: integer, default: 10}}";
    assert_eq!(moved(words, false).0.retired.len(), 1);
    let other = "{name: other, in: query, schema: {type: integer}}";
    assert_eq!(moved(other, false).1, Some(Verdict::Applied));
}

#[test]
fn a_path_that_only_its_operations_recall_is_proposed() {
    let new = source(&edited("/v1/things/{id}:", "/objects/one/{id}:"));
    let actions = "  - target: $.paths['/v1/things/{id}'].get\n    x-expect: {x-rust-name: null}\n    update: {x-rust-name: one}\n";
    let proposed = rebase(&source(DOCUMENT), &new, &set(actions), false).unwrap();
    let finding = proposed.proposed("new.yaml", true).unwrap();
    assert!(
        finding.notes[0].contains("the only evidence is the ids of the operations"),
        "{finding}"
    );
    let accepted = rebase(&source(DOCUMENT), &new, &set(actions), true).unwrap();
    assert_eq!(judge(&new, &accepted.set).all[0].verdict, Verdict::Applied);
}

#[test]
fn a_schema_that_an_override_replaces_may_be_respelled_and_say_less_if_accepted() {
    let old = edited(
        "      type: object\n      properties:\n        name: {type: string, description: Its name.}",
        "      type: object\n      required: [name]\n      properties:\n        name: {type: string, format: uuid, nullable: true}",
    );
    let old = old + "    Id: {type: string}\n";
    let actions = "  - target: $.components.schemas.Thing.properties.name
    x-expect: {type: string, format: uuid, nullable: true}
    remove: true
  - target: $.components.schemas.Thing.properties
    x-expect: {name: {anyOf: null}}
    update:
      name:
        anyOf:
          - $ref: '#/components/schemas/Id'
          - {type: string, nullable: true, enum: [null]}
";
    let was = "      required: [name]\n      properties:\n        name: {type: string, format: uuid, nullable: true}";
    let with = |name: &str| {
        assert!(old.contains(was));
        let new = old.replace(was, &format!("      properties:\n        name: {name}"));
        source(&new.replace("openapi: 3.0.3", "openapi: 3.1.0"))
    };
    let verdict = |name: &str, accept: bool| {
        let new = with(name);
        let rebase = rebase(&source(&old), &new, &set(actions), accept).unwrap();
        (
            judge(&new, &rebase.set).all[0].verdict,
            rebase.proposals.len(),
        )
    };
    // The same in the notation of 3.1, and no longer required.
    let same = "{type: [string, 'null'], format: uuid, title: Name}";
    assert_eq!(verdict(same, false), (Verdict::Applied, 0));
    for (less, reasons) in [
        ("{type: [string, 'null']}", 1),
        ("{anyOf: [{type: string}, {type: 'null'}]}", 2),
    ] {
        assert_eq!(verdict(less, false), (Verdict::Outdated, reasons), "{less}");
        assert_eq!(verdict(less, true), (Verdict::Applied, 0), "{less}");
    }
    for other in [
        "{type: [integer, 'null'], format: uuid}",
        "{type: [integer, 'null']}",
        "{type: [string, 'null'], format: date}",
        "{type: [string, 'null'], format: uuid, maxLength: 9}",
    ] {
        assert_eq!(verdict(other, true), (Verdict::Outdated, 0), "{other}");
    }
}

/// An override that describes a parameter of the published document in its own words, or requires it.
const PARAMETER: &str =
    "  - target: $.paths['/v1/things/{id}'].get.parameters[?(@.name == 'limit')]
    x-expect: {name: limit, in: query, schema: {type: integer, minimum: 0, default: 10}}
    remove: true
  - target: $.paths['/v1/things/{id}'].get
    x-expect:
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: limit, in: query, schema: {type: integer, minimum: 0, default: 10}}
        - $ref: '#/components/parameters/Size'
    update:
      parameters:
        - {name: limit, in: query, MORE, schema: {type: integer, minimum: 0, default: 10}}
";

#[test]
fn a_parameter_that_an_override_replaces_may_say_less_if_accepted_and_nothing_else() {
    let size = "        - $ref: '#/components/parameters/Size'\n";
    let with = |parameter: &str| edited(size, &format!("        - {parameter}\n{size}"));
    let old = source(&with(
        "{name: limit, in: query, schema: {type: integer, minimum: 0, default: 10}}",
    ));
    let played = |more: &str, new: &str, accept: bool| {
        let actions = set(&PARAMETER.replace("MORE", more));
        let new = source(&with(new));
        let moved = rebase(&old, &new, &actions, accept).unwrap();
        let verdict = judge(&new, &moved.set).all.first().map(|one| one.verdict);
        (moved, verdict)
    };
    let less = "{name: limit, in: query, description: Theirs., schema: {type: integer}}";
    let (proposed, verdict) = played("description: Own.", less, false);
    assert_eq!(verdict, Some(Verdict::Outdated));
    let finding = proposed.proposed("new.yaml", true).unwrap();
    let note = "`minimum` was 0 and is absent now";
    assert!(finding.notes[0].contains(note), "{finding}");
    let (accepted, verdict) = played("description: Own.", less, true);
    assert_eq!(verdict, Some(Verdict::Applied));
    assert!(
        text(&accepted).contains("default: 10"),
        "{}",
        text(&accepted)
    );
    for other in [
        "{name: limit, in: query, schema: {type: integer, minimum: 0, default: 20}}",
        "{name: limit, in: query, schema: {type: string}}",
        "{name: limit, in: query, required: true, schema: {type: integer}}",
    ] {
        let (_, verdict) = played("description: Own.", other, true);
        assert_eq!(verdict, Some(Verdict::Outdated), "{other}");
    }
    // The document has what the override is for.
    let all = "{name: limit, in: query, required: true, schema: {type: integer, minimum: 0, default: 10}}";
    let (retired, verdict) = played("required: true", all, false);
    assert_eq!((retired.retired.len(), verdict), (1, None));
    let required = "{name: limit, in: query, required: true, schema: {type: integer}}";
    assert_eq!(played("required: true", required, false).0.retired.len(), 0);
    assert_eq!(played("required: true", required, true).0.retired.len(), 1);
}

#[test]
fn likely_moves_of_a_kind_are_one_decision() {
    let actions = "  - target: $.components.schemas.Thing
    x-expect: {description: A thing.}
    update: {description: Own.}
  - target: $.components.schemas.Kind
    x-expect: {description: Its kind.}
    update: {description: Own.}
";
    let described = |thing: &str, kind: &str| {
        let text = DOCUMENT
            .replace(
                "    Thing:\n",
                &format!("    Thing:\n      description: {thing}\n"),
            )
            .replace(
                "    Kind:\n",
                &format!("    Kind:\n      description: {kind}\n"),
            );
        source(&text)
    };
    let old = described("A thing.", "Its kind.");
    let proposed = rebase(&old, &described("One.", "Other."), &set(actions), false).unwrap();
    assert_eq!(proposed.proposals.len(), 2);
    let finding = proposed.proposed("new.yaml", false).unwrap();
    let [note] = finding.notes.as_slice() else {
        panic!("{finding}");
    };
    assert!(note.starts_with("the guarded words are others: overrides/assumed/one.yaml; "));
    assert!(note.ends_with(", and 1 more"), "{note}");
}

#[test]
fn an_override_that_applies_to_more_places_of_the_new_document_is_as_it_is() {
    let size = "        - $ref: '#/components/parameters/Size'\n";
    let inline = "        - {name: size, in: query, schema: {type: integer}}\n";
    let operation = |path: &str, parameter: &str| {
        format!(
            "  {path}:\n    get:\n      operationId: {}\n      parameters:\n{parameter}      responses: {{'200': {{description: One.}}}}\n",
            path.trim_start_matches('/')
        )
    };
    let with = |first: &str, second: &str| {
        let both = operation("/first", first) + &operation("/second", second);
        source(&edited("components:\n", &format!("{both}components:\n")))
    };
    let (old, new) = (with(inline, size), with(inline, inline));
    let actions =
        "  - target: $.paths['/first','/second'].get.parameters[?(@.name == 'size')].schema
    x-expect: {x-rust-type: null}
    update: {x-rust-type: Loose}
";
    let moved = rebase(&old, &new, &set(actions), true).unwrap();
    assert_eq!(moved.files, []);
    assert_eq!(judge(&new, &moved.set).all[0].verdict, Verdict::Applied);
}
