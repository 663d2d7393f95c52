//! What is about one operation is in a file or a section with its name in Rust, and goes with the operation.

use std::collections::BTreeSet;

use crate::support::Inputs;

/// The modules with a file of tests for an operation.
const TESTS: [&str; 2] = [
    "../conformance/tests/operations",
    "../sandbox/src/tests/operations",
];
/// An example of each operation, below a heading with its name.
const EXAMPLES: &str = "../sandbox/src/operations.md";

fn operations() -> BTreeSet<String> {
    let operations = Inputs::committed().model().operations.iter();
    operations.map(|one| one.rust_name.clone()).collect()
}

#[test]
fn tests_of_an_operation_go_with_it() {
    let operations = operations();
    for folder in TESTS {
        let module = format!("{folder}/mod.rs");
        let text = reviewed_facts::read(&module);
        let mut kept = String::new();
        for line in text.lines() {
            let name = line.strip_prefix("mod ").unwrap_or_default();
            let name = name.trim_end_matches(';');
            if name.is_empty() || operations.contains(name) {
                kept += &format!("{line}\n");
            } else {
                reviewed_facts::assert_reviewed(&format!("{folder}/{name}.rs"), None);
            }
        }
        reviewed_facts::assert_reviewed(&module, Some(&kept));
    }
}

#[test]
fn the_example_of_an_operation_goes_with_it() {
    let operations = operations();
    let text = reviewed_facts::read(EXAMPLES);
    let sections = text.split("\n# `");
    let is_kept = |section: &&str| {
        let name = section.split_once("`\n").map(|(name, _)| name);
        name.is_none_or(|name| operations.contains(name))
    };
    let kept: Vec<&str> = sections.filter(is_kept).collect();
    reviewed_facts::assert_reviewed(EXAMPLES, Some(&kept.join("\n# `")));
}
