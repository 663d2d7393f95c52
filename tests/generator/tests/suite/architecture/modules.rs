//! The modules of a crate, read from its source with syn: what each one declares and imports, and what a path means in it.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Attribute, Item, UseTree, Visibility};

/// The text of each file by its path, which is relative to the folder of the package.
pub(crate) type Files = BTreeMap<String, String>;

/// A module: a file, or an inline one within a file.
pub(crate) struct Module {
    pub(crate) file: String,
    pub(crate) items: Vec<Item>,
    /// Whether it is compiled for unit tests only.
    pub(crate) is_test: bool,
    parent: Option<usize>,
    names: BTreeMap<String, Vec<Name>>,
    globs: Vec<Vec<String>>,
}

/// What a name in a module stands for. A module and a function may share one.
enum Name {
    Module(usize),
    Item,
    Import(Vec<String>),
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A module as such.
    Module(usize),
    /// An item that this module defines.
    Item(usize),
}

impl Found {
    /// The module that is meant, or that defines what is meant.
    pub(crate) fn module(self) -> usize {
        match self {
            Self::Module(module) | Self::Item(module) => module,
        }
    }
}

/// One import of a `use` tree.
pub(crate) struct Leaf {
    pub(crate) path: Vec<String>,
    /// The name that it has from then on; `None` for a glob.
    pub(crate) name: Option<String>,
}

/// All modules below one root file. The first is the root.
pub(crate) struct Modules(pub(crate) Vec<Module>);

impl Modules {
    /// Reads the crate with this root file.
    pub(crate) fn read(files: &Files, root: &str) -> Self {
        let mut modules = Self(Vec::new());
        let items = syn::parse_file(&files[root]).unwrap().items;
        modules.add(files, (root, &folder(root)), items, None, false);
        modules
    }

    /// Adds a module and those below it. `at` has its file, and the folder of the files of its children.
    fn add(
        &mut self,
        files: &Files,
        at: (&str, &str),
        items: Vec<Item>,
        parent: Option<usize>,
        is_test: bool,
    ) -> usize {
        let (file, below) = at;
        let index = self.0.len();
        let mut module = Module {
            file: file.to_owned(),
            items: Vec::new(),
            is_test,
            parent,
            names: BTreeMap::new(),
            globs: Vec::new(),
        };
        let mut children = Vec::new();
        for item in &items {
            match item {
                Item::Mod(child) => children.push(child.clone()),
                Item::Use(import) if !is_for_tests(&import.attrs) => {
                    for leaf in leaves(&import.tree) {
                        match leaf.name {
                            Some(name) => module.name(name, Name::Import(leaf.path)),
                            None => module.globs.push(leaf.path),
                        }
                    }
                }
                item => {
                    if let Some(name) = name_of(item) {
                        module.name(name, Name::Item);
                    }
                }
            }
        }
        module.items = items;
        self.0.push(module);
        for child in children {
            let name = child.ident.to_string();
            let is_test = is_test || is_for_tests(&child.attrs);
            let inner = format!("{below}{name}/");
            let child = match child.content {
                Some((_, items)) => self.add(files, (file, &inner), items, Some(index), is_test),
                None => {
                    let candidates = [format!("{below}{name}.rs"), format!("{inner}mod.rs")];
                    let found = candidates.iter().find(|path| files.contains_key(*path));
                    let path = found.unwrap_or_else(|| panic!("{file}: no file of `mod {name}`"));
                    let items = syn::parse_file(&files[path]).unwrap().items;
                    self.add(files, (path, &inner), items, Some(index), is_test)
                }
            };
            self.0[index].name(name, Name::Module(child));
        }
        index
    }

    /// Whether a module is `above` or below it.
    pub(crate) fn is_within(&self, module: usize, above: usize) -> bool {
        let mut at = Some(module);
        while let Some(index) = at {
            if index == above {
                return true;
            }
            at = self.0[index].parent;
        }
        false
    }

    /// What a path means in a module; `None` for what is not of this crate.
    pub(crate) fn find(&self, at: usize, path: &[String]) -> Option<Found> {
        self.walk(at, path, false, &mut BTreeSet::new())
    }

    /// The same with a guard against imports that lead in a circle. `wants_module` decides between a module and an item of one name.
    fn walk(
        &self,
        at: usize,
        path: &[String],
        wants_module: bool,
        seen: &mut BTreeSet<(usize, String, bool)>,
    ) -> Option<Found> {
        let mut found = None;
        for (index, segment) in path.iter().enumerate() {
            let inside = match found {
                None => at,
                Some(Found::Module(module)) => module,
                // A variant of an enum, or what else belongs to an item.
                Some(item) => return Some(item),
            };
            let is_module = wants_module || index + 1 < path.len();
            found = match segment.as_str() {
                "crate" => Some(Found::Module(0)),
                "self" => Some(Found::Module(inside)),
                "super" => Some(Found::Module(self.0[inside].parent?)),
                name => {
                    let step = self.step(inside, name, is_module, seen);
                    // What a macro defines has no name here, and stands in the file all the same.
                    match step {
                        Step::Unknown if index > 0 => Some(Found::Item(inside)),
                        Step::Unknown | Step::Foreign => return None,
                        Step::Found(found) => Some(found),
                    }
                }
            };
        }
        found
    }

    fn step(
        &self,
        inside: usize,
        name: &str,
        is_module: bool,
        seen: &mut BTreeSet<(usize, String, bool)>,
    ) -> Step {
        if !seen.insert((inside, name.to_owned(), is_module)) {
            return Step::Unknown;
        }
        let module = &self.0[inside];
        let named = module
            .names
            .get(name)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let mut candidates: Vec<Found> = Vec::new();
        let mut is_foreign = false;
        for one in named {
            match one {
                Name::Module(child) => candidates.push(Found::Module(*child)),
                Name::Item => candidates.push(Found::Item(inside)),
                Name::Import(path) => match self.walk(inside, path, is_module, seen) {
                    Some(found) => candidates.push(found),
                    None => is_foreign = true,
                },
            }
        }
        let wanted = |found: &&Found| matches!(found, Found::Module(_)) == is_module;
        if let Some(found) = candidates.iter().find(wanted).or(candidates.first()) {
            return Step::Found(*found);
        }
        if is_foreign {
            return Step::Foreign;
        }
        for glob in &module.globs {
            if let Some(Found::Module(target)) = self.walk(inside, glob, true, seen)
                && let Step::Found(found) = self.step(target, name, is_module, seen)
            {
                return Step::Found(found);
            }
        }
        Step::Unknown
    }
}

enum Step {
    Found(Found),
    /// An import from another crate.
    Foreign,
    Unknown,
}

impl Module {
    fn name(&mut self, name: String, meaning: Name) {
        self.names.entry(name).or_default().push(meaning);
    }
}

/// Where the files of the modules of a root or `mod.rs` lie.
fn folder(file: &str) -> String {
    file.rsplit_once('/')
        .map_or(String::new(), |(folder, _)| format!("{folder}/"))
}

/// The single imports of a `use` tree, groups and renames resolved.
pub(crate) fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    collect(tree, &mut Vec::new(), &mut leaves);
    leaves
}

fn collect(tree: &UseTree, above: &mut Vec<String>, leaves: &mut Vec<Leaf>) {
    let mut leaf = |mut path: Vec<String>, name: Option<String>| {
        // `a::{self}` is `a`.
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        leaves.push(Leaf { path, name });
    };
    let with = |last: &syn::Ident| [above.as_slice(), &[last.to_string()]].concat();
    match tree {
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            collect(&path.tree, above, leaves);
            above.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            leaf(with(&name.ident), above.last().cloned());
        }
        UseTree::Name(name) => leaf(with(&name.ident), Some(name.ident.to_string())),
        UseTree::Rename(rename) => leaf(with(&rename.ident), Some(rename.rename.to_string())),
        UseTree::Glob(_) => leaf(above.clone(), None),
        UseTree::Group(group) => {
            for item in &group.items {
                collect(item, above, leaves);
            }
        }
    }
}

/// Whether a `use` makes its names visible elsewhere.
pub(crate) fn is_reexport(visibility: &Visibility) -> bool {
    !matches!(visibility, Visibility::Inherited)
}

/// Whether something is compiled for unit tests only.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let mut is_test = false;
        if attribute.path().is_ident("cfg") {
            // Anything but `test` alone is compiled without tests too, or may be.
            let _ = attribute.parse_nested_meta(|meta| {
                is_test = meta.path.is_ident("test");
                Ok(())
            });
        }
        is_test
    })
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
