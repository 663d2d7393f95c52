//! Which file imports which, and what is asked of that: layers, and no circles.

use std::collections::{BTreeMap, BTreeSet};

/// The imports between the files of a package, each with the paths that make it.
#[derive(Default)]
pub(crate) struct Graph {
    imports: BTreeMap<String, BTreeMap<String, BTreeSet<String>>>,
    files: BTreeSet<String>,
}

/// Layers, the lowest last: files and folders below a common folder, without the ending. A file imports only from its own
/// entry and from entries of lower layers; entries of one layer do not import each other.
pub(crate) type Layers = [&'static [&'static str]];

/// Files that lead to each other, and the imports between them.
#[derive(Debug)]
pub(crate) struct Circle {
    pub(crate) files: BTreeSet<String>,
    pub(crate) imports: Vec<String>,
}

impl Graph {
    /// Notes a file of the package.
    pub(crate) fn file(&mut self, file: &str) {
        self.files.insert(file.to_owned());
    }

    /// Notes that one file imports another by `path`. What a file has from itself is no import.
    pub(crate) fn import(&mut self, from: &str, to: &str, path: &str) {
        if from != to {
            let targets = self.imports.entry(from.to_owned()).or_default();
            let paths = targets.entry(to.to_owned()).or_default();
            paths.insert(path.to_owned());
        }
    }

    /// Every file that was read, those of unit tests too.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// The imports as importing file, imported file, and the paths that name it.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (&str, &str, &BTreeSet<String>)> {
        self.imports.iter().flat_map(|(from, targets)| {
            let targets = targets.iter();
            targets.map(move |(to, paths)| (from.as_str(), to.as_str(), paths))
        })
    }

    /// The sets of files that import each other in a circle, directly or not.
    pub(crate) fn circles(&self) -> Vec<Circle> {
        let reach: BTreeMap<&str, BTreeSet<&str>> = self
            .imports
            .keys()
            .map(|file| (file.as_str(), self.reach(file)))
            .collect();
        let leads = |from: &str, to: &str| reach.get(from).is_some_and(|all| all.contains(to));
        let mut circles: Vec<Circle> = Vec::new();
        for file in self.imports.keys().filter(|file| leads(file, file)) {
            if circles.iter().any(|circle| circle.files.contains(file)) {
                continue;
            }
            let files: BTreeSet<String> = reach[file.as_str()]
                .iter()
                .filter(|other| leads(other, file))
                .map(|other| (*other).to_owned())
                .collect();
            let imports = self
                .edges()
                .filter(|(from, to, _)| files.contains(*from) && files.contains(*to))
                .map(|(from, to, paths)| sentence(from, to, paths))
                .collect();
            circles.push(Circle { files, imports });
        }
        circles
    }

    /// All files that a file leads to.
    fn reach(&self, file: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![file];
        while let Some(at) = waiting.pop() {
            for to in self.imports.get(at).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(to.as_str()) {
                    waiting.push(to);
                }
            }
        }
        reached
    }

    /// What contradicts the layers of a folder: imports of another entry that is not lower, files on no layer, and entries
    /// without a file. A list of modules needs no layer as long as it imports nothing and nothing imports it.
    pub(crate) fn misplaced(&self, folder: &str, layers: &Layers) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut homeless: BTreeSet<&str> = self
            .files()
            .filter(|file| !is_list(file))
            .filter(|file| below(folder, file).is_some_and(|path| entry(layers, path).is_none()))
            .collect();
        for (from, to, paths) in self.edges() {
            let (Some(importing), Some(imported)) = (below(folder, from), below(folder, to)) else {
                continue;
            };
            match (entry(layers, importing), entry(layers, imported)) {
                (Some(own), Some(theirs)) => {
                    if own != theirs && theirs.0 <= own.0 {
                        wrong.push(sentence(from, to, paths));
                    }
                }
                (own, theirs) => {
                    homeless.extend(own.is_none().then_some(from));
                    homeless.extend(theirs.is_none().then_some(to));
                }
            }
        }
        for file in homeless {
            wrong.push(format!("{file} stands on no layer: add it to the table"));
        }
        for name in layers.iter().copied().flatten() {
            let mut places = self
                .files()
                .filter_map(|file| entry(layers, below(folder, file)?));
            if !places.any(|(_, found)| found == *name) {
                wrong.push(format!("no file belongs to `{name}` of the table"));
            }
        }
        wrong
    }
}

/// The path of a file from a folder on, without the ending.
fn below<'f>(folder: &str, file: &'f str) -> Option<&'f str> {
    file.strip_prefix(folder)?
        .strip_prefix('/')?
        .strip_suffix(".rs")
}

/// Whether a file is where a crate or a folder lists its modules.
fn is_list(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    matches!(name, "lib.rs" | "main.rs" | "mod.rs")
}

/// The longest entry that a file belongs to, and its layer, counted from the top.
fn entry<'f>(layers: &'f Layers, path: &str) -> Option<(usize, &'f str)> {
    let holds = |name: &str| {
        path.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    layers
        .iter()
        .enumerate()
        .flat_map(|(layer, names)| names.iter().map(move |name| (layer, *name)))
        .filter(|(_, name)| holds(name))
        .max_by_key(|(_, name)| name.len())
}

fn sentence(from: &str, to: &str, paths: &BTreeSet<String>) -> String {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    format!("{from} imports {to}: {}", paths.join(", "))
}
