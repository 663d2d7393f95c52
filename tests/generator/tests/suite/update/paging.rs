//! A new operation that is, or may be, paged.

use super::*;

const THINGS: &str = "  /things:\n";

/// Returns the document with a list of pages, and with these members beside the array in its response.
fn with_list(members: &str) -> String {
    let list = format!(
        "  /pages:
    get:
      operationId: listPages
      parameters:
        - {{name: offset, in: query, schema: {{type: integer, minimum: 0}}}}
        - {{name: limit, in: query, schema: {{type: integer, minimum: 1}}}}
      responses:
        '200':
          description: Pages.
          content:
            application/json:
              schema:
                type: object
                description: Pages.
                properties:
                  things: {{type: array, items: {{$ref: '#/components/schemas/Things'}}}}
                  {members}
"
    );
    edited(THINGS, &format!("{list}{THINGS}"))
}

#[test]
fn a_new_operation_that_may_page_is_decided_by_a_person() {
    let workspace = workspace(&with_list("count: {type: integer}"));
    let (_, stop) = refused(&workspace, &options());
    insta::assert_snapshot!(stop.to_string());

    let accept = Options {
        accept: true,
        ..options()
    };
    let (shown, stop) = run(&workspace, &accept);
    assert_eq!(stop, None);
    assert!(shown.contains("Paging `listPages`: `offset` skips records, accepted in overrides/assumed/paging-list-pages.yaml"), "{shown}");
    insta::assert_snapshot!(workspace.read("overrides/assumed/paging-list-pages.yaml"));
    let builders = workspace.read("generated/src/operations/list_pages.rs");
    assert!(builders.contains("pub fn items(self)"), "{builders}");
    // The update wrote the same files as `regen`.
    workspace.regen(true);
}

#[test]
fn a_new_operation_that_pages_for_certain_is_said() {
    let workspace = workspace(&with_list("total: {type: integer}"));
    let (shown, stop) = run(&workspace, &options());
    assert_eq!(stop, None);
    let line = "Paging `listPages`: `offset` skips records, and `$.total` is the number of records";
    assert!(shown.contains(line), "{shown}");
}

/// An override that revokes it is enough.
#[test]
fn a_new_operation_that_does_not_page_is_no_question() {
    let back = SIZE
        .replace("Things have a size", "Pages do not page")
        .replace(
            "$.components.schemas.Things.properties",
            "$.paths['/pages'].get",
        )
        .replace("size: null", "x-pagination: null")
        .replace(
            "size: {type: integer, description: How large it is.}",
            "x-pagination: false",
        );
    let workspace = workspace(&with_list("count: {type: integer}"));
    let workspace = workspace.file("overrides/assumed/no-pages.yaml", &back);
    workspace.git(&["add", "."]);
    let (shown, stop) = run(&workspace, &options());
    assert_eq!(stop, None, "{shown}");
}
