//! Bodies that are given part by part: they have no type, and their parts are checked.

use crate::support::{Emitted, Workspace};

/// Generates an upload whose body is required or not, with `more` below the schemas.
fn emitted(required: bool) -> (Workspace, Emitted) {
    let document = format!(
        "openapi: 3.0.3
info: {{title: Uploads, version: '1'}}
security: [{{first: []}}, {{second: []}}]
paths:
  /files:
    post:
      operationId: upload
      requestBody:
        required: {required}
        content: {{multipart/form-data: {{schema: {{$ref: '#/components/schemas/Upload'}}}}}}
      responses: {{'204': {{description: ''}}}}
components:
  securitySchemes:
    first: {{type: http, scheme: basic}}
    second: {{type: http, scheme: bearer}}
  schemas:
    Unused: {{type: object, properties: {{a: {{type: string}}}}}}
    Content: {{type: string, format: binary}}
    Names: {{type: array, maxItems: 3, items: {{type: string}}}}
    Label: {{type: string}}
    Place: {{type: object, properties: {{shelf: {{type: string}}}}}}
    Upload:
      type: object
      required: [title]
      properties:
        title: {{type: string, minLength: 2, maxLength: 9, pattern: '^[a-z]+$'}}
        files: {{type: array, minItems: 1, maxItems: 4, items: {{$ref: '#/components/schemas/Content'}}}}
        names: {{$ref: '#/components/schemas/Names'}}
        size: {{type: integer, maximum: 5}}
        label: {{$ref: '#/components/schemas/Label'}}
        place: {{$ref: '#/components/schemas/Place'}}
"
    );
    let workspace = Workspace::with(&document);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let emitted = Emitted::of_workspace(&workspace);
    (workspace, emitted)
}

#[test]
fn types_that_no_code_of_callers_meets_are_not_there() {
    for required in [true, false] {
        let (workspace, emitted) = emitted(required);
        for name in ["Unused", "Content", "Names", "Upload"] {
            let path = format!("types::{name}");
            assert!(emitted.find(&path).is_none(), "{name}, {required}");
        }
        for name in ["Label", "Place"] {
            let path = format!("types::{name}");
            assert!(emitted.find(&path).is_some(), "{name}, {required}");
        }
        let manifest = workspace.read("generated/manifest.yaml");
        assert!(!manifest.contains("Upload:"), "{manifest}");
        assert!(manifest.contains("Place:"), "{manifest}");
    }
}

#[test]
fn parts_are_checked() {
    for required in [true, false] {
        let (workspace, _) = emitted(required);
        let builder = workspace.read("generated/src/operations/upload.rs");
        for check in [
            r#".require_length("title", &self.title, Some(2), Some(9));"#,
            r#".require_pattern("title", &self.title, &PATTERN);"#,
            r#".require_range("size", *value, None, Some(5));"#,
            r#".require_items("files", self.files.len(), Some(1), Some(4));"#,
            r#".require_items("names", self.names.len(), None, Some(3));"#,
        ] {
            assert!(
                builder.contains(&format!("parts{check}")),
                "{check}: {builder}"
            );
        }
        let manifest = workspace.read("generated/Cargo.toml");
        assert!(manifest.contains("patterns"), "{manifest}");
    }
}

#[test]
fn the_readme_has_a_test_with_each_credential() {
    let (workspace, _) = emitted(true);
    let readme = workspace.read("generated/README.md");
    for line in [
        r#".credential(credentials::first("user", "k"))"#,
        r#".credential(credentials::second("k"))"#,
    ] {
        assert!(readme.contains(line), "{readme}");
    }
}
