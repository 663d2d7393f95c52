//! Tests of the command and its output.

use openapi_crate::commands::diff::diff;
use openapi_diff::Wire;
use openapi_diff::command::{Format, Options};
use openapi_document::finding::DocumentError;
use serde_json::Value;

use crate::support::{Workspace, repository};

pub(super) const OLD: &str = "\
openapi: 3.0.3
info: {title: Library, version: '1'}
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - {name: limit, in: query, schema: {type: integer, maximum: 100}}
      responses:
        '200':
          description: Some books
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Book'}}
  /books/{id}:
    put:
      operationId: putBook
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Book'}
      responses:
        '200': {description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/Book'}}}}
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties:
        title: {type: string, description: The title}
        pages: {type: integer}
";

pub(super) fn new() -> String {
    OLD.replace("maximum: 100", "maximum: 50")
        .replace(
            "pages: {type: integer}",
            "pages: {type: string}\n        genre: {type: string}",
        )
        .replace("description: The title", "description: Its title")
}

pub(crate) const PLAIN: Options = Options {
    documents: None,
    root: None,
    wire_only: true,
    format: Format::Text,
    colour: false,
    expand: false,
    fail_on: None,
};

/// Compares Rust, too.
const WITH_RUST: Options = Options {
    wire_only: false,
    ..PLAIN
};

/// Creates a repository whose published document was committed as [`OLD`].
pub(super) fn committed(now: &str) -> Workspace {
    let workspace = Workspace::with(OLD);
    let author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    workspace.git(&["init", "--quiet"]);
    workspace.git(&["add", "."]);
    workspace.git(&[&author[..], &["commit", "--quiet", "--message", "First"]].concat());
    workspace.file("spec/openapi.yaml", now)
}

pub(super) fn run(workspace: &Workspace, options: &Options) -> anyhow::Result<(bool, String)> {
    let mut out = Vec::new();
    let fine = diff(&workspace.layout(), options, &mut out)?;
    Ok((fine, String::from_utf8(out).unwrap()))
}

#[test]
fn the_published_document_is_compared_with_what_was_committed() {
    let (fine, text) = run(&committed(&new()), &PLAIN).unwrap();
    assert!(fine);
    insta::assert_snapshot!(text);
}

#[test]
fn a_pull_request_shows_what_matters_and_folds_the_rest() {
    let options = Options {
        format: Format::Markdown,
        wire_only: false,
        ..PLAIN
    };
    let (_, text) = run(&committed(&new()), &options).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn each_change_says_what_it_does_to_callers_rust() {
    let (_, text) = run(&committed(&new()), &WITH_RUST).unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn a_side_without_a_crate_leaves_rust_unknown_and_says_why() {
    let no_crate = OLD.replace(
        "pages: {type: integer}",
        "pages: {type: integer, x-aliases: 5}",
    );
    let workspace = committed(&no_crate);
    let (_, text) = run(&workspace, &WITH_RUST).unwrap();
    assert!(text.contains("Rust unknown: "), "{text}");
}

/// An override that applies to [`OLD`].
const RENAMED: &str = "\
overlay: 1.1.0
info: {title: Pages are counted, version: 1.0.0}
x-override:
  published: The property is called pages.
  observed: It is a number of pages.
  reference: '1'
  retire-when: The property has another name.
actions:
  - target: $.components.schemas.Book.properties.pages
    x-expect: {type: integer}
    update: {x-rust-name: page_count}
";

#[test]
fn the_rust_of_the_published_document_is_what_the_overrides_make_of_it() {
    let workspace = committed(&OLD.replace("maximum: 100", "maximum: 50"))
        .file("overrides/generator/pages.yaml", RENAMED);
    let (_, text) = run(&workspace, &WITH_RUST).unwrap();
    assert!(text.ends_with("Rust minor\n"), "{text}");
    let gone = OLD.replace("        pages: {type: integer}\n", "");
    let workspace = workspace.file("new.yaml", &gone);
    let name = |path: &str| workspace.root().join(path).to_string_lossy().into_owned();
    let options = Options {
        documents: Some((name("spec/openapi.yaml"), name("new.yaml"))),
        ..WITH_RUST
    };
    let (_, text) = run(&workspace, &options).unwrap();
    assert!(text.contains("Rust unknown: "), "{text}");
    assert!(text.contains("overrides/generator/pages.yaml"), "{text}");
}

#[test]
fn an_override_that_drifted_hides_no_change_of_the_wire() {
    let drifted = OLD
        .replace("maximum: 100", "maximum: 50")
        .replace("pages: {type: integer}", "pages: {type: number}");
    let workspace = committed(&drifted).file("overrides/generator/pages.yaml", RENAMED);
    let (is_known, text) = run(&workspace, &WITH_RUST).unwrap();
    assert!(text.contains("`maximum` changed from 100 to 50"), "{text}");
    assert!(text.contains("Rust unknown: "), "{text}");
    assert!(text.contains("overrides/generator/pages.yaml"), "{text}");
    assert!(is_known);
}

#[test]
fn colours_are_for_terminals() {
    let workspace = committed(&new());
    let plain = run(&workspace, &PLAIN).unwrap().1;
    let options = Options {
        colour: true,
        ..PLAIN
    };
    let coloured = run(&workspace, &options).unwrap().1;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let red = "\u{1b}[1m\u{1b}[31mbreaking";
    assert!(coloured.contains(red), "{coloured:?}");
}

#[test]
fn the_same_document_changes_nothing() {
    let options = Options {
        fail_on: Some(Wire::Safe),
        ..PLAIN
    };
    let (fine, text) = run(&committed(OLD), &options).unwrap();
    assert!(fine);
    assert_eq!(text, "        Wire nothing changes on the wire\n");
}

#[test]
fn fail_on_decides_whether_the_answer_is_no() {
    let safe = OLD.replace(
        "pages: {type: integer}",
        "pages: {type: integer}\n        genre: {type: string}",
    );
    let workspace = committed(&safe);
    for (limit, fine) in [
        (Wire::Breaking, true),
        (Wire::Risky, true),
        (Wire::Safe, false),
    ] {
        let options = Options {
            fail_on: Some(limit),
            ..PLAIN
        };
        assert_eq!(run(&workspace, &options).unwrap().0, fine, "{limit}");
    }
}

#[test]
fn json_output_keeps_to_its_schema() {
    let schema: Value = serde_json::from_str(include_str!(
        "../../../../../crates/diff/src/report/report.schema.json"
    ))
    .unwrap();
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("report.schema.json", schema).unwrap();
    let index = compiler
        .compile("report.schema.json", &mut schemas)
        .unwrap();
    let dangling = new().replace("$ref: '#/components/schemas/Book'", "$ref: other.yaml");
    let report = |now: &str, wire_only: bool| -> Value {
        let options = Options {
            format: Format::Json,
            wire_only,
            ..PLAIN
        };
        let (_, text) = run(&committed(now), &options).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    for (now, wire_only) in [
        (&*new(), true),
        (&new(), false),
        (&dangling, false),
        (OLD, false),
    ] {
        let report = report(now, wire_only);
        if let Err(error) = schemas.validate(&report, index) {
            panic!("{error:#}\n{report}");
        }
    }
    let mut wrong = report(&dangling, true);
    assert!(!wrong["findings"].as_array().unwrap().is_empty());
    wrong["wire"] = "perhaps".into();
    assert!(schemas.validate(&wrong, index).is_err());
}

#[test]
fn any_two_revisions_and_files_can_be_named() {
    let workspace = committed(&new());
    let with_itself = |document: &str| Options {
        documents: Some((document.to_owned(), document.to_owned())),
        ..PLAIN
    };
    let here = workspace.root().join("spec/openapi.yaml");
    let (_, text) = run(&workspace, &with_itself(here.to_str().unwrap())).unwrap();
    assert!(text.contains("nothing changes"), "{text}");
    for missing in [
        "HEAD:spec/none.yaml",
        "nothing:spec/openapi.yaml",
        "--output=x:y",
        "none.yaml",
    ] {
        let error = run(&workspace, &with_itself(missing)).unwrap_err();
        let stop = error.downcast_ref::<DocumentError>().unwrap();
        let is_unreadable = matches!(stop, DocumentError::Unreadable(_));
        assert!(is_unreadable, "{missing}: {stop}");
    }
}

#[test]
fn what_is_no_openapi_3_document_is_refused_with_its_place() {
    for (now, message) in [
        ("swagger: '2.0'\n", "this is a Swagger 2.0 document"),
        ("openapi: 4.0.0\n", "is not version 3"),
        ("openapi: 3\n", "is not version 3"),
        ("- openapi\n", "lacks `openapi`"),
    ] {
        let error = run(&committed(now), &PLAIN).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert!(error.contains("spec/openapi.yaml:1:"), "{error}");
    }
}

#[test]
fn the_overrides_apply_to_both_documents_of_this_repository() {
    let layout = crate::support::tool::layout(repository());
    let document = repository().join(&layout.document);
    let document = document.to_str().unwrap().to_owned();
    let options = Options {
        documents: Some((document.clone(), document)),
        wire_only: false,
        ..PLAIN
    };
    let mut out = Vec::new();
    assert!(diff(&layout, &options, &mut out).unwrap());
    let expected = "        Wire nothing changes on the wire\n        Rust none\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}
