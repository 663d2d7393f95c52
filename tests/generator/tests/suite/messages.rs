//! Messages about bad input: rule, file, location, problem, and next step.

use crate::support::Workspace;

const DOCUMENT: &str = r#"openapi: 3.0.3
info: {title: Small, version: "1"}
paths:
  /things:
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
        name: {type: string}
        kind: {type: string, enum: [a, b]}
"#;

/// Creates a workspace with an override of these actions.
fn with_override(actions: &str) -> Workspace {
    Workspace::with(DOCUMENT).file(
        "overrides/upstream/x.yaml",
        &format!(
            "overlay: 1.1.0\n\
             info: {{title: X, version: 1.0.0}}\n\
             x-override: {{published: p, observed: o, reference: '1', retire-when: r}}\n\
             actions:\n{actions}"
        ),
    )
}

/// Creates a workspace with a paged operation that has this statement.
fn paged(pagination: &str) -> Workspace {
    let document = edited_document(
        "        name: {type: string}\n",
        "        name: {type: string}\n        total: {type: integer}\n        matrix: {type: array, items: {type: array, items: {type: string}}}\n        groups: &groups\n          type: array\n          items: {type: object, properties: {id: {type: string}, count: {type: integer}, rows: {type: array, items: {type: string}}, maps: {type: array, items: {type: object}}}}\n        others: *groups\n        grid: {type: array, items: *groups}\n",
    );
    let parameter = "        - {name: size, in: query, schema: {type: integer}}\n";
    let parameters = "        - {name: skip, in: query, schema: {type: integer}}\n        - {name: word, in: query, schema: {type: string}}\n";
    let document = document.replace(parameter, &format!("{parameter}{parameters}"));
    Workspace::with(&document.replace(
        "      operationId: things\n",
        &format!("      operationId: things\n      x-pagination: {pagination}\n"),
    ))
}

/// Returns the document with one string replaced.
fn edited_document(from: &str, to: &str) -> String {
    assert!(DOCUMENT.contains(from));
    DOCUMENT.replace(from, to)
}

fn edited(from: &str, to: &str) -> Workspace {
    Workspace::with(&edited_document(from, to))
}

fn told(workspace: Workspace) -> String {
    workspace.failure()
}

macro_rules! messages {
    ($($name:ident: $workspace:expr;)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(told($workspace));
            }
        )*
    };
}

messages! {
    operations_that_share_a_type: edited("  /things:\n", "  /a1: {get: {operationId: a_1, responses: {'204': {description: d}}}, put: {operationId: a1, responses: {'204': {description: d}}}}\n  /things:\n");
    operation_that_hides_a_type: edited("operationId: things", "operationId: result");
    parameter_called_as_the_body: edited("{name: size, in: query, schema: {type: integer}}\n", "{name: body, in: query, schema: {type: integer}}\n      requestBody: {content: {application/json: {schema: {}}}}\n");
    path_parameter_without_a_place: edited("name: size, in: query,", "name: size, in: path, required: true,");
    path_item_that_two_paths_share: edited("components:\n", "  /others: {$ref: '#/paths/~1things'}\ncomponents:\n");
    operation_at_an_unknown_address: edited("      operationId: things\n", "      operationId: things\n      servers: [{url: 'http://other.invalid'}]\n");
    alias_that_is_a_property: edited("name: {type: string}", "name: {type: string, x-aliases: [kind]}");
    aliases_that_are_no_list: edited("name: {type: string}", "name: {type: string, x-aliases: title}");
    spelling_of_no_enum_value: edited("enum: [a, b]", "enum: [a, b], x-aliases: {c: [C]}");
    id_of_another_operation: edited("  /things:\n", "  /others: {get: {operationId: other, x-operation-id: things, responses: {'204': {description: d}}}}\n  /things:\n");
    name_of_another_operation: edited("  /things:\n", "  /others: {get: {operationId: other, x-rust-name: things, responses: {'204': {description: d}}}}\n  /things:\n");
    no_operation: Workspace::with("openapi: 3.0.3\ninfo: {title: None, version: '1'}\npaths: {}\n");
    merge_key: edited("    Things:\n", "    Base: &base {type: object}\n    Things:\n      <<: *base\n");
    override_in_an_unknown_folder: Workspace::with(DOCUMENT).file("overrides/upstrem/x.yaml", "overlay: 1.1.0\n");
    price_by_an_unknown_parameter: with_override("  - target: $.paths['/things'].get\n    update: {x-credits-by: [limit, skip]}\n");
    price_with_an_unknown_parameter: with_override("  - target: $.paths['/things'].get\n    update: {x-credits: [{credits: 1, when: {skip: present}}]}\n");
    missing_document: Workspace::new();
    yaml_mistake: edited("paths:\n", "paths: [\n");
    duplicate_key: edited("        name: {type: string}\n", "        name: {type: string}\n        name: {type: integer}\n");
    not_openapi: Workspace::with("hello: world\n");
    swagger_2: edited("openapi: 3.0.3", "swagger: '2.0'");
    openapi_4: edited("openapi: 3.0.3", "openapi: 4.0.0");
    openapi_of_a_later_version: edited("openapi: 3.0.3", "openapi: 3.7.0");
    malformed_parameter: edited("{name: size, in: query,", "{in: query,");
    dangling_reference: edited("schemas/Things'}", "schemas/Thing'}");
    reference_to_a_url: edited("'#/components/schemas/Things'", "'https://example.com/things.yaml#/Things'");
    reference_to_another_file: edited("'#/components/schemas/Things'", "'things.yaml#/Things'");
    types_that_collide: edited("    Things:\n", "    things:\n      type: object\n    Things:\n");
    setter_that_hides_send: edited("name: size", "name: send");
    key_in_a_header_without_a_name: edited("components:\n", "security: [{k: []}]\ncomponents:\n  securitySchemes: {k: {type: apiKey, in: header, name: a key}}\n");
    security_scheme_that_is_missing: edited("components:\n", "security: [{k: []}, {other: []}]\ncomponents:\n  securitySchemes: {k: {type: http, scheme: basic}}\n");
    two_credentials_in_one_header: edited("components:\n", "security: [{k: [], l: []}, {l: []}]\ncomponents:\n  securitySchemes: {k: {type: http, scheme: basic}, l: {type: oauth2, flows: {}}}\n");
    credential_that_is_a_parameter: edited("components:\n", "security: [{k: []}]\ncomponents:\n  securitySchemes: {k: {type: apiKey, in: query, name: size}}\n");

    target_that_selects_nothing: with_override("  - target: $.components.schemas.Thing\n    update: {description: d}\n");
    target_that_is_no_json_path: with_override("  - target: $.paths./things\n    update: {description: d}\n");
    update_of_another_kind: with_override("  - target: $.components.schemas.Things\n    update: {properties: text}\n");
    action_without_effect: with_override("  - target: $.info\n");
    misspelt_action: with_override("  - target: $.info\n    updates: {}\n");
    unknown_extension: with_override("  - target: $.components.schemas.Things.properties.name\n    update: {x-alias: [n]}\n");
    malformed_extension: with_override("  - target: $.paths['/things'].get\n    update: {x-pagination: {limit: size}}\n");
    pagination_that_leads_nowhere: with_override("  - target: $.paths['/things'].get\n    update: {x-pagination: {items: $.data, limit: size, offset: skip}}\n");
    pages_of_no_body: Workspace::with(&DOCUMENT.replace("      operationId: things\n", "      operationId: things\n      x-pagination: {items: $.data, limit: size, offset: size}\n").replace("          content:\n            application/json:\n              schema: {$ref: '#/components/schemas/Things'}\n", ""));
    pages_of_lists_in_lists: paged("{items: '$.matrix[*]', limit: size, offset: skip}");
    pages_through_a_list_in_a_list: paged("{items: '$.grid[*][*].rows', key: '$.grid[*][*].id', limit: size, offset: skip}");
    pages_of_maps: paged("{items: '$.groups[*].maps', key: '$.groups[*].id', limit: size, offset: skip}");
    pages_of_several_lists_that_nothing_tells_apart: paged("{items: '$.groups[*].rows', total: $.total, limit: word, offset: skip}");
    pages_whose_total_and_key_are_of_other_lists: paged("{items: '$.groups[*].rows', total: '$.others[*].count', key: '$.others[*].id', limit: size, offset: skip}");
    pages_whose_total_and_key_are_of_other_types: paged("{items: '$.groups[*].rows', total: '$.groups[*].id', key: '$.groups[*].count', limit: size, offset: skip, requires: gone}");
    pages_by_several_things: paged("{items: '$.groups', limit: size, offset: skip, cursor: word}");
    pages_by_a_cursor_from_nowhere: paged("{items: '$.groups', cursor: word}");
    pages_by_members_of_other_types: paged("{items: '$.groups', page: word, pages: $.name, first: 0, more: $.total}");
    pages_by_a_link_with_what_it_lacks: paged("{items: '$.groups[*].rows', key: '$.groups[*].id', total: $.total, next: '$.groups[-1].gone', pages: $.total}");
    pages_by_what_is_not_documented: paged("{items: '$.groups[*].rows', key: '$.groups[*].id', offset: '$request.body#/skip', total: '$response.header.X-Total', short-is-last: true}");
    waiter_that_leads_nowhere: edited("      operationId: things\n", "      operationId: things\n      x-waiter: {done: $.gone, failed: $.name.reason}\n");
    waiter_without_a_failure: edited("      operationId: things\n", "      operationId: things\n      x-waiter: {done: $.name}\n");
    unknown_rust_type: with_override("  - target: $.components.schemas.Things.properties.name\n    update: {x-rust-type: Money}\n");
    two_overrides_at_once: with_override("  - target: $.gone\n    remove: true\n").file(
        "overrides/assumed/y.yaml",
        "overlay: 1.1.0\ninfo: {title: Y, version: 1.0.0}\nx-override: {published: p, observed: o, reference: '1', retire-when: r}\nactions: [{target: $.lost, remove: true}]\n",
    );
    override_that_says_nothing_of_itself: Workspace::with(DOCUMENT).file(
        "overrides/upstream/x.yaml",
        "overlay: 1.1.0\ninfo: {title: X, version: 1.0.0}\nactions: [{target: $.info, update: {}}]\n",
    );
    override_without_a_title: Workspace::with(DOCUMENT).file(
        "overrides/assumed/x.yaml",
        "overlay: 1.1.0\ninfo: {title: '', version: 1.0.0}\nx-override: {published: p, observed: o, reference: '1', retire-when: r}\nactions: [{target: $.components.schemas.Things.properties.name, x-expect: {maxLength: null}, update: {maxLength: 9}}]\n",
    );
    evidence_that_is_missing: Workspace::with(DOCUMENT).file(
        "overrides/upstream/x.yaml",
        "overlay: 1.1.0\ninfo: {title: X, version: 1.0.0}\nx-override: {published: p, observed: o, reference: '1', retire-when: r, evidence: [evidence/x.json]}\nactions: [{target: $.info, update: {}}]\n",
    );
    same_id_twice: with_override("  - target: $.info\n    update: {description: d}\n").file(
        "overrides/generator/x.yaml",
        "overlay: 1.1.0\ninfo: {title: X, version: 1.0.0}\nx-override: {published: p, observed: o, reference: '1', retire-when: r}\nactions: [{target: $.info, update: {}}]\n",
    );
}
