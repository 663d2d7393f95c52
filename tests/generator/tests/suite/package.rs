//! `x-rust-package`: each key is read separately, and derives apply to every type that supports them.

use crate::support::tool::{Options, generate as generate_command};
use annotate_snippets::Renderer;
use client_generator::generate;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overrides::{OverrideReport, OverrideSet, reconcile};

use crate::support::Workspace;

/// Returns a document with this configuration whose client sends and receives things.
fn document(package: &str) -> String {
    format!(
        "openapi: 3.1.0
info: {{title: Shop, version: '1', x-rust-package: {package}}}
paths:
  /things:
    post:
      operationId: send
      requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}
      responses: {{'200': {{description: '', content: {{application/json: {{schema: {{$ref: '#/components/schemas/Done'}}}}}}}}}}
components:
  schemas:
    Done: {{type: object, properties: {{size: {{type: integer}}, cost: {{$ref: '#/components/schemas/Cost'}}}}}}
    Cost: {{type: object, properties: {{amount: {{type: number}}}}}}
    Color: {{type: string, enum: [red]}}
    Key: {{type: string}}
    Thing:
      type: object
      required: [parts]
      properties:
        key: {{$ref: '#/components/schemas/Key'}}
        color: {{$ref: '#/components/schemas/Color'}}
        parts: {{type: array, items: {{$ref: '#/components/schemas/Part'}}}}
    Part: {{type: object, properties: {{name: {{type: string}}, whole: {{$ref: '#/components/schemas/Thing'}}, note: {{type: [string, 'null']}}}}}}
"
    )
}

fn findings(package: &str) -> Vec<Finding> {
    let source = Source::parse("shop.yaml", document(package)).unwrap();
    match generate::code(&source, &OverrideReport::default()) {
        Err(stop) => stop.findings().to_vec(),
        Ok(code) => code.warnings,
    }
}

/// Returns the derives of a type.
fn of(types: &str, name: &str) -> String {
    let at = types.find(&format!(" {name} {{")).unwrap();
    let before = &types[..at];
    let line = before
        .lines()
        .rfind(|line| line.contains("derive("))
        .unwrap();
    line.trim().to_owned()
}

#[test]
fn derives_are_of_every_type_that_can_have_them() {
    let workspace = Workspace::with(&document(
        "{derives: [PartialEq, Eq, Hash, 'schemars::JsonSchema'], dependencies: {schemars: '1'}}",
    ));
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = workspace.read("generated/src/types.rs");
    // A recursive type has it, unless a part of it prevents it.
    for name in ["Thing", "Part"] {
        assert!(of(&types, name).contains("PartialEq, Eq, Hash"), "{types}");
    }
    for name in ["Done", "Cost"] {
        assert!(!of(&types, name).contains("Eq, Hash"), "{types}");
        assert!(of(&types, name).contains("JsonSchema"), "{types}");
    }
    // An enumeration has both by default; the type of `note` is from the runtime.
    assert_eq!(of(&types, "Color").matches("Hash").count(), 1, "{types}");
    assert!(of(&types, "Color").contains("JsonSchema"), "{types}");
    assert!(!of(&types, "Part").contains("JsonSchema"), "{types}");
    let manifest = workspace.read("generated/Cargo.toml");
    assert!(manifest.ends_with("schemars = \"1\"\n"), "{manifest}");
}

#[test]
fn a_warning_says_where_a_derive_was_left_out_and_stops_nothing() {
    let warnings = findings("{derives: [Eq]}");
    let [warning] = warnings.as_slice() else {
        panic!("{warnings:?}");
    };
    assert_eq!(
        (warning.rule, warning.pointer.as_str()),
        ("derives", "/info/x-rust-package/derives/0")
    );
    assert_eq!(
        warning.notes,
        [
            "`Cost`: `amount` is a number with decimals",
            "`Done`: `cost` is a `Cost`"
        ]
    );
    assert!(findings("{derives: [PartialEq]}").is_empty());
}

#[test]
fn each_mistake_in_the_configuration_is_an_error_with_its_place() {
    let all = findings(
        "{nam: shop, version: 1, features: labels, types: {date: joda}, \
         derives: [Eq, 'a b', JsonSchema, 'schemars::JsonSchema', Default, Ord, 'Vec<u8>'], \
         dependencies: {serde: '1', 'a b': '1', c: '!', d: {version: '1', features: ['e f']}, e: 1}}",
    );
    let places: Vec<&str> = all
        .iter()
        .map(|one| one.pointer.strip_prefix("/info/x-rust-package/").unwrap())
        .collect();
    assert_eq!(
        places,
        [
            "nam",
            "version",
            "features",
            "types",
            "dependencies",
            "derives/1",
            "derives/2",
            "derives/3",
            "derives/4",
            "derives/5",
            "derives/6",
        ]
    );
    assert!(all[0].notes.contains(&"did you mean `name`?".to_owned()));
    let all = findings(
        "{dependencies: {serde: '1', 'a b': '1', c: '!', d: {version: '1', features: ['e f']}}}",
    );
    let places: Vec<&str> = all.iter().map(|one| one.pointer.as_str()).collect();
    let at = |name: &str| format!("/info/x-rust-package/dependencies/{name}");
    assert_eq!(places, ["a b", "c", "d", "serde"].map(at));
}

#[test]
fn a_key_that_is_absent_comes_from_the_title() {
    let workspace = Workspace::with(&document("{version: 2.0.0}"));
    let published = Source::read(workspace.root(), "spec/openapi.yaml").unwrap();
    let overrides = OverrideSet::default();
    let reconciled = reconcile(&published, &overrides).unwrap();
    let tree = crate::support::tool::tree(&published, &overrides, &reconciled).unwrap();
    let manifest = tree.iter().find(|(path, _)| *path == "Cargo.toml").unwrap();
    for line in ["name = \"shop\"", "version = \"2.0.0\""] {
        assert!(manifest.1.contains(line), "{}", manifest.1);
    }
}

#[test]
fn what_a_registry_shows_is_in_the_manifest_in_place_of_what_the_workspace_gives() {
    let workspace = Workspace::with(&document(
        "{license: MIT OR Apache-2.0, repository: 'https://example.com/shop', homepage: 'https://example.com', \
         authors: [Ann Lee <ann@example.com>], keywords: [shop, c++], categories: ['api-bindings']}",
    ));
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let manifest = workspace.read("generated/Cargo.toml");
    for line in [
        "repository = \"https://example.com/shop\"",
        "homepage = \"https://example.com\"",
        "authors = [\"Ann Lee <ann@example.com>\"]",
        "keywords = [\"shop\", \"c++\"]",
        "categories = [\"api-bindings\"]",
        "license = \"MIT OR Apache-2.0\"",
    ] {
        assert!(manifest.contains(&format!("\n{line}\n")), "{manifest}");
    }
    assert!(!manifest.contains("license.workspace"), "{manifest}");

    let workspace = Workspace::with(&document("{license-file: LICENSE, keywords: []}"));
    workspace.regen(false);
    let manifest = workspace.read("generated/Cargo.toml");
    assert!(
        manifest.contains("\nlicense-file = \"LICENSE\"\n"),
        "{manifest}"
    );
    assert!(!manifest.contains("license.workspace"), "{manifest}");
    assert!(!manifest.contains("keywords"), "{manifest}");
}

#[test]
fn what_cargo_and_crates_io_refuse_is_an_error_with_its_place() {
    let all = findings(
        "{name: 'my shop', version: '1', license: MIT, license-file: ../LICENSE, repository: example.com, \
         homepage: 'https:///x y', authors: ['', Ann], keywords: [this-is-a-keyword-of-26, ü, -a, b c, a, A], \
         categories: [Api Bindings, 'a::', a, 'web-programming::http-client']}",
    );
    let places: Vec<&str> = all
        .iter()
        .map(|one| one.pointer.strip_prefix("/info/x-rust-package/").unwrap())
        .collect();
    assert_eq!(
        places,
        [
            "name",
            "version",
            "repository",
            "homepage",
            "license-file",
            "license-file",
            "authors/0",
            "keywords",
            "keywords/0",
            "keywords/1",
            "keywords/2",
            "keywords/3",
            "keywords/5",
            "categories/0",
            "categories/1",
        ]
    );
}

#[test]
fn an_unknown_key_stops_a_tolerant_run_too() {
    let mut document = document("{version: 2.0.0, nam: shop}");
    // Only tolerant reading accepts this.
    document.push_str("openapi: 3.1.0\n");
    let workspace = Workspace::new().file("api.yaml", &document);
    let options = Options {
        document: workspace
            .root()
            .join("api.yaml")
            .to_string_lossy()
            .into_owned(),
        output: workspace.root().join("out"),
        ..Options::default()
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let result = generate_command(&options, &Renderer::plain(), &mut out, &mut err);
    let stop = result.unwrap_err().downcast::<DocumentError>().unwrap();
    let found: Vec<&str> = stop
        .findings()
        .iter()
        .map(|one| one.pointer.as_str())
        .collect();
    assert_eq!(found, ["/info/x-rust-package/nam"]);
    assert!(!workspace.exists("out"));
}
