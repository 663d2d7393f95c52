//! Files that are valid or invalid Overlays of 1.2, from the tests of the specification, in rows.

use openapi_document::source::Source;
use openapi_overlay::Overlay;
use serde_json::{Value, json};

/// Members of an Overlay that is valid: they replace those of the smallest one.
#[rustfmt::skip]
const PASS: &[&str] = &[
    "{}",
    "{info: {title: T, version: '1', description: D, x-a: {}}, x-a: {}}",
    "{actions: [{target: $, description: D, x-a: {}}]}",
    "{extends: /openapi.yaml, actions: [{target: $, update: {info: {x-a: b}, components: null, tags: []}}]}",
    r#"{actions: [{target: "$.paths['/a'].get", update: {description: D}}, {target: "$.paths['/a']", update: {post: {x-safe: false}}}]}"#,
    "{actions: [{target: $.paths.*.get.parameters, update: {name: a, in: query}, remove: true}]}",
    r#"{actions: [{target: "$.paths.*.get.parameters[?@.name=='a' && @.in=='query']", remove: true}]}"#,
    r#"{actions: [{target: "$.paths[?@.get['x-oai-traits'][?@ == 'paged']].get", update: {parameters: []}}]}"#,
    r#"{actions: [{target: '$.paths["/a"]', copy: '$.paths["/b"]'}]}"#,
    "{$self: 'https://example.com/a.overlay.yaml', extends: 'https://example.com/openapi.yaml'}",
    "{$self: a.overlay.yaml, extends: ../openapi.yaml}",
    "{components: {}}",
    "{components: {x-a: {}, actions: {a: {fields: {update: {b: 1}}}}}, actions: [{$ref: '#/components/actions/a', target: $.info}]}",
    "{components: {actions: {a: {description: D, x-a: {}, fields: {description: D, remove: true, x-a: {}}}}}, actions: [{$ref: '#/components/actions/a', target: $.info, description: D, x-a: {}}]}",
    "{components: {actions: {a: {fields: {}}, b: {}}}, actions: [{target: $}, {$ref: '#/components/actions/b', target: $}]}",
    "{components: {actions: {a/b~c: {}}}, actions: [{$ref: '#/components/actions/a~1b~0c', target: $}]}",
    "{components: {actions: {a b: {}}}, actions: [{$ref: '#/components/actions/a%20b', target: $}]}",
];

/// Members that are refused, where, and what the message begins with. Null takes a member away.
#[rustfmt::skip]
const FAIL: &[(&str, &str, &str)] = &[
    ("{overlay: 2}", "/overlay", "`overlay` must be a string"),
    ("{overlay: '1.2'}", "/overlay", "Overlay version `1.2` is not supported: 1.0, 1.1 and 1.2 are"),
    ("{overlay: null}", "", "`overlay` is missing"),
    ("{invalid: true}", "/invalid", "`invalid` is not known here; known are overlay, $self, info, extends, actions, components"),
    ("{extends: {}}", "/extends", "`extends` must be a string"),
    ("{extends: 'https://example.com/a.yaml#/paths'}", "/extends", "`extends` names a whole document"),
    ("{$self: {}}", "/$self", "`$self` must be a string"),
    ("{$self: 'https://example.com/a.yaml#b'}", "/$self", "`$self` names a whole document"),
    ("{info: null}", "", "`info` is missing"),
    ("{info: invalid}", "/info", "an object is expected here"),
    ("{info: {version: '1'}}", "/info", "`title` is missing"),
    ("{info: {title: T}}", "/info", "`version` is missing"),
    ("{info: {title: 100, version: '1'}}", "/info/title", "`title` must be a string"),
    ("{info: {title: T, version: false}}", "/info/version", "`version` must be a string"),
    ("{info: {title: T, version: '1', description: 100}}", "/info/description", "`description` must be a string"),
    ("{info: {title: T, version: '1', invalid: true}}", "/info/invalid", "`invalid` is not known here"),
    ("{actions: null}", "", "`actions` is missing"),
    ("{actions: {}}", "/actions", "`actions` is a list of at least one action"),
    ("{actions: []}", "/actions", "`actions` is a list of at least one action"),
    ("{actions: [123]}", "/actions/0", "an object is expected here"),
    ("{actions: [{target: $, update: a}, {target: $, update: a}]}", "/actions/1", "this action repeats an earlier one"),
    ("{actions: [{update: a}]}", "/actions/0", "`target` is missing"),
    ("{actions: [{target: 100}]}", "/actions/0/target", "`target` must be a string"),
    ("{actions: [{target: info.description, update: a}]}", "/actions/0/target", "`info.description` is not an RFC 9535 JSONPath"),
    // The tests of the specification accept this one, RFC 9535 does not: a name with a hyphen needs brackets.
    ("{actions: [{target: '$.paths.*.get[?@.x-oai-traits.paged]'}]}", "/actions/0/target", "`$.paths.*.get[?@.x-oai-traits.paged]` is not an RFC 9535 JSONPath"),
    ("{actions: [{target: $, description: 10}]}", "/actions/0/description", "`description` must be a string"),
    ("{actions: [{target: $, copy: 100}]}", "/actions/0/copy", "`copy` must be a string"),
    ("{actions: [{target: $, remove: maybe}]}", "/actions/0/remove", "`remove` is true or false"),
    ("{components: []}", "/components", "an object is expected here"),
    ("{components: {invalid: true}}", "/components/invalid", "`invalid` is not known here; known are actions"),
    ("{components: {actions: []}}", "/components/actions", "an object is expected here"),
    ("{components: {actions: {a: text}}}", "/components/actions/a", "an object is expected here"),
    ("{components: {actions: {a: {invalid: true}}}}", "/components/actions/a/invalid", "`invalid` is not known here; known are description, fields"),
    ("{components: {actions: {a: {update: {}}}}}", "/components/actions/a/update", "`update` is not known here; known are description, fields"),
    ("{components: {actions: {a: {description: 42}}}}", "/components/actions/a/description", "`description` must be a string"),
    ("{components: {actions: {a: {fields: text}}}}", "/components/actions/a/fields", "an object is expected here"),
    ("{components: {actions: {a: {fields: {invalid: true}}}}}", "/components/actions/a/fields/invalid", "`invalid` is not known here"),
    ("{components: {actions: {a: {fields: {target: $}}}}}", "/components/actions/a/fields/target", "`target` is not known here"),
    ("{components: {actions: {a: {fields: {description: 42}}}}}", "/components/actions/a/fields/description", "`description` must be a string"),
    ("{components: {actions: {a: {fields: {remove: maybe}}}}}", "/components/actions/a/fields/remove", "`remove` is true or false"),
    ("{components: {actions: {a: {fields: {copy: info}}}}}", "/components/actions/a/fields/copy", "`info` is not an RFC 9535 JSONPath"),
    ("{components: {actions: {a: {fields: {copy: $, update: a}}}}}", "/components/actions/a/fields", "an action has `update` or `copy`, not both"),
    // A circle, and a chain.
    ("{components: {actions: {a: {$ref: '#/components/actions/a'}}}}", "/components/actions/a/$ref", "an element of `actions` alone has a `$ref`"),
    ("{components: {actions: {a: {fields: {$ref: '#/components/actions/b'}}, b: {}}}}", "/components/actions/a/fields/$ref", "an element of `actions` alone has a `$ref`"),
    ("{components: {actions: {a: {}}}, actions: [{$ref: '#/components/actions/a'}]}", "/actions/0", "`target` is missing"),
    ("{actions: [{$ref: 100, target: $}]}", "/actions/0/$ref", "`$ref` must be a string"),
    ("{actions: [{$ref: '#/components/actions/a', target: $}]}", "/actions/0/$ref", "`components.actions` has no `a`"),
    ("{components: {actions: {errors: {}}}, actions: [{$ref: '#/components/actions/error', target: $}]}", "/actions/0/$ref", "`components.actions` has no `error`: did you mean `errors`?"),
    ("{actions: [{$ref: '#/components/notActions/a', target: $}]}", "/actions/0/$ref", "`#/components/notActions/a` is not a reusable action: expected `#/components/actions/NAME`"),
    ("{actions: [{$ref: '#/actions/0', target: $}]}", "/actions/0/$ref", "`#/actions/0` is not a reusable action"),
    ("{actions: [{$ref: 'b.yaml#/components/actions/a', target: $}]}", "/actions/0/$ref", "`b.yaml#/components/actions/a` is not a reusable action"),
    ("{components: {actions: {a/b: {}}}, actions: [{$ref: '#/components/actions/a/b', target: $}]}", "/actions/0/$ref", "`#/components/actions/a/b` is not a reusable action"),
    ("{components: {actions: {a~b: {}}}, actions: [{$ref: '#/components/actions/a~b', target: $}]}", "/actions/0/$ref", "`#/components/actions/a~b` is not a reusable action"),
    ("{components: {actions: {a: {}}}, actions: [{$ref: '#/components/actions/a', target: $, update: {}}]}", "/actions/0/update", "`update` is not known here; known are $ref, target, description"),
    ("{components: {actions: {a: {}}}, actions: [{$ref: '#/components/actions/a', target: $, copy: $}]}", "/actions/0/copy", "`copy` is not known here"),
    ("{components: {actions: {a: {}}}, actions: [{$ref: '#/components/actions/a', target: $, remove: true}]}", "/actions/0/remove", "`remove` is not known here"),
    ("{overlay: 1.1.0, components: {}}", "/components", "`components` is of Overlay 1.2, and this is 1.1; known are overlay, info, extends, actions"),
    ("{overlay: 1.0.0, $self: a.yaml}", "/$self", "`$self` is of Overlay 1.2, and this is 1.0"),
    ("{overlay: 1.1.0, actions: [{$ref: '#/components/actions/a', target: $}]}", "/actions/0/$ref", "`$ref` is of Overlay 1.2, and this is 1.1"),
];

/// Returns the errors of the smallest Overlay with these members: a pointer and a message each.
fn wrong(members: &str) -> Vec<(String, String)> {
    let mut overlay = json!({
        "overlay": "1.2.0",
        "info": {"title": "T", "version": "1"},
        "actions": [{"target": "$"}],
    });
    let members: Value = serde_yaml::from_str(members).unwrap();
    for (key, member) in members.as_object().unwrap() {
        overlay[key] = member.clone();
    }
    let root = overlay.as_object_mut().unwrap();
    root.retain(|_, member| !member.is_null());
    let source = Source::parse("overlay.json", overlay.to_string()).unwrap();
    let findings = Overlay::read(&source).err().unwrap_or_default();
    let findings = findings.into_iter();
    findings.map(|one| (one.pointer, one.message)).collect()
}

#[test]
fn what_the_specification_takes_is_taken() {
    for members in PASS {
        assert_eq!(wrong(members), [], "{members}");
    }
}

#[test]
fn what_the_specification_refuses_is_refused_at_its_place() {
    let mut other = Vec::new();
    for (members, pointer, message) in FAIL {
        let found = wrong(members);
        match found.as_slice() {
            [(at, wrote)] if at == pointer && wrote.starts_with(message) => {}
            _ => other.push(format!("{members}: {found:?}")),
        }
    }
    assert_eq!(other, [""; 0]);
}

#[test]
fn a_fragment_of_a_document_is_no_concern_of_1_1() {
    assert_eq!(wrong("{overlay: 1.1.0, extends: 'a.yaml#/paths'}"), []);
}

#[test]
fn the_guard_of_an_action_comes_before_that_of_its_reusable_action() {
    let text = json!({
        "overlay": "1.2.0",
        "info": {"title": "T", "version": "1"},
        "components": {"actions": {"a": {"fields": {"x-expect": 1, "update": 2}}}},
        "actions": [
            {"$ref": "#/components/actions/a", "target": "$.a"},
            {"$ref": "#/components/actions/a", "target": "$.b", "x-expect": 3},
        ],
    });
    let source = Source::parse("overlay.json", text.to_string()).unwrap();
    let overlay = Overlay::read(&source).unwrap();
    let guards: Vec<_> = overlay.actions.iter().map(|one| &one.guard).collect();
    assert_eq!(guards, [&Some(json!(1)), &Some(json!(3))]);
    let [first, second] = overlay.actions.as_slice() else {
        panic!("{overlay:?}");
    };
    assert_eq!(
        (&*first.pointer, &*second.pointer),
        ("/actions/0", "/actions/1")
    );
    assert_eq!(first.fields, "/components/actions/a/fields");
}
