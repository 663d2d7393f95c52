//! Overrides that follow a new document: what is written in another way is no change, and what means something else keeps its verdict.

pub(crate) mod committed;
pub(crate) mod components;
mod guarded;
mod likely;
mod nulls;
mod parts;
mod published;
mod renamed;
mod retired;
mod reusable;
mod rules;
mod taken;

use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Rebase, Verdict, judge, rebase};
use serde_json::Value;

use crate::support::Workspace;

const DOCUMENT: &str = r"openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /v1/things/{id}:
    get:
      operationId: thing
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - $ref: '#/components/parameters/Size'
      responses:
        '200':
          description: One thing.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Thing'}
components:
  parameters:
    Size: {name: size, in: query, schema: {type: integer}}
  schemas:
    Thing:
      type: object
      properties:
        name: {type: string, description: Its name.}
        kind: {$ref: '#/components/schemas/Kind'}
    Kind:
      type: string
      enum: [a, b]
";

/// An override of these actions.
fn file(actions: &str) -> String {
    format!(
        "overlay: 1.1.0\n\
         info: {{title: A fact, version: 1.0.0}}\n\
         x-override: {{published: p, observed: o, reference: '1', retire-when: Never.}}\n\
         actions:\n{actions}"
    )
}

const NAME: &str = r"  # Why this is said.
  - target: $.components.schemas.Thing.properties.name
    x-expect:
      format: null
    update:
      format: date   # as it was seen
  - target: $.components.schemas.Thing.properties
    x-expect:
      other: null
    update:
      other: {$ref: '#/components/schemas/Kind'}
";

/// A set with one override of these actions.
fn set(actions: &str) -> OverrideSet {
    let workspace = Workspace::with(DOCUMENT).file("overrides/assumed/one.yaml", &file(actions));
    OverrideSet::load(workspace.root(), "overrides").unwrap()
}

fn source(text: &str) -> Source {
    Source::parse("openapi.yaml", text.to_owned()).unwrap()
}

/// The set after the document became this one, with everything likely accepted.
fn followed(actions: &str, new: &str) -> (Rebase, Verdict, Value) {
    let (old, new) = (source(DOCUMENT), source(new));
    let before = judge(&old, &set(actions));
    assert_eq!(
        before.all[0].verdict,
        Verdict::Applied,
        "{:?}",
        before.all[0].finding
    );
    let rebase = rebase(&old, &new, &set(actions), true).unwrap();
    let judged = judge(&new, &rebase.set);
    let verdict = judged
        .all
        .first()
        .map_or(Verdict::Retired, |one| one.verdict);
    (rebase, verdict, judged.document)
}

fn text(rebase: &Rebase) -> &str {
    rebase.files.first().map_or("", |(_, text)| text)
}

fn edited(from: &str, to: &str) -> String {
    assert!(DOCUMENT.contains(from), "{from}");
    DOCUMENT.replace(from, to)
}

#[test]
fn names_follow_and_what_people_wrote_stays() {
    let new = DOCUMENT
        .replace("schemas/Kind", "schemas/ThingKind")
        .replace("    Kind:", "    ThingKind:")
        .replace("schemas/Thing'", "schemas/Item'")
        .replace("    Thing:", "    Item:");
    let (rebase, verdict, _) = followed(NAME, &new);
    assert_eq!(verdict, Verdict::Applied);
    let wanted = file(NAME)
        .replace("schemas.Thing", "schemas.Item")
        .replace("schemas/Kind", "schemas/ThingKind");
    assert_eq!(text(&rebase), wanted);
    let names = [("Kind", "ThingKind"), ("Thing", "Item")];
    assert_eq!(
        rebase.names,
        names.map(|(old, new)| (old.to_owned(), new.to_owned()))
    );
}

#[test]
fn an_override_in_flow_style_stops_with_its_name() {
    let new = DOCUMENT
        .replace("schemas/Thing'", "schemas/Item'")
        .replace("    Thing:", "    Item:");
    let flow = set(
        "  - {target: $.components.schemas.Thing.properties.name, x-expect: {format: null}, update: {format: date}}\n",
    );
    let stop = rebase(&source(DOCUMENT), &source(&new), &flow, false).unwrap_err();
    assert_eq!(stop.findings()[0].rule, "override-style");
}

#[test]
fn a_schema_that_is_written_out_twice_has_the_override_twice() {
    let second = "        '201':\n          description: A new one.\n          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/Thing'}\ncomponents:";
    let old = source(&edited("components:", second));
    let inline = "{type: object, properties: {name: {type: string, description: Its name.}}}";
    let new = source(
        &old.text
            .replace("{$ref: '#/components/schemas/Thing'}", inline),
    );
    let name = NAME
        .split("  - target: $.components.schemas.Thing.properties\n")
        .next()
        .unwrap();
    let rebase = rebase(&old, &new, &set(name), true).unwrap();
    let judged = judge(&new, &rebase.set);
    assert_eq!(judged.all[0].verdict, Verdict::Applied);
    for status in ["200", "201"] {
        let at = format!(
            "/paths/~1v1~1things~1{{id}}/get/responses/{status}/content/application~1json/schema/properties/name/format"
        );
        assert_eq!(judged.document.pointer(&at).unwrap(), "date");
    }
    // Both in one action, since the two differ in one step.
    assert!(
        text(&rebase).contains(".responses['200','201'].content"),
        "{}",
        text(&rebase)
    );
}

#[test]
fn a_parameter_is_found_by_its_name_wherever_it_stands() {
    let actions = r"  - target: $.paths['/v1/things/{id}'].get.parameters[?(@['$ref'] == '#/components/parameters/Size')]
    x-expect: {$ref: '#/components/parameters/Size'}
    remove: true
";
    let new = edited(
        "- $ref: '#/components/parameters/Size'",
        "- {name: size, in: query, schema: {type: integer}}",
    )
    .replace(
        "  parameters:\n    Size: {name: size, in: query, schema: {type: integer}}\n",
        "",
    )
    .replace("/v1/things/{id}", "/v2/things/{number}/")
    .replace("name: id", "name: number");
    let (rebase, verdict, document) = followed(actions, &new);
    assert_eq!(verdict, Verdict::Applied);
    assert!(
        text(&rebase).contains(
            "target: $.paths['/v2/things/{number}/'].get.parameters[?(@.name == 'size')]"
        ),
        "{}",
        text(&rebase)
    );
    let left = document
        .pointer("/paths/~1v2~1things~1{number}~1/get/parameters")
        .unwrap();
    assert_eq!(left.as_array().unwrap().len(), 1);
}

#[test]
fn links_follow_ids_and_the_names_of_path_parameters() {
    let actions = r"  - target: $.paths['/v1/things/{id}'].get.responses['200']
    x-expect: {links: null}
    update:
      links: {same: {operationId: thing, parameters: {id: $response.body#/name}}}
";
    let new = edited("operationId: thing", "operationId: read_thing")
        .replace("{id}", "{number}")
        .replace("name: id", "name: number");
    let (_, verdict, document) = followed(actions, &new);
    assert_eq!(verdict, Verdict::Applied);
    let link = document
        .pointer("/paths/~1v1~1things~1{number}/get/responses/200/links/same")
        .unwrap();
    assert_eq!(link["operationId"], "read_thing");
    assert_eq!(link["parameters"]["number"], "$response.body#/name");
}

#[test]
fn what_means_something_else_keeps_its_verdict() {
    let remove = "  - target: $.components.schemas.Thing.properties.name\n    x-expect: {type: string, description: Its name.}\n    remove: true\n";
    let kind = "  - target: $.components.schemas.Kind\n    x-expect: {enum: [a, b]}\n    update: {enum: [c]}\n";
    for (actions, from, to, verdict) in [
        // Another type, another value, a field that is gone or has another name.
        (
            remove,
            "name: {type: string",
            "name: {type: integer",
            Verdict::Outdated,
        ),
        (kind, "enum: [a, b]", "enum: [a, b, d]", Verdict::Outdated),
        (
            NAME,
            "name: {type: string",
            "label: {type: string",
            Verdict::Orphaned,
        ),
        (
            NAME,
            "        name: {type: string, description: Its name.}\n",
            "",
            Verdict::Orphaned,
        ),
        // The document decided otherwise.
        (
            NAME,
            "kind: {$ref",
            "other: {type: boolean}\n        kind: {$ref",
            Verdict::Outdated,
        ),
        (
            NAME,
            "name: {type: string,",
            "name: {type: string, format: uuid,",
            Verdict::Outdated,
        ),
    ] {
        let (rebase, found, _) = followed(actions, &edited(from, to));
        assert_eq!(found, verdict, "{to}");
        assert!(!rebase.decisions.is_empty(), "{to}");
        assert_eq!(text(&rebase), "", "{to}: nothing followed");
    }
}

#[test]
fn a_correction_that_is_published_in_part_is_for_a_person() {
    let actions = "  - target: $.components.schemas.Thing.properties.name\n    x-expect: {format: null, x-rust-type: null}\n    update: {format: date, x-rust-type: TextDate}\n";
    let new = edited("name: {type: string,", "name: {format: date, type: string,");
    let (rebase, verdict, _) = followed(actions, &new);
    assert_eq!((verdict, text(&rebase)), (Verdict::Outdated, ""));
}

#[test]
fn words_and_order_are_no_meaning_of_what_goes() {
    let actions = "  - target: $.components.schemas.Thing.properties.name\n    x-expect: {type: string, description: Its name.}\n    remove: true\n";
    let new = edited(
        "description: Its name.",
        "description: How it is called., example: Anna",
    );
    let judged = judge(&source(&new), &set(actions));
    assert_eq!(
        judged.all[0].verdict,
        Verdict::Applied,
        "without an update, too"
    );
    assert_eq!(followed(actions, &new).1, Verdict::Applied);
}

#[test]
fn many_decisions_are_grouped_by_what_changed() {
    let names: Vec<String> = (0..9).map(|index| format!("field_{index}")).collect();
    let fields = |kind: &str| -> String {
        names
            .iter()
            .map(|name| format!("        {name}: {{type: {kind}}}\n"))
            .collect()
    };
    let with = |kind: &str| {
        source(&edited(
            "        kind:",
            &format!("{}        kind:", fields(kind)),
        ))
    };
    let mut workspace = Workspace::with(DOCUMENT);
    for name in &names {
        let action = format!(
            "  - target: $.components.schemas.Thing.properties.{name}\n    x-expect: {{type: string}}\n    remove: true\n"
        );
        workspace = workspace.file(&format!("overrides/assumed/{name}.yaml"), &file(&action));
    }
    let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
    let (old, new) = (with("string"), with("integer"));
    let rebase = rebase(&old, &new, &set, false).unwrap();
    let findings = judge(&new, &rebase.set).findings();
    assert_eq!(findings.len(), names.len());
    let all = rebase.explained(findings.clone(), true);
    assert_eq!(all.len(), names.len());
    assert!(
        all[0]
            .notes
            .iter()
            .any(|note| note
                .starts_with("what changed: `type` was \"string\" and is \"integer\" now")),
        "{}",
        all[0]
    );
    let grouped = rebase.explained(findings, false);
    assert_eq!(grouped.len(), 1);
    assert_eq!(grouped[0].message, "9 overrides need a decision");
    assert_eq!(grouped[0].notes.len(), 1);
    assert_eq!(rebase.decisions.len(), names.len());
}

#[test]
fn a_target_about_all_of_a_kind_is_about_what_is_new() {
    let actions =
        "  - target: $.paths[*][*].parameters[?(@['$ref'] == '#/components/parameters/Size')]
    x-expect: {$ref: '#/components/parameters/Size'}
    remove: true
";
    let other = "  /v1/others:
    get:
      operationId: others
      parameters:
        - $ref: '#/components/parameters/Size'
      responses: {'200': {description: Others.}}
components:
";
    let new = DOCUMENT.replacen("components:\n", other, 1);
    let (moved, verdict, document) = followed(actions, &new);
    assert_eq!((moved.files, verdict), (vec![], Verdict::Applied));
    assert_eq!(
        document.pointer("/paths/~1v1~1others/get/parameters/0"),
        None
    );
}

#[test]
fn what_an_override_takes_away_first_it_writes_anew() {
    let actions = "  - target: $.components.schemas.Thing.properties.name
    x-expect: {type: string}
    remove: true
  - target: $.components.schemas.Thing.properties
    x-expect: {name: {format: null}}
    update: {name: {type: string, maxLength: 9}}
";
    let actions = actions.replace("x-expect: {type: string}", "x-expect: {maxLength: null}");
    let (_, verdict, document) = followed(&actions, &DOCUMENT.replace("Its name.", "A name."));
    assert_eq!(verdict, Verdict::Applied);
    let name = document.pointer("/components/schemas/Thing/properties/name");
    assert_eq!(
        name,
        Some(&serde_json::json!({"type": "string", "maxLength": 9}))
    );
}

#[test]
fn tags_ids_and_what_the_document_says_of_itself_are_guarded_like_any_value() {
    let old = DOCUMENT
        .replace(
            "operationId: thing\n",
            "operationId: thing\n      tags: [a, b]\n      servers: [{url: /a}, {url: /b}]\n",
        )
        .replace(
            "version: '1'}",
            "version: '1', license: {name: MIT}}\nsecurity: [{key: []}]",
        );
    for (target, guard, from, to) in [
        ("$.info", "{license: {name: MIT}}", "name: MIT", "name: GPL"),
        (
            "$.info",
            "{license: {name: MIT}}",
            "{name: MIT}",
            "{name: MIT, url: 'https://mit.example'}",
        ),
        ("$.info", "{version: '1'}", "version: '1'", "version: '2'"),
        (
            "$",
            "{security: [{key: []}]}",
            "[{key: []}]",
            "[{key: []}, {}]",
        ),
        (
            "$.paths['/v1/things/{id}'].get",
            "{operationId: thing}",
            "Id: thing",
            "Id: readThing",
        ),
        (
            "$.paths['/v1/things/{id}'].get",
            "{tags: [a, b]}",
            "[a, b]\n      servers",
            "[b, a]\n      servers",
        ),
        (
            "$.paths['/v1/things/{id}'].get",
            "{servers: [{url: /a}, {url: /b}]}",
            "[{url: /a}, {url: /b}]",
            "[{url: /b}, {url: /a}]",
        ),
        (
            "$.paths['/v1/things/{id}'].get",
            "{callbacks: null}",
            "Id: thing\n",
            "Id: thing\n      callbacks: {}\n",
        ),
    ] {
        let actions = format!(
            "  - target: {target}\n    x-expect: {guard}\n    update: {{x-rust-name: ours}}\n"
        );
        assert!(old.contains(from), "{from}");
        let (before, after) = (source(&old), source(&old.replacen(from, to, 1)));
        assert_eq!(
            judge(&before, &set(&actions)).all[0].verdict,
            Verdict::Applied
        );
        let moved = rebase(&before, &after, &set(&actions), true).unwrap();
        let verdict = judge(&after, &moved.set).all[0].verdict;
        assert_eq!(verdict, Verdict::Outdated, "{guard}: {to}");
    }
}
