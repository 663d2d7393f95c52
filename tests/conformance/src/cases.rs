//! Reads the files of a folder of `cases/`. A case that cannot be played, that has an unknown key, or that repeats another one is an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The folder of all cases.
pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");

/// A file of the folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case<S, C> {
    /// Path of the file below the folder of all cases.
    #[serde(skip)]
    pub file: String,
    /// One sentence on what the case is about.
    pub about: String,
    /// What the service does.
    pub service: S,
    /// What a caller must see.
    pub caller: C,
}

/// Reads the cases of one kind, ordered by name.
pub fn read<S: DeserializeOwned + Serialize, C: DeserializeOwned>(kind: &str) -> Vec<Case<S, C>> {
    read_folder(&Path::new(FOLDER).join(kind)).unwrap()
}

/// Reads the cases of a folder, or returns what is wrong with one of its files.
pub fn read_folder<S, C>(folder: &Path) -> Result<Vec<Case<S, C>>, String>
where
    S: DeserializeOwned + Serialize,
    C: DeserializeOwned,
{
    let kind = folder.file_name().unwrap().to_str().unwrap();
    let mut cases = BTreeMap::new();
    let mut services = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let file = format!("{kind}/{name}");
        if !name.ends_with(".yaml") {
            return Err(format!("{file}: its name does not end in `.yaml`"));
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut case: Case<S, C> =
            serde_yaml::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
        if !case.about.ends_with('.') {
            return Err(format!("{file}: `about` is no sentence"));
        }
        let service = serde_yaml::to_string(&case.service).unwrap();
        if let Some(other) = services.insert(service, file.clone()) {
            return Err(format!("{file}: the service does the same in {other}"));
        }
        case.file.clone_from(&file);
        cases.insert(file, case);
    }
    Ok(cases.into_values().collect())
}

impl<S, C: PartialEq + Serialize> Case<S, C> {
    /// Panics unless a caller saw what the case says. The message has what was seen, in the form of the file.
    pub fn check(&self, seen: &C) {
        if *seen != self.caller {
            let seen = serde_yaml::to_string(&BTreeMap::from([("caller", seen)])).unwrap();
            panic!(
                "{} is about this: {}\nThe caller sees something else:\n{seen}",
                self.file, self.about
            );
        }
    }
}

/// Returns whether a value is the default, which a file leaves out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
