//! That imports are found however they are written, on small made-up crates: a check that finds nothing proves nothing.

use super::graph::Graph;
use super::imports;
use super::modules::Files;

/// The crate of these files, of which the first is the root.
fn graph(files: &[(&str, &str)]) -> Graph {
    let texts: Files = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    let mut graph = Graph::default();
    imports::read(&texts, files[0].0, &mut graph);
    graph
}

/// The imports of a crate as `low -> high`.
fn edges(files: &[(&str, &str)]) -> Vec<String> {
    let name = |file: &str| {
        file.trim_start_matches("src/")
            .trim_end_matches(".rs")
            .to_owned()
    };
    graph(files)
        .edges()
        .map(|(from, to, _)| format!("{} -> {}", name(from), name(to)))
        .collect()
}

/// The imports of `low` in a crate where `high` has the items `Thing`, `make` and `LIMIT`.
fn low(text: &str) -> Vec<String> {
    edges(&[
        ("src/lib.rs", "mod high; mod low; mod other;"),
        (
            "src/high.rs",
            "pub struct Thing; pub fn make() {} pub const LIMIT: u8 = 1;",
        ),
        ("src/low.rs", text),
        ("src/other.rs", "pub struct Other;"),
    ])
}

#[test]
fn a_name_is_an_import_of_the_file_that_defines_it() {
    assert_eq!(low("use crate::high::Thing;"), ["low -> high"]);
    assert_eq!(low("use super::high::Thing;"), ["low -> high"]);
    assert_eq!(
        low("use std::fmt; use serde::high::Thing; fn f() { ::high::make() }"),
        [""; 0]
    );
}

#[test]
fn a_renamed_import_is_an_import() {
    assert_eq!(low("use crate::high::Thing as Harmless;"), ["low -> high"]);
    assert_eq!(
        low("use crate::high as harmless; fn f() { harmless::make() }"),
        ["low -> high"]
    );
    assert_eq!(
        low("use crate as root; fn f(_: root::high::Thing) {}"),
        ["low -> high"]
    );
    assert_eq!(
        low("use super::{self as above}; fn f() -> above::high::Thing { todo!() }"),
        ["low -> high"]
    );
}

#[test]
fn every_name_of_a_group_is_an_import() {
    assert_eq!(
        low("use crate::{high::{self, make}, other::Other as Another};"),
        ["low -> high", "low -> other"]
    );
    assert_eq!(
        low("use crate::{high::{self}}; fn f() { high::make() }"),
        ["low -> high"]
    );
}

#[test]
fn what_a_glob_brings_is_an_import_where_it_is_used() {
    assert_eq!(
        low("use crate::high::*; fn f() { make() }"),
        ["low -> high"]
    );
    assert_eq!(low("use crate::high::*; fn f() {}"), [""; 0]);
}

#[test]
fn a_path_in_a_type_an_expression_or_a_pattern_is_an_import() {
    assert_eq!(low("fn f(_: &[crate::high::Thing]) {}"), ["low -> high"]);
    assert_eq!(
        low("fn f() -> u8 { 1 + super::high::LIMIT }"),
        ["low -> high"]
    );
    assert_eq!(
        low("fn f(n: u8) -> bool { match n { crate::high::LIMIT => true, _ => false } }"),
        ["low -> high"]
    );
    assert_eq!(
        low("impl Iterator for crate::high::Thing {}"),
        ["low -> high"]
    );
    assert_eq!(
        low("fn f() { use crate::high; high::make() }"),
        ["low -> high"]
    );
}

#[test]
fn a_path_within_a_macro_is_an_import_unless_it_is_quoted() {
    assert_eq!(
        low("fn f() { assert_eq!(1, crate::high::LIMIT) }"),
        ["low -> high"]
    );
    assert_eq!(
        low("use crate::high; fn f() { println!(\"{}\", [high::LIMIT; 2]) }"),
        ["low -> high"]
    );
    assert_eq!(low("fn f() { quote!(crate::high::LIMIT) }"), [""; 0]);
    assert_eq!(low("fn f() { assert!(::high::LIMIT, a : high) }"), [""; 0]);
}

#[test]
fn a_path_in_the_text_of_an_attribute_is_an_import() {
    assert_eq!(
        low("#[derive(X)] struct S { #[serde(with = \"crate::high::make\")] n: u8 }"),
        ["low -> high"]
    );
}

#[test]
fn a_visibility_and_code_of_unit_tests_import_nothing() {
    assert_eq!(
        low("pub(in crate::high) struct S; #[cfg(test)] use crate::high::Thing;"),
        [""; 0]
    );
    assert_eq!(
        low("#[cfg(test)] mod tests { use crate::high::Thing; }"),
        [""; 0]
    );
    assert_eq!(
        low("#[cfg(any(test, feature = \"x\"))] use crate::high::Thing;"),
        ["low -> high"]
    );
}

#[test]
fn what_is_re_exported_is_an_import_of_the_file_that_defines_it() {
    let folder = (
        "src/folder/mod.rs",
        "mod deep; pub use deep::Deep as Shown; pub(crate) use deep::deep;",
    );
    let deep = ("src/folder/deep.rs", "pub struct Deep; pub fn deep() {}");
    let imports = |text| {
        edges(&[
            ("src/lib.rs", "mod folder; mod low; pub use folder::Shown;"),
            folder,
            deep,
            ("src/low.rs", text),
        ])
    };
    assert_eq!(imports("use crate::folder::Shown;"), ["low -> folder/deep"]);
    assert_eq!(imports("use crate::Shown;"), ["low -> folder/deep"]);
    assert_eq!(
        imports("use crate::folder; fn f() { folder::deep() }"),
        ["low -> folder/deep"]
    );
    assert_eq!(
        imports("use crate::folder::made_by_a_macro;"),
        ["low -> folder/mod"]
    );
}

#[test]
fn a_module_that_re_exports_from_beside_it_imports() {
    assert_eq!(low("pub use super::high::Thing;"), ["low -> high"]);
}

#[test]
fn a_module_that_uses_what_is_below_it_and_is_used_there_is_a_circle() {
    let circles = |parent: &str| {
        let child = "use super::Shared; pub fn child() {}";
        let files = [
            ("src/lib.rs", "mod folder;"),
            ("src/folder.rs", parent),
            ("src/folder/child.rs", child),
        ];
        graph(&files).circles().len()
    };
    assert_eq!(
        circles("mod child; pub struct Shared; fn f() { child::child() }"),
        1
    );
    assert_eq!(
        circles("mod child; pub struct Shared; pub use child::child;"),
        0
    );
}

const CIRCLE_OF_THREE: [(&str, &str); 5] = [
    ("src/lib.rs", "mod a; mod d;"),
    (
        "src/a/mod.rs",
        "pub mod b; pub mod c; use b::B; pub struct A;",
    ),
    ("src/a/b.rs", "pub struct B(crate::a::c::C);"),
    (
        "src/a/c.rs",
        "use crate::{a as harmless, d::D}; pub struct C(harmless::A);",
    ),
    ("src/d.rs", "pub struct D;"),
];

#[test]
fn a_circle_of_three_is_found_with_the_imports_that_make_it() {
    let graph = graph(&CIRCLE_OF_THREE);
    let expected = vec![
        "src/a/b.rs imports src/a/c.rs: crate::a::c::C".to_owned(),
        "src/a/c.rs imports src/a/mod.rs: harmless::A".to_owned(),
        "src/a/mod.rs imports src/a/b.rs: b::B".to_owned(),
    ];
    let circles = graph.circles();
    let imports: Vec<_> = circles.iter().map(|circle| &circle.imports).collect();
    assert_eq!(imports, [&expected]);
}

#[test]
fn two_circles_are_told_apart() {
    let files = [
        ("src/lib.rs", "mod a; mod b; mod c; mod d;"),
        (
            "src/a.rs",
            "use crate::b::B; use crate::c::C; pub struct A;",
        ),
        ("src/b.rs", "use crate::a::A; pub struct B;"),
        ("src/c.rs", "use crate::d::D; pub struct C;"),
        ("src/d.rs", "use crate::c::C; pub struct D;"),
    ];
    let sizes: Vec<usize> = graph(&files)
        .circles()
        .iter()
        .map(|circle| circle.imports.len())
        .collect();
    assert_eq!(sizes, [2, 2]);
}

const HOUSE: [(&str, &str); 7] = [
    ("src/lib.rs", "mod high; mod low; mod beside; mod room;"),
    ("src/high.rs", "use crate::low::Low; pub struct High;"),
    ("src/low.rs", "use crate::room::deep::Deep; pub struct Low;"),
    ("src/beside.rs", "use crate::low::Low; pub struct Beside;"),
    ("src/room/mod.rs", "pub mod deep; pub mod upper;"),
    ("src/room/deep.rs", "pub struct Deep;"),
    ("src/room/upper.rs", "use super::deep::Deep;"),
];

#[test]
fn an_import_from_a_lower_layer_or_the_own_folder_is_in_order() {
    let graph = graph(&HOUSE);
    let none = [""; 0];
    assert_eq!(
        graph.misplaced("src", &[&["high", "beside"], &["low"], &["room"]]),
        none
    );
    assert_eq!(graph.misplaced("src/room", &[&["upper"], &["deep"]]), none);
}

#[test]
fn an_import_from_a_higher_layer_or_another_entry_of_the_same_is_misplaced() {
    let graph = graph(&HOUSE);
    assert_eq!(
        graph.misplaced("src", &[&["beside"], &["room"], &["low", "high"]]),
        [
            "src/high.rs imports src/low.rs: crate::low::Low",
            "src/low.rs imports src/room/deep.rs: crate::room::deep::Deep",
        ]
    );
    assert_eq!(
        graph.misplaced("src/room", &[&["deep"], &["upper"]]),
        ["src/room/upper.rs imports src/room/deep.rs: super::deep::Deep"]
    );
}

#[test]
fn a_part_of_a_folder_may_have_a_layer_of_its_own() {
    let graph = graph(&HOUSE);
    assert_eq!(
        graph.misplaced(
            "src",
            &[&["high", "beside"], &["low"], &["room/deep"], &["room"]]
        ),
        ["src/room/upper.rs imports src/room/deep.rs: super::deep::Deep"]
    );
}

#[test]
fn a_file_on_no_layer_and_an_entry_without_a_file_are_found() {
    assert_eq!(
        graph(&HOUSE).misplaced("src", &[&["high"], &["low", "gone"], &["room"]]),
        [
            "src/beside.rs stands on no layer: add it to the table",
            "no file belongs to `gone` of the table",
        ]
    );
    let idle = [("src/lib.rs", "mod idle;"), ("src/idle.rs", "")];
    assert_eq!(
        graph(&idle).misplaced("src", &[]),
        ["src/idle.rs stands on no layer: add it to the table"]
    );
}
