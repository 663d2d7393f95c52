//! The required parts of a response type: its content, and nothing in the records.

use crate::support::{Emitted, Workspace};

fn oddities() -> Emitted {
    let workspace = Workspace::fixture("oddities");
    let (_, output) = workspace.regen(false);
    assert!(workspace.exists("generated/src/types.rs"), "{output}");
    Emitted::of_workspace(&workspace)
}

/// Returns whether the table of a struct has this row.
fn has_row(emitted: &Emitted, ty: &str, row: &str) -> bool {
    let table = emitted.item(&format!("types::object! {ty}"));
    table.contains(row)
}

#[test]
fn content_is_there_and_what_stands_beside_it_is_set_aside() {
    let emitted = oddities();
    let envelope = emitted.item("types::Envelope");
    for (name, ty) in [
        ("list", "Vec<Leaf>"),
        ("map", "::std::collections::BTreeMap<String, i64>"),
        ("free", "::serde_json::Map<String, ::serde_json::Value>"),
        ("choice", "EnvelopeChoice"),
        ("leaf", "Leaf"),
        ("twin", "EnvelopeWire"),
        ("last", "Leaf"),
        ("sum", "Option<i64>"),
        ("leaf_beside", "Option<Leaf>"),
    ] {
        let field = envelope.member(name);
        assert!(
            field.is_public && field.is(ty),
            "{name}: {}",
            field.signature
        );
    }
    for (name, function) in [
        ("list", "content_entries"),
        ("map", "content_entries"),
        ("free", "content"),
        ("sum", "optional"),
        ("list_beside", "entries"),
        ("map_beside", "entries"),
        ("free_beside", "fitting"),
        ("leaf_beside", "optional"),
        ("cost", "lenient"),
        ("leaf", "required"),
    ] {
        let row = format!("{name}: {function} \"{name}\"");
        assert!(has_row(&emitted, "Envelope", &row), "{row}");
    }
}

#[test]
fn a_response_without_content_has_one_of_its_members_and_a_record_may_have_none() {
    let emitted = oddities();
    assert!(has_row(&emitted, "Receipt", "needs [number, note]"));
    // Null is what the document promises, and reads like nothing.
    assert!(!has_row(&emitted, "Slip", "needs"));
    // It is a record elsewhere, and those stay tolerant.
    assert!(!has_row(&emitted, "Leaf", "needs"));
    let of = emitted.item("types::Leaf").member("of");
    assert!(of.is_public && of.is("String"), "{}", of.signature);
}

#[test]
fn lists_under_several_names_are_read_as_lists_under_one_are() {
    let emitted = oddities();
    for row in [
        "lists: entries \"lists\" | \"rows\"",
        "maps: entries \"maps\" | \"columns\"",
    ] {
        assert!(has_row(&emitted, "EnvelopeWire", row), "{row}");
    }
}
