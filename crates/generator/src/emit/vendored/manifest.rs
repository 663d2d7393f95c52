//! The manifests of the runtime merged into one: what its crates depend on, and what their features turn on.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::finding::{DocumentError, Finding};
use openapi_model::Model;
use toml::{Table, Value};

use super::super::cargo_features::{CLI, Feature};
use super::super::packaging::Sources;
use super::{MODULES, OF_CLI, conditions};

/// The parts of the emitted manifest that replace dependencies on the runtime.
pub(in super::super) struct Merged {
    /// Its features.
    pub(in super::super) features: Vec<Feature>,
    /// The lines of its dependencies.
    pub(in super::super) dependencies: String,
    /// The features of the runtime that are no features of the crate, and the condition under which each is on.
    pub(super) features_of_runtime: BTreeMap<String, &'static str>,
}

/// A crate that is needed.
#[derive(Default)]
struct Need {
    versions: BTreeSet<String>,
    /// True if its default features are on.
    default: bool,
    features: BTreeSet<String>,
    /// True if it is needed without any feature.
    always: bool,
}

impl Need {
    fn add(&mut self, other: &Self) {
        self.versions.extend(other.versions.iter().cloned());
        self.default |= other.default;
        self.features.extend(other.features.iter().cloned());
        self.always |= other.always;
    }

    fn line(&self, name: &str) -> String {
        let versions: Vec<&str> = self.versions.iter().map(String::as_str).collect();
        let version = format!("\"{}\"", versions.join(", "));
        if self.always && self.default && self.features.is_empty() {
            return format!("{name} = {version}\n");
        }
        let mut settings = vec![format!("version = {version}")];
        if !self.always {
            settings.push("optional = true".to_owned());
        }
        if !self.default {
            settings.push("default-features = false".to_owned());
        }
        if !self.features.is_empty() {
            let features: Vec<String> = self
                .features
                .iter()
                .map(|one| format!("\"{one}\""))
                .collect();
            settings.push(format!("features = [{}]", features.join(", ")));
        }
        format!("{name} = {{ {} }}\n", settings.join(", "))
    }
}

/// A crate of the runtime.
struct Part {
    is_of_cli: bool,
    needs: BTreeMap<String, Need>,
    features: BTreeMap<String, Vec<String>>,
    /// The features of other crates of the runtime that it cannot do without.
    asks_for: BTreeSet<String>,
}

impl Merged {
    /// Merges the manifests. `always` are the features of the core that the code needs, `own` the dependencies of the crate beside the runtime.
    ///
    /// # Errors
    ///
    /// A package with the name of a crate that it depends on, and sources that are not those of the runtime.
    pub(in super::super) fn of(
        sources: Sources,
        model: &Model,
        (features, always): (Vec<Feature>, &BTreeSet<&str>),
        own: &str,
    ) -> Result<Self, DocumentError> {
        let parts = parts(sources)?;
        let own = format!("[dependencies]\n{own}");
        let mut needs = needs(&table("the emitted crate", &own)?, &Table::new())?;
        add(&mut needs, parts.iter().filter(|part| !part.is_of_cli));
        let mut of_cli = BTreeMap::new();
        add(&mut of_cli, parts.iter().filter(|part| part.is_of_cli));
        for entry in parts.iter().flat_map(|part| part.turned_on(always)) {
            turn_on(entry, &mut needs);
        }
        let names: BTreeSet<&str> = features.iter().map(|feature| feature.name).collect();
        let asked: BTreeSet<&str> = parts
            .iter()
            .flat_map(|part| &part.asks_for)
            .map(String::as_str)
            .collect();
        // A feature that is not one of the crate is on wherever the part is that has it.
        let with_cli: BTreeSet<&str> = asked.difference(&names).copied().collect();
        for entry in parts.iter().flat_map(|part| part.on(&with_cli)) {
            turn_on(entry, &mut of_cli);
        }
        let mut of_cli = turned_on(of_cli, &mut needs);
        of_cli.extend(asked.intersection(&names).map(|name| (*name).to_owned()));
        let condition = |name: &str| {
            if always.contains(name) {
                Some(conditions::ALWAYS)
            } else if with_cli.contains(name) {
                Some(conditions::WITH_CLI)
            } else {
                (!names.contains(name)).then_some(conditions::NEVER)
            }
        };
        let of_parts = parts.iter().flat_map(|part| part.features.keys());
        let features_of_runtime = of_parts
            .filter_map(|name| Some((name.clone(), condition(name)?)))
            .collect();
        let features: Vec<Feature> = features
            .into_iter()
            .map(|feature| merged(feature, &parts, (&needs, &names), &of_cli))
            .collect();
        let all = features.iter().flat_map(|feature| &feature.turns_on);
        let used: BTreeSet<&str> = all.filter_map(|entry| entry.strip_prefix("dep:")).collect();
        needs.retain(|name, need| need.always || used.contains(name.as_str()));
        let package = model.package.name.replace('-', "_");
        if let Some(name) = needs.keys().find(|name| name.replace('-', "_") == package) {
            return Err(taken(name));
        }
        let lines = needs.iter().map(|(name, need)| need.line(name));
        Ok(Self {
            dependencies: lines.collect(),
            features,
            features_of_runtime,
        })
    }
}

impl Part {
    /// Returns the features that `features` turn on, for a part that is always compiled.
    fn turned_on<'p>(&'p self, features: &'p BTreeSet<&str>) -> impl Iterator<Item = &'p str> {
        self.on(features).filter(|_| !self.is_of_cli)
    }

    /// The items that features turn on.
    fn on<'p>(&'p self, features: &'p BTreeSet<&str>) -> impl Iterator<Item = &'p str> {
        let all = self.features.iter();
        let all = all.filter(|(name, _)| features.contains(name.as_str()));
        all.flat_map(|(_, entries)| entries).map(String::as_str)
    }
}

fn add<'p>(needs: &mut BTreeMap<String, Need>, parts: impl Iterator<Item = &'p Part>) {
    for (name, need) in parts.flat_map(|part| &part.needs) {
        needs.entry(name.clone()).or_default().add(need);
    }
}

/// Makes part of every build what a feature turns on.
fn turn_on(entry: &str, needs: &mut BTreeMap<String, Need>) {
    if let Some(name) = entry.strip_prefix("dep:") {
        needs.entry(name.to_owned()).or_default().always = true;
    } else if let Some((name, feature)) = entry.split_once('/').filter(|(name, _)| !is_part(name)) {
        let need = needs.entry(name.to_owned()).or_default();
        need.features.insert(feature.to_owned());
    }
}

/// Adds what the command line needs, and returns what its feature turns on: the crates that nothing else needs, and more features of others.
fn turned_on(of_cli: BTreeMap<String, Need>, needs: &mut BTreeMap<String, Need>) -> Vec<String> {
    let mut turned_on = BTreeSet::new();
    for (name, need) in of_cli {
        let known = needs.entry(name.clone()).or_insert_with(|| Need {
            default: need.default,
            features: need.features.clone(),
            ..Need::default()
        });
        known.versions.extend(need.versions);
        if !need.always {
            continue;
        }
        if !known.always {
            turned_on.insert(format!("dep:{name}"));
        }
        let more = need.features.difference(&known.features);
        turned_on.extend(more.map(|feature| format!("{name}/{feature}")));
        if need.default && !known.default {
            turned_on.insert(format!("{name}/default"));
        }
    }
    turned_on.into_iter().collect()
}

/// A feature of the crate with what it turns on where the runtime is part of the crate.
fn merged(
    mut feature: Feature,
    parts: &[Part],
    (needs, names): (&BTreeMap<String, Need>, &BTreeSet<&str>),
    of_cli: &[String],
) -> Feature {
    let of_parts = parts
        .iter()
        .filter_map(|part| part.features.get(feature.name));
    let mut all: Vec<String> = Vec::new();
    for entry in feature.turns_on.iter().chain(of_parts.flatten()) {
        let entry = match (entry.strip_prefix("dep:"), entry.split_once('/')) {
            (Some(name), _) if is_part(name) => continue,
            (Some(name), _) if needs.get(name).is_some_and(|need| need.always) => continue,
            (None, Some((name, of_part))) if is_part(name) => of_part,
            // A feature of the runtime that is decided.
            (None, None) if !names.contains(entry.as_str()) => continue,
            _ => entry,
        };
        if entry != feature.name && !all.iter().any(|one| one == entry) {
            all.push(entry.to_owned());
        }
    }
    if feature.name == CLI {
        all.extend_from_slice(of_cli);
    }
    feature.turns_on = all;
    feature
}

/// Returns whether a dependency is a crate of the runtime.
fn is_part(name: &str) -> bool {
    let name = name.trim_end_matches('?').replace('-', "_");
    MODULES.iter().any(|(module, _)| *module == name)
}

fn parts(sources: Sources) -> Result<Vec<Part>, DocumentError> {
    let read = |path: &str| {
        let text = sources.iter().find(|(one, _)| *one == path);
        let (path, text) =
            text.ok_or_else(|| defect(format!("the sources of the runtime have no `{path}`")))?;
        table(path, text)
    };
    let root = read("Cargo.toml")?;
    let shared = root
        .get("workspace")
        .and_then(|one| one.get("dependencies"));
    let shared = shared
        .and_then(Value::as_table)
        .cloned()
        .unwrap_or_default();
    let part = |(module, folder): (&str, &str)| {
        let manifest = read(&format!("{folder}/Cargo.toml"))?;
        let features = manifest.get("features").and_then(Value::as_table);
        let features = features.into_iter().flatten();
        Ok(Part {
            is_of_cli: module == OF_CLI,
            needs: needs(&manifest, &shared)?,
            features: features
                .filter(|(name, _)| *name != "default")
                .map(|(name, entries)| (name.clone(), strings(Some(entries))))
                .collect(),
            asks_for: asks_for(&manifest),
        })
    };
    MODULES.into_iter().map(part).collect()
}

/// The dependencies of a manifest, but for the crates of the runtime.
fn needs(manifest: &Table, shared: &Table) -> Result<BTreeMap<String, Need>, DocumentError> {
    let all = manifest.get("dependencies").and_then(Value::as_table);
    let mut needs = BTreeMap::new();
    for (name, value) in all.into_iter().flatten().filter(|(name, _)| !is_part(name)) {
        let flag = |key: &str| value.get(key).and_then(Value::as_bool);
        let inherited = shared.get(name).filter(|_| flag("workspace") == Some(true));
        let mut need = Need {
            default: true,
            always: flag("optional") != Some(true),
            ..Need::default()
        };
        for value in inherited.into_iter().chain([value]) {
            let version = value
                .as_str()
                .or(value.get("version").and_then(Value::as_str));
            need.versions.extend(version.map(str::to_owned));
            need.default &= value.get("default-features").and_then(Value::as_bool) != Some(false);
            need.features.extend(strings(value.get("features")));
        }
        if need.versions.is_empty() {
            return Err(defect(format!("`{name}` has no version")));
        }
        needs.insert(name.clone(), need);
    }
    Ok(needs)
}

/// The features of other crates of the runtime that a manifest asks for.
fn asks_for(manifest: &Table) -> BTreeSet<String> {
    let all = manifest.get("dependencies").and_then(Value::as_table);
    let all = all.into_iter().flatten().filter(|(name, _)| is_part(name));
    all.flat_map(|(_, value)| strings(value.get("features")))
        .collect()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn table(path: &str, text: &str) -> Result<Table, DocumentError> {
    text.parse()
        .map_err(|error| defect(format!("`{path}` is no manifest: {error}")))
}

/// Returns an error: the given sources are not those of the runtime.
pub(super) fn defect(message: String) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "vendored-runtime",
        "Cargo.toml",
        message,
        "this is a defect of the program: use another source of the runtime until it is fixed",
    )])
}

fn taken(name: &str) -> DocumentError {
    DocumentError::Findings(vec![Finding::about(
        "package",
        "Cargo.toml",
        format!("a crate that contains the runtime depends on `{name}`, and cannot have this name"),
        "give the package another name",
    )])
}
