//! Members of an object beside its properties: `additionalProperties: true` and an empty schema are one.

use crate::support::{Emitted, Workspace};

/// Returns the type of the field for further members, in a type that is read and one that is sent.
fn further(members: &str) -> [Option<String>; 2] {
    let schema = format!("{{type: object, properties: {{x: {{type: string}}}}, {members}}}");
    let workspace = Workspace::with(&format!(
        "openapi: 3.1.0\ninfo: {{title: Small, version: '1'}}\npaths:\n  /things:\n    post:\n      operationId: things\n      \
         requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Sent'}}}}}}}}\n      \
         responses: {{'200': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Read'}}}}}}}}}}\n\
         components:\n  schemas:\n    Sent: {{type: object, properties: {{inner: {schema}}}}}\n    Read: {schema}\n"
    ));
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let types = Emitted::of_workspace(&workspace);
    ["types::Read", "types::SentInner"].map(|name| {
        let field = types.item(name).find("extra")?;
        Some(field.signature.replace(' ', ""))
    })
}

#[test]
fn further_members_are_kept_and_sent_however_a_document_allows_any() {
    for members in [
        "additionalProperties: true",
        "additionalProperties: {}",
        "additionalProperties: 'true'",
        "unevaluatedProperties: true",
        "additionalProperties: {description: Anything.}",
    ] {
        let field = Some("Map<String,Value>".to_owned());
        assert_eq!(further(members), [field.clone(), field], "{members}");
    }
}

#[test]
fn further_members_have_no_field_where_a_document_has_no_word_of_them() {
    for members in ["additionalProperties: false", "title: T"] {
        assert_eq!(further(members), [None, None], "{members}");
    }
}
