//! The names of a scope, and the paths that it imports.

use std::collections::{BTreeMap, HashSet};

use super::cut::{cut, in_prelude, is_reserved};

/// The names of a scope. They are read before anything is changed.
#[derive(Default)]
pub(super) struct Scope {
    declared: HashSet<String>,
    /// The declared names of values.
    values: HashSet<String>,
    mentioned: HashSet<String>,
    /// The candidates for imports.
    wanted: HashSet<Vec<String>>,
    /// The paths that are imported; `None` while the names are read.
    imported: Option<HashSet<Vec<String>>>,
}

impl Scope {
    pub(super) fn declares(&mut self, name: &syn::Ident, is_value: bool) {
        let name = name.to_string();
        if is_value {
            self.values.insert(name.clone());
        }
        self.declared.insert(name);
    }

    pub(super) fn mentions(&mut self, name: &syn::Ident) {
        self.mentioned.insert(name.to_string());
    }

    /// Reads a path, or shortens it, with the number of its trait segments in `<T as Trait>::item`.
    pub(super) fn path(&mut self, path: &mut syn::Path, position: Option<&mut usize>) {
        let names = names(path);
        if self.imported.is_none() {
            return self.read(path, names);
        }
        if path.leading_colon.is_none() {
            return;
        }
        let Some(start) = self.start(&names) else {
            return;
        };
        path.leading_colon = None;
        let segments = std::mem::take(&mut path.segments);
        path.segments = segments.into_iter().skip(start).collect();
        if let Some(position) = position {
            *position = position.saturating_sub(start);
        }
    }

    fn read(&mut self, path: &syn::Path, mut names: Vec<String>) {
        if path.leading_colon.is_none() {
            self.mentioned.extend(names.into_iter().next());
            return;
        }
        let start = cut(&names);
        if start > 0 && in_prelude(&names, |_| false).is_none() {
            names.truncate(start + 1);
            self.wanted.insert(names);
        }
    }

    /// Returns the segment that a long path is written from; `None` if it stays unchanged.
    fn start(&self, path: &[String]) -> Option<usize> {
        if let Some(start) = in_prelude(path, |one| self.hides_prelude(one)) {
            return Some(start);
        }
        let start = cut(path);
        if self.imported.as_ref()?.contains(path.get(..=start)?) {
            return Some(start);
        }
        // It begins with the name of its crate.
        (!self.hides(path.first()?)).then_some(0)
    }

    /// Returns whether the scope declares a name that a crate has.
    pub(super) fn hides(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Returns whether the last name of a prelude path means something else in this scope.
    fn hides_prelude(&self, path: &[&str]) -> bool {
        let is_variant = path.len() > 3;
        let names = if is_variant {
            &self.values
        } else {
            &self.declared
        };
        path.last().is_none_or(|name| names.contains(*name))
    }

    /// Chooses the imports, after which paths are shortened.
    pub(super) fn choose(&mut self) {
        let mut wanted: Vec<Vec<String>> = std::mem::take(&mut self.wanted).into_iter().collect();
        wanted.sort_unstable();
        let mut taken: HashSet<&String> = self.mentioned.iter().chain(&self.declared).collect();
        let mut imported = HashSet::new();
        for path in &wanted {
            // The first of two paths with the same name gets it.
            let name = path.last().filter(|name| !is_reserved(name));
            if name.is_some_and(|name| taken.insert(name)) {
                imported.insert(path.clone());
            }
        }
        self.imported = Some(imported);
    }

    /// The modules that names are imported from, and these names. The standard library comes first.
    pub(super) fn imports(&self) -> Vec<(&[String], Vec<&String>)> {
        let mut imports: BTreeMap<&[String], Vec<&String>> = BTreeMap::new();
        for path in self.imported.iter().flatten() {
            if let Some((name, module)) = path.split_last() {
                imports.entry(module).or_default().push(name);
            }
        }
        imports.values_mut().for_each(|names| names.sort_unstable());
        let mut imports: Vec<_> = imports.into_iter().collect();
        imports.sort_by_key(|(module, names)| {
            let first = module.first().map(String::as_str);
            let is_std = matches!(first, Some("alloc" | "core" | "std"));
            let line: Vec<&String> = module.iter().chain(names.first().copied()).collect();
            (!is_std, line)
        });
        imports
    }
}

/// The segments of a path.
fn names(path: &syn::Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments.map(|segment| segment.ident.to_string()).collect()
}
