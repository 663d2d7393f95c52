//! Chooses the names that a scope imports.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::cut::{cut, in_prelude, is_reserved};
use super::scope::Declared;
use super::walk::Names;

/// How a long path is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// From this segment on.
    Short(usize),
    /// Begins with the name of its crate, without a leading `::`.
    WithCrate,
}

/// The imports of a scope, and the forms of its long paths.
#[derive(Default)]
pub(super) struct Choice {
    declared: Declared,
    /// The names that are imported, by the path of each.
    names: HashMap<Vec<String>, String>,
}

impl Choice {
    /// Returns the form of a path; `None` if it stays unchanged.
    pub(super) fn form(&self, path: &[String]) -> Option<Form> {
        if let Some(start) = in_prelude(path, |one| self.declared.hides(one)) {
            return Some(Form::Short(start));
        }
        let start = cut(path);
        if self.names.contains_key(path.get(..=start)?) {
            return Some(Form::Short(start));
        }
        (!self.hides(path.first()?)).then_some(Form::WithCrate)
    }

    /// Returns whether the scope declares a name that a crate has.
    pub(super) fn hides(&self, name: &str) -> bool {
        self.declared.has(name)
    }

    /// The modules that names are imported from, and these names. The standard library comes first.
    pub(super) fn imports(&self) -> Vec<(&[String], Vec<&String>)> {
        let mut imports: BTreeMap<&[String], Vec<&String>> = BTreeMap::new();
        for (path, name) in &self.names {
            if let Some((_, module)) = path.split_last() {
                imports.entry(module).or_default().push(name);
            }
        }
        imports.values_mut().for_each(|names| names.sort_unstable());
        let mut imports: Vec<_> = imports.into_iter().collect();
        imports.sort_by(|(left, of_left), (right, of_right)| {
            let is_std = |module: &[String]| {
                let first = module.first().map(String::as_str);
                matches!(first, Some("alloc" | "core" | "std"))
            };
            let first = |names: &[&String]| names.first().map(|name| (*name).clone());
            let line = |module: &[String], names: &[&String]| {
                module
                    .iter()
                    .cloned()
                    .chain(first(names))
                    .collect::<Vec<_>>()
            };
            (!is_std(left), line(left, of_left)).cmp(&(!is_std(right), line(right, of_right)))
        });
        imports
    }
}

/// Reads what a scope names, before anything is changed.
#[derive(Default)]
pub(super) struct Reader {
    declared: Declared,
    mentioned: HashSet<String>,
    /// The candidates for imports.
    wanted: HashSet<Vec<String>>,
}

impl Reader {
    pub(super) fn choose(self) -> Choice {
        let mut wanted: Vec<Vec<String>> = self.wanted.into_iter().collect();
        wanted.sort_unstable();
        let mut taken = self.mentioned;
        taken.extend(self.declared.names().cloned());
        let mut names = HashMap::new();
        for path in wanted {
            let Some(name) = path.last().filter(|name| !is_reserved(name)).cloned() else {
                continue;
            };
            // The first of two paths with the same name gets it.
            if taken.insert(name.clone()) {
                names.insert(path, name);
            }
        }
        Choice {
            declared: self.declared,
            names,
        }
    }
}

impl Names for Reader {
    fn path(&mut self, path: &mut syn::Path, _: Option<&mut usize>) -> bool {
        if path.leading_colon.is_none() {
            if let Some(first) = path.segments.first() {
                self.mentions(&first.ident);
            }
            return false;
        }
        let mut names = names(path);
        let start = cut(&names);
        if start > 0 && in_prelude(&names, |_| false).is_none() {
            names.truncate(start + 1);
            self.wanted.insert(names);
        }
        false
    }

    fn declares(&mut self, name: &syn::Ident, is_value: bool) {
        self.declared.add(name, is_value);
    }

    fn mentions(&mut self, name: &syn::Ident) {
        self.mentioned.insert(name.to_string());
    }
}

/// The segments of a path.
pub(super) fn names(path: &syn::Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments.map(|segment| segment.ident.to_string()).collect()
}
