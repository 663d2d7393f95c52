//! The methods of a type are in few files: a type with methods in many files is a hidden crate, whose calls no table of
//! layers covers.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, Type};

use super::layers::is_for_tests;
use super::purity::sources;
use crate::support::repository;

/// Maximum number of files with inherent `impl` blocks of one type.
const MOST: usize = 3;

/// Types beyond that, with their number of files, which may only decrease.
const KNOWN: &[(&str, &str, usize)] = &[("crates/model", "Model", 4)];

/// The types that a file defines, and those with inherent `impl` blocks in it; inline modules included.
#[derive(Default)]
struct Types {
    defined: BTreeSet<String>,
    implemented: BTreeSet<String>,
}

impl Types {
    fn read(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mod(inner) if !is_for_tests(&inner.attrs) => {
                    let items = inner.content.as_ref().map(|(_, items)| items.as_slice());
                    self.read(items.unwrap_or_default());
                }
                Item::Struct(one) => _ = self.defined.insert(one.ident.to_string()),
                Item::Enum(one) => _ = self.defined.insert(one.ident.to_string()),
                Item::Impl(block) if block.trait_.is_none() && !is_for_tests(&block.attrs) => {
                    if let Type::Path(path) = &*block.self_ty {
                        let last = path.path.segments.last();
                        self.implemented
                            .extend(last.map(|last| last.ident.to_string()));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the number of files for each type of a package. If several types share a name, the defining file counts once.
fn spread(package: &str) -> BTreeMap<String, usize> {
    let mut homes = BTreeSet::new();
    let mut number: BTreeMap<String, usize> = BTreeMap::new();
    for (_, text) in sources(&[&format!("{package}/src")]) {
        let file = syn::parse_file(&text).unwrap();
        let mut types = Types::default();
        types.read(&file.items);
        for name in types.implemented {
            if !types.defined.contains(&name) || homes.insert(name.clone()) {
                *number.entry(name).or_default() += 1;
            }
        }
    }
    number
}

#[test]
fn the_methods_of_a_type_stand_in_three_files_at_most() {
    let crates = std::fs::read_dir(repository().join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path());
    let crates = crates.filter(|path| path.is_dir());
    let crates = crates.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    let packages = crates.map(|name| format!("crates/{name}"));
    let mut found = BTreeSet::new();
    for package in packages.chain(["xtask", "runtime/cli", "runtime/core"].map(str::to_owned)) {
        for (name, number) in spread(&package) {
            if number > MOST {
                found.insert((package.clone(), name, number));
            }
        }
    }
    let known = KNOWN
        .iter()
        .map(|(package, name, number)| (package.to_string(), name.to_string(), *number));
    let known: BTreeSet<(String, String, usize)> = known.collect();
    assert_eq!(
        found, known,
        "types with `impl` blocks in more than {MOST} files: make a type of each part, or functions of the methods; a known one with \
         fewer files than before gets the lower number"
    );
}
