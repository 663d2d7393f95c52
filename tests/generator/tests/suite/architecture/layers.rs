//! The layers of each crate: a module imports only from itself and from lower layers. The compiler enforces those between crates.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

use super::purity::rust_files;
use crate::support::repository;

/// Modules at the root of a crate or in a folder of one, the lowest layer last. Modules of one layer do not import each other.
type Layers = &'static [&'static [&'static str]];

const CRATES: &[(&str, Layers)] = &[
    ("crates/diff", DIFF),
    ("crates/document", DOCUMENT),
    ("crates/generator", GENERATOR),
    ("crates/model", MODEL),
    ("crates/overrides", OVERRIDES),
    ("crates/overrides/src/rebase", REBASE),
    ("crates/schemas", SCHEMAS),
    ("crates/tool", TOOL),
    ("runtime/core", CORE),
    ("tests/sandbox", SANDBOX),
    ("xtask", XTASK),
];

const CORE: Layers = &[
    &["journal"],
    &["internal", "testing"],
    &["meter"],
    &["paging", "waiting"],
    &["client"],
    &["cache"],
    &["account"],
    &["stream"],
    &["call"],
    &["request"],
    &["credentials"],
    &["transport"],
    &["error"],
    &["response"],
    &["drift", "webhooks"],
    &["values"],
    &["decode"],
    &["document"],
    &["money"],
    &["interceptor"],
    &["future", "lock", "secret"],
];

/// The API names its interceptor, below everything, and the seam has the request and the response of an attempt in its signatures.
const SEAM: [&str; 3] = [
    "interceptor imports call::span::AttemptSpan",
    "interceptor imports request::request::Request",
    "interceptor imports transport::transport::TransportResult",
];

const XTASK: Layers = &[&["main"], &["bench", "regen", "review", "soak"]];

const TOOL: Layers = &[
    &["main"],
    &["run"],
    &["chosen"],
    &["arguments"],
    &["commands"],
    &["config"],
    &["install"],
];

const DOCUMENT: Layers = &[
    &["exit", "given", "resolver"],
    &["source"],
    &["finding"],
    &["excerpt"],
    &["git", "json", "keywords", "pointer", "program", "readable"],
];

const SCHEMAS: Layers = &[
    &["normal"],
    &["structure"],
    &["events", "parameter", "path_items", "schema"],
    &["shared_maps"],
    &["walker"],
    &["aliases", "bounds", "enums", "keywords", "types", "version"],
    &["reading"],
    &[
        "added",
        "decimal",
        "left_out",
        "media_type",
        "methods",
        "style",
    ],
];

const MODEL: Layers = &[&["reader"], &["vocabulary"], &["names"]];

const DIFF: Layers = &[
    &["main"],
    &["command"],
    &["report"],
    &["matched"],
    &["compare"],
    &["http"],
    &["schemas"],
    &["verdicts"],
    &["callers"],
];

const OVERRIDES: Layers = &[
    &["rebase"],
    &["required", "shown"],
    &["lint", "reconcile"],
    &["judge"],
    &["edit"],
    &["load"],
    &["evidence", "fits", "preserved", "plain", "vocabulary"],
];

const REBASE: Layers = &[
    &["order", "run", "screen"],
    &["actions"],
    &["fitted", "guards"],
    &["outcome", "values"],
    &["replaced"],
    &["equality", "places", "preserve"],
    &["correspondence"],
    &["election", "moved", "nulls", "query", "said", "text"],
    &["pointers", "reached"],
];

const GENERATOR: Layers = &[
    &["surface"],
    &["generate"],
    &["task"],
    &["emit"],
    &["operations"],
    &["types"],
    &["lint"],
];

const SANDBOX: Layers = &[
    &["bin", "tests"],
    &["sandbox"],
    &["hosts", "page"],
    &["routes"],
    &["fitting"],
    &["made_up"],
    &["data"],
    &["bill", "calls", "faults"],
    &["arguments"],
    &["refusal"],
    &["document"],
    &["prices"],
    &["operation", "vocabulary"],
    &["paging"],
];

/// The imports between the files of a crate, or of a folder in it.
struct Crate {
    layers: Layers,
    /// The path of the folder from the root of the crate.
    base: Vec<String>,
    /// Modules of the names that the root of the crate or the folder re-exports.
    reexports: BTreeMap<String, String>,
    wrong: Vec<String>,
}

impl Crate {
    fn read(root: &str, base: &[String], layers: Layers) -> Self {
        Self {
            layers,
            base: base.to_vec(),
            reexports: Reexports::of(root),
            wrong: Vec::new(),
        }
    }

    fn layer(&self, module: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.contains(&module))
    }

    /// Records an import of `to`; both are paths from the root of the crate.
    fn import(&mut self, from: &[String], to: &[String]) {
        let inside = from
            .strip_prefix(self.base.as_slice())
            .zip(to.strip_prefix(self.base.as_slice()));
        let Some((from, to)) = inside else {
            return;
        };
        let (Some(own), Some(first)) = (from.first(), to.first()) else {
            return;
        };
        let module = self.reexports.get(first).unwrap_or(first);
        let (Some(above), Some(below)) = (self.layer(own), self.layer(module)) else {
            return;
        };
        if module != own && above >= below {
            let (from, to) = (from.join("::"), to.join("::"));
            self.wrong.push(format!("{from} imports {to}"));
        }
    }

    fn file(&mut self, name: &Path, text: &str) {
        if ROOTS.iter().any(|root| name == Path::new(root)) {
            return;
        }
        let mut module = self.base.clone();
        module.extend(path(&name.with_extension("")));
        module.retain(|part| part != "mod");
        let file = syn::parse_file(text).unwrap();
        let mut imports = Imports {
            module: &module,
            all: Vec::new(),
        };
        imports.visit_file(&file);
        for path in imports.all {
            self.import(&module, &path);
        }
    }
}

/// The file that lists the modules of a crate, or of a folder in it.
const ROOTS: [&str; 2] = ["lib.rs", "mod.rs"];

/// Returns the folder of the modules of a row, and its path from the root of the crate.
fn modules_of(folder: &str) -> (PathBuf, Vec<String>) {
    match folder.split_once("/src/") {
        Some((_, below)) => (repository().join(folder), path(Path::new(below))),
        None => (repository().join(folder).join("src"), Vec::new()),
    }
}

fn path(file: &Path) -> Vec<String> {
    file.iter()
        .map(|part| part.to_str().unwrap().to_owned())
        .collect()
}

/// The crate-local paths of a file, from the root of the crate.
struct Imports<'f> {
    module: &'f [String],
    all: Vec<Vec<String>>,
}

impl Imports<'_> {
    fn path(&mut self, path: &[String]) {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let rest = path.iter().skip(ups.max(1)).cloned();
        let base = match path.first().map(String::as_str) {
            Some("crate") => &[],
            Some("self") => self.module,
            Some("super") => &self.module[..self.module.len().saturating_sub(ups)],
            _ => return,
        };
        self.all.push(base.iter().cloned().chain(rest).collect());
    }
}

impl<'a> Visit<'a> for Imports<'_> {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let is_for_tests = match item {
            syn::Item::Mod(item) => is_for_tests(&item.attrs),
            _ => false,
        };
        if !is_for_tests {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        for path in leaves(&item.tree) {
            self.path(&path);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts = path.segments.iter();
        self.path(&parts.map(|part| part.ident.to_string()).collect::<Vec<_>>());
        visit::visit_path(self, path);
    }

    /// A visibility is not an import.
    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}
}

/// Names that the root of a crate re-exports from its modules.
#[derive(Default)]
struct Reexports(BTreeMap<String, String>);

impl Reexports {
    fn of(root: &str) -> BTreeMap<String, String> {
        let mut names = Self::default();
        names.visit_file(&syn::parse_file(root).unwrap());
        names.0
    }
}

impl<'a> Visit<'a> for Reexports {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        for path in leaves(&item.tree) {
            if let ([module, _, ..], Some(name)) = (path.as_slice(), path.last()) {
                self.0.insert(name.clone(), module.clone());
            }
        }
    }
}

/// Returns whether an item exists only for unit tests.
pub(super) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|one| match &one.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

/// Returns the paths of an import.
fn leaves(tree: &syn::UseTree) -> Vec<Vec<String>> {
    let below = |name: &syn::Ident, tree: &syn::UseTree| {
        let mut paths = leaves(tree);
        paths
            .iter_mut()
            .for_each(|path| path.insert(0, name.to_string()));
        paths
    };
    match tree {
        syn::UseTree::Path(path) => below(&path.ident, &path.tree),
        syn::UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        syn::UseTree::Name(name) if name.ident == "self" => vec![Vec::new()],
        syn::UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Rename(name) => vec![vec![name.ident.to_string()]],
        syn::UseTree::Glob(_) => vec![Vec::new()],
    }
}

#[test]
fn a_module_imports_only_from_itself_and_from_lower_layers() {
    for (folder, layers) in CRATES {
        let (source, base) = modules_of(folder);
        let roots = ROOTS.map(|root| source.join(root));
        let root = roots.iter().find(|root| root.is_file()).unwrap();
        let root = std::fs::read_to_string(root).unwrap();
        let mut one = Crate::read(&root, &base, layers);
        let mut seen = Vec::new();
        for path in rust_files(&source) {
            let name = path.strip_prefix(&source).unwrap();
            let module = name.iter().next().unwrap().to_str().unwrap();
            seen.push(module.trim_end_matches(".rs").to_owned());
            one.file(name, &std::fs::read_to_string(&path).unwrap());
        }
        let known = SEAM.iter().filter(|_| *folder == "runtime/core");
        let known: Vec<String> = known.map(|import| (*import).to_owned()).collect();
        let wrong = one.wrong.clone();
        assert_eq!(wrong, known, "{folder}");
        for module in layers.iter().copied().flatten() {
            let is_there = seen.iter().any(|one| one == module);
            assert!(is_there, "{folder} has no module {module}");
        }
        for module in seen
            .iter()
            .filter(|one| !["lib", "mod"].contains(&one.as_str()))
        {
            assert!(
                one.layer(module).is_some(),
                "{folder}: {module} has no layer"
            );
        }
    }
}

#[test]
fn an_import_from_a_higher_layer_is_found() {
    const TABLE: Layers = &[&["high"], &["low", "other"]];
    let wrong_below = |base: &[String], text: &str| {
        let root = "mod high; mod low; pub use high::deep::Thing;";
        let mut one = Crate::read(root, base, TABLE);
        one.file(Path::new("low/deep.rs"), text);
        one.wrong.len()
    };
    let wrong = |text: &str| wrong_below(&[], text);
    let wrong_in_a_folder = |text: &str| wrong_below(&["folder".to_owned()], text);
    for text in [
        "use crate::high::make;",
        "use crate::{high, std};",
        "use crate::Thing;",
        "use super::super::high::make;",
        "use crate::other::make;",
        "fn f(_: &[crate::high::Type]) {}",
        "fn f() { use crate::high; }",
    ] {
        assert_eq!(wrong(text), 1, "{text}");
    }
    for text in [
        "use super::sibling;",
        "use crate::low::make;",
        "use high::make;",
        "pub(in crate::high) fn f() {}",
        "#[cfg(test)] mod tests { use crate::high::make; }",
    ] {
        assert_eq!(wrong(text), 0, "{text}");
    }
    for text in [
        "use crate::folder::high::make;",
        "use super::super::high::make;",
        "use super::super::Thing;",
    ] {
        assert_eq!(wrong_in_a_folder(text), 1, "{text}");
    }
    for text in [
        "use crate::high::make;",
        "use crate::folder::low::make;",
        "use super::super::super::high::make;",
    ] {
        assert_eq!(wrong_in_a_folder(text), 0, "{text}");
    }
}
