//! The public items of generated crates: all of ours have a location, and a small surface is reviewed as a whole.

use std::collections::{BTreeMap, BTreeSet};

use client_generator::surface::{self, Kind, Surface};
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;

use crate::support::Inputs;

fn committed() -> (&'static Source, Surface) {
    let reconciled = Inputs::committed().reconciled();
    let surface = surface::read(&reconciled.source, &reconciled.report).unwrap();
    (&reconciled.source, surface)
}

#[test]
fn every_item_of_the_committed_crate_has_a_place_in_its_document() {
    let (document, surface) = committed();
    let mut places = BTreeSet::new();
    let types = surface.items().filter(|item| item.kind == Kind::Type);
    let unions: BTreeSet<_> = types.map(|item| (&item.path, &item.pointer)).collect();
    // The client's handling of URLs belongs to `servers`, which a document may lack.
    let has_servers = document.value.get("servers").is_some();
    for item in surface.items() {
        let arguments = item.arguments.iter().map(|argument| &argument.pointer);
        for pointer in arguments.chain([&item.pointer]) {
            assert!(
                document.value.pointer(pointer).is_some() && (!pointer.is_empty() || !has_servers),
                "{}: {pointer:?}",
                item.path
            );
        }
        // Fields and variants have a location that is unique in their type. A scalar alternative of a union may stand for several of
        // them, and has the location of the union. So has a value of an enumeration that is written in parts.
        let of_type = item.path.rsplit_once("::").map_or("", |(name, _)| name);
        let is_in_parts = (document.value.pointer(&item.pointer))
            .is_some_and(|schema| schema.get("oneOf").or(schema.get("anyOf")).is_some());
        let is_of_type = unions.contains(&(&of_type.to_owned(), &item.pointer));
        let is_shared = is_of_type && (item.signature.contains('(') || is_in_parts);
        if matches!(item.kind, Kind::Field | Kind::Variant)
            && !item.path.ends_with("::Unrecognized")
            && !(item.kind == Kind::Variant && is_shared)
        {
            assert!(
                places.insert((
                    item.path.split("::").nth(1).unwrap().to_owned(),
                    &item.pointer
                )),
                "{}: {}",
                item.path,
                item.pointer
            );
        }
    }
    assert!(surface.items().count() > 500);
}

#[test]
fn a_document_and_itself_do_not_differ() {
    let (_, surface) = committed();
    assert_eq!(surface::compare(&surface, &surface), []);
}

#[test]
fn surface_of_a_small_document() {
    let document = include_str!("bump/read.yaml");
    let source = Source::parse("openapi.yaml", document.to_owned()).unwrap();
    let surface = surface::read(&source, &OverrideReport::default()).unwrap();
    // The re-exports are the same in every crate, and behaviour is code.
    let mut lines: Vec<String> = Vec::new();
    for kind in [
        Kind::Package,
        Kind::Type,
        Kind::Field,
        Kind::Variant,
        Kind::Constant,
        Kind::Function,
    ] {
        for item in surface.items().filter(|item| item.kind == kind) {
            lines.push(format!(
                "{:<36} {}\n{:>40}{}",
                item.path, item.signature, "#", item.pointer
            ));
        }
    }
    let mut traits: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in surface.items().filter(|item| item.kind == Kind::Trait) {
        let (name, of) = item.path["impl ".len()..].split_once(" for ").unwrap();
        traits.entry(of).or_default().push(name);
    }
    lines.extend(
        traits
            .iter()
            .map(|(of, names)| format!("{of}: {}", names.join(", "))),
    );
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_committed_crate_has_no_two_public_types_of_one_name() {
    let (_, surface) = committed();
    let types = surface.items().filter(|item| item.kind == Kind::Type);
    let names = types.filter_map(|item| item.path.rsplit("::").next());
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    let twice: Vec<&[&str]> = names.windows(2).filter(|two| two[0] == two[1]).collect();
    assert!(names.len() > 50 && twice.is_empty(), "{twice:?}");
}
