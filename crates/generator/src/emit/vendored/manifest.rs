//! The manifests of the runtime in that of the emitted crate: what its crates depend on, and what their features turn on.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::finding::{DocumentError, Finding};
use openapi_model::Model;
use toml::{Table, Value};

use super::super::cargo_features::{CLI, Feature};
use super::super::cargo_toml::toml_list;
use super::super::packaging::Sources;
use super::conditions::Condition;
use super::{MODULES, OF_CLI, needed};

/// The parts of the emitted manifest that replace dependencies on the runtime.
pub(in super::super) struct Merged {
    /// Its features.
    pub(in super::super) features: Vec<Feature>,
    /// The lines of its dependencies.
    pub(in super::super) dependencies: String,
    /// The features of the runtime that the crate has always.
    always: BTreeSet<String>,
}

/// A crate that is needed.
#[derive(Default)]
struct Need {
    versions: BTreeSet<String>,
    /// Its name on the registry, if the manifest has another one for it.
    package: Option<String>,
    /// True if its default features are on.
    default: bool,
    features: BTreeSet<String>,
    /// True if it is needed without any feature.
    always: bool,
}

impl Need {
    fn line(&self, name: &str) -> String {
        let versions: Vec<&str> = self.versions.iter().map(String::as_str).collect();
        let version = format!("\"{}\"", versions.join(", "));
        let is_plain = self.always && self.default && self.package.is_none();
        if is_plain && self.features.is_empty() {
            return format!("{name} = {version}\n");
        }
        let mut settings = vec![format!("version = {version}")];
        let package = self.package.iter();
        settings.extend(package.map(|package| format!("package = \"{package}\"")));
        if !self.always {
            settings.push("optional = true".to_owned());
        }
        if !self.default {
            settings.push("default-features = false".to_owned());
        }
        if !self.features.is_empty() {
            settings.push(format!("features = {}", toml_list(&self.features)));
        }
        format!("{name} = {{ {} }}\n", settings.join(", "))
    }
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
        features: Vec<Feature>,
        always: &BTreeSet<&str>,
        own: &str,
    ) -> Result<Self, DocumentError> {
        let mut always: BTreeSet<String> = always.iter().map(|one| (*one).to_owned()).collect();
        let shared = manifest(sources, "Cargo.toml")?;
        let own = table("the emitted crate", &format!("[dependencies]\n{own}"))?;
        let mut needs = BTreeMap::new();
        add(&mut needs, &own, &shared, true)?;
        let (mut turned_on, mut of_cli) = (BTreeMap::<String, Vec<String>>::new(), Vec::new());
        // The core comes last in the list, and decides first what is always needed.
        let modules: Vec<_> = needed(model).collect();
        for (module, folder) in modules.into_iter().rev() {
            let manifest = manifest(sources, &format!("{folder}/Cargo.toml"))?;
            if module == OF_CLI {
                of_cli = names_of_cli(&manifest);
            }
            add(&mut needs, &manifest, &shared, module != OF_CLI)?;
            let features = manifest.get("features").and_then(Value::as_table);
            for (name, entries) in features.into_iter().flatten() {
                let all = turned_on.entry(name.clone()).or_default();
                all.extend(strings(Some(entries)));
            }
        }
        let mut pending: Vec<String> = always.iter().cloned().collect();
        while let Some(feature) = pending.pop() {
            let entries = turned_on.get(&feature).into_iter().flatten();
            for entry in entries.filter(|entry| turned_on.contains_key(*entry)) {
                if always.insert(entry.clone()) {
                    pending.push(entry.clone());
                }
            }
        }
        for entry in always
            .iter()
            .filter_map(|name| turned_on.get(name))
            .flatten()
        {
            turn_on(entry, &mut needs);
        }
        let names: BTreeSet<&str> = features.iter().map(|feature| feature.name).collect();
        let features: Vec<Feature> = features
            .into_iter()
            .map(|mut feature| {
                let of_cli_alone = feature.turns_on.iter();
                let of_cli_alone =
                    of_cli_alone.filter_map(|entry| entry.strip_prefix("generated-cli/"));
                let of_runtime: Vec<String> = of_cli_alone
                    .chain([feature.name])
                    .filter_map(|name| turned_on.get(name))
                    .flatten()
                    .cloned()
                    .collect();
                feature.turns_on.extend(of_runtime);
                if feature.name == CLI {
                    feature.turns_on.extend_from_slice(&of_cli);
                }
                feature.turns_on = own_entries(&feature, &needs, &names);
                feature
            })
            .collect();
        let all = features.iter().flat_map(|feature| &feature.turns_on);
        let used: BTreeSet<&str> = all.filter_map(|entry| entry.strip_prefix("dep:")).collect();
        needs.retain(|name, need| need.always || used.contains(name.as_str()));
        let package = model.package.name.replace('-', "_");
        if let Some(name) = needs.keys().find(|name| name.replace('-', "_") == package) {
            return Err(taken(name));
        }
        Ok(Self {
            dependencies: needs.iter().map(|(name, need)| need.line(name)).collect(),
            features,
            always,
        })
    }

    /// Decides whether the emitted crate has a feature of the runtime.
    pub(super) fn condition(&self, feature: &str) -> Condition {
        if self.always.contains(feature) {
            Condition::Decided(true)
        } else if self.features.iter().any(|one| one.name == feature) {
            Condition::Open(format!("feature = \"{feature}\""))
        } else {
            Condition::Decided(false)
        }
    }
}

/// Returns the lines of what a crate of this repository depends on, as a crate outside of it writes them. `shared` is the manifest of the workspace.
///
/// # Errors
///
/// Files that are no manifests.
pub(in super::super) fn dependencies(
    manifest: &str,
    shared: Sources,
) -> Result<String, DocumentError> {
    let manifest = table("the crate", manifest)?;
    let mut needs = BTreeMap::new();
    add(
        &mut needs,
        &manifest,
        &self::manifest(shared, "Cargo.toml")?,
        true,
    )?;
    Ok(needs.iter().map(|(name, need)| need.line(name)).collect())
}

/// Adds the dependencies of a manifest, but for the crates of the runtime. Those of the command line are optional, unless another part needs them.
fn add(
    needs: &mut BTreeMap<String, Need>,
    manifest: &Table,
    shared: &Table,
    is_always_there: bool,
) -> Result<(), DocumentError> {
    let shared = shared
        .get("workspace")
        .and_then(|one| one.get("dependencies"));
    let all = manifest.get("dependencies").and_then(Value::as_table);
    for (name, value) in all.into_iter().flatten().filter(|(name, _)| !is_part(name)) {
        let inherited = shared.and_then(|shared| shared.get(name));
        let inherited = inherited.filter(|_| flag(value, "workspace") == Some(true));
        let need = needs.entry(name.clone()).or_default();
        need.always |= is_always_there && flag(value, "optional") != Some(true);
        let mut has_default = true;
        for value in inherited.into_iter().chain([value]) {
            let version = value
                .as_str()
                .or(value.get("version").and_then(Value::as_str));
            need.versions.extend(version.map(str::to_owned));
            let package = value.get("package").and_then(Value::as_str);
            need.package = package.map(str::to_owned).or(need.package.take());
            has_default &= flag(value, "default-features") != Some(false);
            need.features.extend(strings(value.get("features")));
        }
        need.default |= has_default;
        if need.versions.is_empty() {
            return Err(defect(format!("`{name}` has no version")));
        }
    }
    Ok(())
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

/// Lists what the command line turns on: the crates that it depends on.
fn names_of_cli(manifest: &Table) -> Vec<String> {
    let all = manifest.get("dependencies").and_then(Value::as_table);
    let all = all
        .into_iter()
        .flatten()
        .filter(|(name, value)| !is_part(name) && flag(value, "optional") != Some(true));
    all.map(|(name, _)| format!("dep:{name}")).collect()
}

/// What a feature of the crate turns on where the runtime is part of it.
fn own_entries(
    feature: &Feature,
    needs: &BTreeMap<String, Need>,
    names: &BTreeSet<&str>,
) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for entry in &feature.turns_on {
        let entry = match (entry.strip_prefix("dep:"), entry.split_once('/')) {
            (Some(name), _) if is_part(name) => continue,
            (Some(name), _) if needs.get(name).is_some_and(|need| need.always) => continue,
            (None, Some((name, of_part))) if is_part(name) => of_part,
            _ => entry,
        };
        let is_own = names.contains(entry) || entry.contains([':', '/']);
        if is_own && entry != feature.name && !all.iter().any(|one| one == entry) {
            all.push(entry.to_owned());
        }
    }
    all
}

/// Returns whether a dependency is a crate of the runtime.
fn is_part(name: &str) -> bool {
    let name = name.trim_end_matches('?').replace('-', "_");
    MODULES.iter().any(|(module, _)| *module == name)
}

fn flag(dependency: &Value, key: &str) -> Option<bool> {
    dependency.get(key)?.as_bool()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let all = value.and_then(Value::as_array).into_iter().flatten();
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Reads a manifest of the runtime.
fn manifest(sources: Sources, path: &str) -> Result<Table, DocumentError> {
    let text = sources.iter().find(|(one, _)| *one == path);
    let (path, text) =
        text.ok_or_else(|| defect(format!("the sources of the runtime have no `{path}`")))?;
    table(path, text)
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
