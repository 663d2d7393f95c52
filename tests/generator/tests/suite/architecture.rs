//! How the generator is built: who may import whom, who may touch the disk, and that it knows nothing of this one API.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use xtask::source::Source;

use crate::support::{Inputs, repository};

/// The floors of `xtask`, lowest first. A module imports from lower floors only; modules of one floor do not know each other.
const FLOORS: &[&[&str]] = &[
    &["names", "pointer"],
    &["finding"],
    &["source"],
    &["overlay", "openapi"],
    &["overrides", "lint"],
    &["types"],
    &["operations"],
    &["emit"],
    &["install", "surface"],
    &["diff"],
    &["commands"],
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The module directly below the crate root that a file belongs to.
fn module(file: &Path) -> String {
    let source = repository().join("xtask/src");
    let relative = file.strip_prefix(source).unwrap();
    let first = relative.components().next().unwrap().as_os_str();
    first.to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// Paths that start with `crate`, as the modules they name.
#[derive(Default)]
struct Imports(BTreeSet<String>);

impl<'a> Visit<'a> for Imports {
    fn visit_use_path(&mut self, path: &'a syn::UsePath) {
        if path.ident == "crate" {
            names(&path.tree, &mut self.0);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let mut segments = path.segments.iter();
        if segments.next().is_some_and(|first| first.ident == "crate") {
            self.0
                .extend(segments.next().map(|second| second.ident.to_string()));
        }
        syn::visit::visit_path(self, path);
    }
}

fn names(tree: &syn::UseTree, into: &mut BTreeSet<String>) {
    match tree {
        syn::UseTree::Path(path) => {
            into.insert(path.ident.to_string());
        }
        syn::UseTree::Name(name) => {
            into.insert(name.ident.to_string());
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| names(item, into)),
        _ => {}
    }
}

#[test]
fn a_module_imports_only_lower_floors() {
    let floor: BTreeMap<&str, usize> = FLOORS
        .iter()
        .enumerate()
        .flat_map(|(floor, modules)| modules.iter().map(move |module| (*module, floor)))
        .collect();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for file in rust_files(&repository().join("xtask/src")) {
        let module = module(&file);
        if module == "lib" || module == "main" {
            continue;
        }
        let Some(own) = floor.get(module.as_str()) else {
            panic!("`{module}` stands on no floor: add it to FLOORS");
        };
        seen.insert(module.clone());
        let mut imports = Imports::default();
        imports.visit_file(&syn::parse_file(&std::fs::read_to_string(&file).unwrap()).unwrap());
        for imported in imports.0.iter().filter(|imported| **imported != module) {
            if floor
                .get(imported.as_str())
                .is_none_or(|theirs| theirs >= own)
            {
                wrong.push(format!("{} imports `{imported}`", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(
        seen.len(),
        floor.len(),
        "FLOORS names a module that is gone"
    );
}

/// Files of `xtask` in which one of `needles` occurs.
fn files_with(needles: &[&str]) -> Vec<String> {
    let root = repository().join("xtask/src");
    rust_files(&root)
        .into_iter()
        .filter(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            text.lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .any(|line| needles.iter().any(|needle| line.contains(needle)))
        })
        .map(|file| {
            file.strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

#[test]
fn the_engine_is_known_in_one_place() {
    assert_eq!(files_with(&["progenitor", "typify"]), ["types/engine.rs"]);
}

#[test]
fn files_are_written_in_one_place() {
    let writes = [
        "fs::write",
        "fs::rename",
        "fs::remove",
        "fs::create",
        "fs::copy",
        "File::create",
        "OpenOptions",
        "use std::fs",
    ];
    assert_eq!(files_with(&writes), ["install/together.rs"]);
}

#[test]
fn nothing_between_load_and_install_asks_clock_network_or_environment() {
    let impure = [
        "std::time",
        "std::net",
        "env::var",
        "env::current",
        "rand::",
        "reqwest",
    ];
    assert_eq!(files_with(&impure), [""; 0]);
}

/// Words that name things in general, though this document uses them too.
const COMMON: &[&str] = &[
    "api",
    "brand",
    "data",
    "id",
    "integration",
    "limit",
    "location",
    "name",
    "offset",
    "product",
    "status",
    "tag",
    "technology",
    "v1",
];

/// Path segments and schema names of a document, lower-case, in the spellings that code would use.
fn vocabulary(source: &Source) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for path in source.value["paths"].as_object().unwrap().keys() {
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            words.insert(segment.trim_matches(['{', '}']).to_lowercase());
        }
    }
    for schema in source.value["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
    {
        words.insert(schema.to_lowercase());
        words.insert(xtask::names::snake(schema));
    }
    words.retain(|word| !COMMON.contains(&word.as_str()));
    words
}

#[test]
fn generator_and_runtime_know_nothing_of_this_api() {
    let words = vocabulary(&Inputs::committed().reconciled().source);
    assert!(words.len() > 60, "{words:?}");
    let mut found = Vec::new();
    for room in ["xtask", "runtime"] {
        for file in rust_files(&repository().join(room)) {
            let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
            let used: BTreeSet<&str> = text
                .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
                .collect();
            for word in used.iter().filter(|word| words.contains(**word)) {
                found.push(format!("`{word}` in {}", file.display()));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
