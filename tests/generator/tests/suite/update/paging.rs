//! A new operation that looks as if it were paged.

use super::*;
use crate::support::builder;

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
fn a_new_operation_that_only_looks_paged_does_not_page() {
    let workspace = workspace(&with_list("count: {type: integer}"));
    let shown = done(&workspace, &options());
    let line = "New `listPages` (`GET /pages`): not paged";
    assert!(shown.contains(line), "{shown}");
    let builders = workspace.read("generated/src/operations.rs");
    let builders = builder(&builders, "LIST_PAGES");
    assert!(!builders.contains("pub fn items(self)"), "{builders}");
}
