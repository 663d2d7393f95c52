//! Documents and Overlays of any bytes.

use client_generator::generate::code;
use openapi_diff::compare;
use openapi_document::source::Source;
use openapi_overlay::{ChangeKind, Overlay, Selection, apply};
use openapi_overrides::OverrideReport;

/// Separates two documents in the bytes of one target.
const BETWEEN: &str = "\n---\n";

/// A document with most of what the generator reads.
const DOCUMENT: &str = include_str!("../../documents/families/openapi.yaml");

/// Another one: uploads, streams and credentials.
const DEPOT: &str = include_str!("../../documents/depot/openapi.yaml");

const OVERLAY: &str = "\
overlay: 1.1.0
info: {title: t, version: '1'}
actions:
- target: $.paths['/a'][?@.b == 1].c[-1:]
  update: {d: [1]}
- target: $..e
  remove: true
";

const SMALL: &str = "\
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a/{b}:
    get:
      operationId: a
      parameters: [{name: b, in: path, required: true, schema: {type: string, format: uuid}}]
      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components:
  schemas:
    A: {type: object, required: [c], properties: {c: {oneOf: [{type: [integer, 'null']}, {enum: [x, y]}]}, d: {$ref: '#/components/schemas/A'}}}
";

/// Reads bytes as a document; `None` if it cannot be read.
fn read(data: &str) -> Option<Source> {
    Source::parse("openapi.yaml", data.to_owned()).ok()
}

pub(crate) fn sources() -> Vec<Vec<u8>> {
    let yaml = "a: &x {b: [1, 0x1f, 1e3, ~, 'it''s', \"\\u00e9\"]}\n? |\n  c\n: - >-\n    d\n  - *x\n# e\n";
    let json = r#"{"a": [1.50, -0, 1e400, "\ud83d\ude00", {"": null}]}"#;
    vec![yaml.into(), json.into()]
}

/// A file is read, with a place for each of its values or for none, or refused.
pub(crate) fn source(data: &[u8]) {
    let Some(read) = str::from_utf8(data).ok().and_then(read) else {
        return;
    };
    // The reader of places refuses some files that the reader of values takes: findings about these have no excerpt.
    if read.place("").is_none() {
        return;
    }
    openapi_document::pointer::walk(&read.value, "", &mut |pointer, _| {
        assert!(read.place(pointer).is_some(), "no place of {pointer}");
    });
}

pub(crate) fn overlays() -> Vec<Vec<u8>> {
    let document = "paths: {/a: {f: {b: 1, c: [{}, {e: 2}]}}}";
    let single = OVERLAY.split("- target: $..e").next().unwrap_or_default();
    [OVERLAY, single]
        .map(|overlay| format!("{document}{BETWEEN}{overlay}").into_bytes())
        .into()
}

/// An Overlay is refused, or each place that its only action has added or changed is there.
pub(crate) fn overlay(data: &[u8]) {
    let Some((document, overlay)) = pair(data) else {
        return;
    };
    let Ok(actions) = Overlay::read(&overlay) else {
        return;
    };
    let mut value = document.value.clone();
    let changes = apply(&mut value, &actions, &overlay, Selection::MayBeEmpty);
    let Ok(changes) = changes else {
        return;
    };
    // A later action may remove the places of an earlier one.
    let is_single = actions.actions.len() == 1;
    for change in changes.iter().filter(|_| is_single) {
        let is_there = value.pointer(&change.pointer).is_some();
        assert!(is_there || change.kind == ChangeKind::Removed, "{change:?}");
    }
}

/// Reads bytes as two documents.
fn pair(data: &[u8]) -> Option<(Source, Source)> {
    let (first, second) = str::from_utf8(data).ok()?.split_once(BETWEEN)?;
    Some((read(first)?, read(second)?))
}

pub(crate) fn documents() -> Vec<Vec<u8>> {
    [SMALL, DOCUMENT, DEPOT].map(Into::into).into()
}

/// A document becomes Rust, or is refused.
pub(crate) fn generate(data: &[u8]) {
    if let Some(document) = str::from_utf8(data).ok().and_then(read) {
        _ = code(&document, &OverrideReport::default());
    }
}

pub(crate) fn pairs() -> Vec<Vec<u8>> {
    vec![
        format!("{SMALL}{BETWEEN}{}", SMALL.replace("[c]", "[c, d]")).into_bytes(),
        format!("{DOCUMENT}{BETWEEN}{SMALL}").into_bytes(),
    ]
}

/// A document does not differ from itself, and two of them are compared or refused.
pub(crate) fn diff(data: &[u8]) {
    let Some((old, new)) = pair(data) else {
        return;
    };
    _ = compare(&old, &new);
    // Of a reference that leads nowhere, nothing is known.
    let changes = compare(&old, &old).changes;
    let mut rules = changes.iter().map(|change| change.rule.id);
    let is_unknown = rules.any(|rule| rule == "reference.unknown");
    assert!(is_unknown || changes.is_empty(), "{changes:?}");
}
