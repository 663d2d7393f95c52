//! Messages of `regen` and `openapi-crate overrides` about overrides that no longer apply cleanly, and the guards that they write.

use openapi_crate::commands::overrides as commands;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, Verdict, judge};

use crate::support::Workspace;

const DOCUMENT: &str = r"openapi: 3.0.3
info: {title: Small, version: '1'}
paths:
  /v1/things:
    get:
      operationId: things
      parameters:
        - {name: size, in: query, schema: {type: integer}}
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Things'}
components:
  schemas:
    Things:
      type: object
      properties:
        name: {type: string, description: Its name.}
        kinds: {type: array, items: {type: string}}
";

/// Returns an override file of these actions.
fn file(title: &str, actions: &str) -> String {
    format!(
        "overlay: 1.1.0\n\
         info: {{title: {title}, version: 1.0.0}}\n\
         x-override: {{published: p, observed: o, reference: '1', retire-when: The name is a number.}}\n\
         actions:\n{actions}"
    )
}

/// A name that is a number, with its guard as the tool writes it.
const NAME: &str = "  - target: $.components.schemas.Things.properties.name\n    update:\n      format: number\n      description: Its number.\n";

fn workspace() -> Workspace {
    let workspace = Workspace::with(DOCUMENT)
        .file("overrides/assumed/name.yaml", &file("The name is a number", NAME))
        .file(
            "overrides/generator/things.yaml",
            &file(
                "Things have a short name",
                "  - target: $.paths['/v1/things'].get\n    update:\n      x-rust-name: list\n",
            ),
        )
        .file(
            "overrides/generator/size.yaml",
            &file(
                "Size has a default",
                "  - target: $.paths['/v1/things'].get.parameters\n    update:\n      - {name: limit, in: query, schema: {type: integer}}\n",
            ),
        );
    told(|out| commands::guard(&workspace.layout(), &[], None, out));
    assert!(workspace.regen(false).0);
    workspace
}

/// Returns the output of a command, and its error.
fn told<T>(run: impl FnOnce(&mut dyn std::io::Write) -> anyhow::Result<T>) -> String {
    let mut out = Vec::new();
    let outcome = run(&mut out);
    let mut text = String::from_utf8(out).unwrap();
    if let Err(error) = outcome {
        text.push_str(&error.to_string());
    }
    text
}

/// Returns the output of a `regen` after the document changed.
fn screen(from: &str, to: &str) -> String {
    let workspace = workspace();
    assert!(DOCUMENT.contains(from));
    workspace.write("spec/openapi.yaml", &DOCUMENT.replace(from, to));
    let before = workspace.read("generated/src/types.rs");
    let mut out = Vec::new();
    let error = crate::support::tool::regen(&workspace.layout(), false, &mut out).unwrap_err();
    assert_eq!(
        workspace.read("generated/src/types.rs"),
        before,
        "nothing is written"
    );
    error.to_string()
}

#[test]
fn a_changed_text_is_outdated() {
    insta::assert_snapshot!(screen("Its name.", "The name it has."));
}

#[test]
fn a_place_that_is_gone_is_orphaned() {
    insta::assert_snapshot!(screen("        name:", "        names:"));
}

#[test]
fn a_correction_that_is_published_is_retired() {
    insta::assert_snapshot!(screen(
        "{type: string, description: Its name.}",
        "{type: string, format: number, description: Its number.}"
    ));
}

#[test]
fn a_renamed_path_prefix_names_the_command_that_follows_it() {
    insta::assert_snapshot!(screen("/v1/things", "/v2/things"));
}

#[test]
fn two_files_that_write_one_place_conflict() {
    let workspace = workspace().file(
        "overrides/generator/other.yaml",
        &file(
            "The name is something else",
            &NAME.replace("Its number.", "Its other number."),
        ),
    );
    told(|out| commands::guard(&workspace.layout(), &[], None, out));
    let mut out = Vec::new();
    let error = crate::support::tool::regen(&workspace.layout(), true, &mut out).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn what_an_earlier_file_brought_may_change_as_the_guard_says() {
    let brought = "  - target: $.components.schemas.Things.properties\n    update:\n      size: {type: string}\n";
    let changed =
        "  - target: $.components.schemas.Things.properties.size.type\n    remove: true\n";
    let workspace = workspace()
        .file(
            "overrides/assumed/brought.yaml",
            &file("There is a size", brought),
        )
        .file(
            "overrides/generator/changed.yaml",
            &file("The size is anything", changed),
        );
    let published = Source::parse("openapi.yaml", DOCUMENT.to_owned()).unwrap();
    let verdicts = || {
        let set = OverrideSet::load(workspace.root(), "overrides").unwrap();
        let all = judge(&published, &set).all.into_iter();
        let changed = all.filter(|one| one.applied.by.id == "changed");
        changed.map(|one| one.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(), [Verdict::Conflicting]);
    told(|out| commands::guard(&workspace.layout(), &[], None, out));
    assert_eq!(verdicts(), [Verdict::Applied]);
}

#[test]
fn an_override_without_a_guard_does_not_pass() {
    let workspace = workspace().file(
        "overrides/assumed/name.yaml",
        &file("The name is a number", NAME),
    );
    let mut out = Vec::new();
    let error = crate::support::tool::regen(&workspace.layout(), false, &mut out).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn guards_are_written_in_place_and_keep_what_people_wrote() {
    let workspace = Workspace::with(DOCUMENT).file(
        "overrides/assumed/name.yaml",
        &file(
            "Two actions",
            "  # Why this is so.\n  - target: $.components.schemas.Things.properties.name\n    description: Say it.   # a comment\n    update:\n      format: number\n  - description: No kinds.\n    target: $.components.schemas.Things.properties.kinds\n    x-expect: {old: guard}\n    remove: true # gone\n",
        ),
    );
    let layout = workspace.layout();
    told(|out| commands::guard(&layout, &[], None, out));
    let once = workspace.read("overrides/assumed/name.yaml");
    insta::assert_snapshot!(once);
    let again = told(|out| commands::guard(&layout, &["name".to_owned()], None, out));
    assert!(again.contains("Fresh"), "{again}");
    assert_eq!(workspace.read("overrides/assumed/name.yaml"), once);
    assert!(workspace.regen(false).0);
}

#[test]
fn a_guard_that_is_a_list_is_replaced_whole() {
    let remove = "  - target: $.components.schemas.Things.properties.name.enum\n    remove: true\n";
    let workspace = Workspace::with(&DOCUMENT.replace(
        "{type: string, description: Its name.}",
        "{type: string, enum: [a, b]}",
    ))
    .file("overrides/assumed/name.yaml", &file("Any name", remove));
    let layout = workspace.layout();
    for _ in 0..3 {
        told(|out| commands::guard(&layout, &["name".to_owned()], None, out));
    }
    let text = workspace.read("overrides/assumed/name.yaml");
    assert_eq!(text.matches("- a\n").count(), 1, "{text}");
    assert!(workspace.regen(false).0);
}

#[test]
fn a_new_override_has_its_guard_and_says_what_is_left_to_do() {
    let workspace = workspace();
    let layout = workspace.layout();
    let target = "$.components.schemas.Things.properties.name";
    let output = told(|out| commands::new(&layout, "upstream/a-name", target, None, out));
    assert!(
        output.contains("Wrote overrides/upstream/a-name.yaml"),
        "{output}"
    );
    // Each step towards a passing test.
    for step in [
        "write overrides/evidence/a-name.json with `note`, `schema`, `payload` and `published`",
        "`openapi-crate overrides guard a-name` and `openapi-crate generate`",
    ] {
        assert!(output.contains(step), "{step}: {output}");
    }
    insta::assert_snapshot!(workspace.read("overrides/upstream/a-name.yaml"));
    // An empty one does not pass.
    let mut out = Vec::new();
    let error = crate::support::tool::regen(&layout, false, &mut out).unwrap_err();
    assert!(error.to_string().contains("changes nothing yet"), "{error}");
}

#[test]
fn mistakes_in_commands_name_the_remedy() {
    let workspace = workspace();
    let layout = workspace.layout();
    let new =
        |name: &str, target: &str| told(|out| commands::new(&layout, name, target, None, out));
    let guard = |id: &str| told(|out| commands::guard(&layout, &[id.to_owned()], None, out));
    insta::assert_snapshot!(
        [
            new("name", "$.info"),
            new("wrong/name", "$.info"),
            new("upstream/Name", "$.info"),
            new("assumed/name", "$.info"),
            new("upstream/other", "$.components.schema"),
            new("upstream/other", "info"),
            guard("nam"),
            guard("zzz"),
        ]
        .join("\n----\n")
    );
}

#[test]
fn the_list_is_a_table_or_paths() {
    let workspace = workspace();
    let list = |are_paths| told(|out| commands::list(&workspace.layout(), are_paths, out));
    insta::assert_snapshot!([list(false), list(true)].join("\n"));
}

#[test]
fn an_override_without_an_effect_on_the_crate_does_not_pass_the_check() {
    let workspace = workspace().file(
        "overrides/generator/summary.yaml",
        &file(
            "An unread title",
            "  - target: $.info\n    x-expect:\n      termsOfService: null\n    update:\n      termsOfService: https://example.com\n",
        ),
    );
    insta::assert_snapshot!(told(|out| commands::check(&workspace.layout(), None, out)));
}
