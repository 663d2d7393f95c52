//! Override files from disk: one Overlay per file, its stem the id, its folder the family.

use std::fs::DirEntry;
use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overlay::{Action, Overlay, Selection};
use serde::Deserialize;
use serde_json::Value;

use super::evidence::{self, Evidence};
use super::plain::Plain;
use super::preserved::order;
use super::vocabulary;

/// The reason for an override. Families apply in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The document is wrong about the service.
    Upstream,
    /// The document is silent, and the client needs a decision.
    Assumed,
    /// The document is right but too brief for good code.
    Generator,
}

impl Family {
    /// All families, in the order in which they apply.
    pub const ALL: [Self; 3] = [Self::Upstream, Self::Assumed, Self::Generator];

    /// The folder below `overrides/`.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Upstream => "upstream",
            Self::Assumed => "assumed",
            Self::Generator => "generator",
        }
    }
}

impl std::str::FromStr for Family {
    type Err = String;

    fn from_str(folder: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|family| family.folder() == folder)
            .ok_or_else(|| {
                let known: Vec<&str> = Self::ALL.into_iter().map(Self::folder).collect();
                format!(
                    "`{folder}` is not a family; the families are {}",
                    known.join(", ")
                )
            })
    }
}

/// The `x-override` extension of an override.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct About {
    /// The sentence for callers at the places that it changes; without it, the title.
    #[serde(default)]
    pub note: Option<String>,
    /// The state of the published document.
    pub published: String,
    /// The behaviour of the service; for an assumption, the assumption and its reason; for the generator, the reason.
    pub observed: String,
    /// Sections of the provider's reference.
    pub reference: String,
    /// The change of the published document that makes the file superfluous.
    pub retire_when: String,
    /// Evidence files, relative to the overrides folder.
    #[serde(default)]
    pub evidence: Vec<String>,
}

/// One override file.
#[derive(Clone, Debug)]
pub struct Override {
    /// The file's stem.
    pub id: String,
    /// The folder it lies in.
    pub family: Family,
    /// The file.
    pub source: Source,
    /// Its description.
    pub about: About,
    /// Its actions.
    pub overlay: Overlay,
    /// The evidence that it lists; none of an override that was not loaded with its folder.
    pub evidence: Vec<Evidence>,
}

/// All overrides, in the order in which they apply, and the Overlays around them.
#[derive(Clone, Debug, Default)]
pub struct OverrideSet {
    /// The overrides.
    pub overrides: Vec<Override>,
    /// Overlays of any tool. They apply before the overrides, whose guards are about their result.
    pub overlays: Vec<Plain>,
    /// Package members from elsewhere than the document and its overrides. They apply last.
    pub package: Option<Plain>,
}

impl OverrideSet {
    /// Returns whether the set has no override.
    pub fn is_empty(&self) -> bool {
        self.overrides.is_empty()
    }

    /// Loads `root/folder/{upstream,assumed,generator}/*.yaml`; a folder that is missing is empty.
    pub fn load(root: &Path, folder: &str) -> Result<Self, DocumentError> {
        let mut sources = Vec::new();
        let mut unreadable = Vec::new();
        for family in Family::ALL {
            for path in list(root, &format!("{folder}/{}", family.folder()))? {
                match Source::read(root, &path) {
                    Ok(source) => sources.push((family, source)),
                    Err(stop) => unreadable.extend_from_slice(stop.findings()),
                }
            }
        }
        if !unreadable.is_empty() {
            return Err(DocumentError::Unreadable(unreadable));
        }
        let mut set = Self::default();
        let mut findings = Vec::new();
        for (family, source) in sources {
            match Override::parse(family, source) {
                Ok(mut one) => {
                    match evidence::listed(root, folder, &one.source, &one.about.evidence) {
                        Ok(evidence) => one.evidence = evidence,
                        Err(wrong) => findings.extend(wrong),
                    }
                    set.overrides.push(one);
                }
                Err(wrong) => findings.extend(wrong),
            }
        }
        let files = list(root, &format!("{folder}/{}", evidence::FOLDER))?;
        let lists = set
            .overrides
            .iter()
            .map(|one| one.about.evidence.as_slice());
        // The lists of an override that cannot be read are unknown.
        if findings.is_empty() {
            findings.extend(evidence::unlisted(&files, folder, lists));
        }
        findings.extend(misplaced(root, folder)?);
        findings.extend(repeated_ids(&set));
        DocumentError::unless_empty(findings)?;
        Ok(set)
    }

    /// Returns the set without one override, for tests of its effect.
    pub fn without(&self, id: &str) -> Self {
        let mut set = self.clone();
        set.overrides.retain(|one| one.id != id);
        set
    }

    /// A document after the plain Overlays, which the overrides are about. Actions that cannot be applied are left out.
    pub fn corrected(&self, document: &Source) -> Source {
        let (mut value, mut unapplied) = (document.value.clone(), Vec::new());
        for overlay in &self.overlays {
            overlay.apply(&mut value, &mut unapplied);
        }
        document.with_value(value)
    }

    /// Adds an override in its order.
    pub fn insert(&mut self, one: Override) {
        let is_later = |other: &Override| {
            (other.family, order(&other.source.path)) > (one.family, order(&one.source.path))
        };
        let at = self.overrides.iter().position(is_later);
        let at = at.unwrap_or(self.overrides.len());
        self.overrides.insert(at, one);
    }
}

/// File names in the order of their turns, and then in byte order, so that the order of application is the same on every machine.
fn list(root: &Path, folder: &str) -> Result<Vec<String>, DocumentError> {
    let mut names = Vec::new();
    for entry in entries(root, folder)? {
        if let Some(name) = entry.file_name().to_str()
            && (name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json"))
        {
            names.push(format!("{folder}/{name}"));
        }
    }
    names.sort_by(|one, other| order(one).cmp(&order(other)));
    Ok(names)
}

/// Returns the override files outside the families' folders, which are never read.
fn misplaced(root: &Path, folder: &str) -> Result<Vec<Finding>, DocumentError> {
    let families = Family::ALL.map(Family::folder);
    let known: Vec<String> = (families.iter().chain([&evidence::FOLDER]))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        if !known.contains(&at) {
            files.extend(list(root, &at)?);
        }
        if known.last() != Some(&at) {
            folders.extend(subfolders(root, &at)?);
        }
    }
    files.sort();
    let findings = files.into_iter().map(|file| {
        Finding::about(
            "override-folder",
            file,
            "the file is in no folder that overrides are read from",
            format!("move it to one of {} below {folder}/", families.join(", ")),
        )
    });
    Ok(findings.collect())
}

/// Lists the folders in a folder; none without it.
fn subfolders(root: &Path, folder: &str) -> Result<Vec<String>, DocumentError> {
    let mut found = Vec::new();
    for entry in entries(root, folder)? {
        if entry.path().is_dir() {
            let name = entry.file_name().to_string_lossy().into_owned();
            found.push(format!("{folder}/{name}"));
        }
    }
    Ok(found)
}

/// Lists what is in a folder; nothing without it.
fn entries(root: &Path, folder: &str) -> Result<Vec<DirEntry>, DocumentError> {
    let read = std::fs::read_dir(root.join(folder)).and_then(Iterator::collect);
    match read {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(|error| unreadable_folder(folder, &error)),
    }
}

fn unreadable_folder(folder: &str, error: &std::io::Error) -> DocumentError {
    DocumentError::Unreadable(vec![Finding::about(
        "unreadable-folder",
        folder,
        format!("cannot list the folder: {error}"),
        "check that it is a folder and may be read",
    )])
}

impl Override {
    /// Reads one override; `family` is the folder that it lies in.
    ///
    /// # Errors
    ///
    /// The errors in it.
    pub fn parse(family: Family, source: Source) -> Result<Self, Vec<Finding>> {
        let overlay = Overlay::read(&source)?;
        let mut findings = vocabulary::check(&source, &overlay);
        for key in overlay.extensions.keys().filter(|key| *key != "x-override") {
            findings.push(source.finding(
                "override-extension",
                openapi_document::pointer::join("", key),
                format!("`{key}` is not a key of an override"),
                "the description of an override belongs in `x-override`",
            ));
        }
        let about = match overlay.extensions.get("x-override") {
            Some(value) => evidence::members(&source, value, "/x-override", "override-about", HELP)
                .map_err(|finding| findings.push(*finding)),
            None => {
                findings.push(source.finding(
                    "override-about",
                    "",
                    "`x-override` is missing",
                    "say in it what is published, what is observed, the reference's section and when to retire the file",
                ));
                Err(())
            }
        };
        let id = source
            .path
            .rsplit('/')
            .next()
            .and_then(|name| name.rsplit_once('.'))
            .map(|(stem, _)| stem.to_owned())
            .unwrap_or_default();
        match about {
            Ok(about) if findings.is_empty() => Ok(Self {
                id,
                family,
                source,
                about,
                overlay,
                evidence: Vec::new(),
            }),
            _ => Err(findings),
        }
    }

    /// Applies one of its actions. One that cannot be applied is judged later.
    pub(crate) fn apply_action(&self, action: &Action, document: &mut Value) {
        let selection = Selection::MayBeEmpty;
        let _ = openapi_overlay::apply_action(document, action, &self.source, selection);
    }
}

const HELP: &str = "`x-override` has the strings note, published, observed, reference and retire-when, and the list evidence";

/// Returns findings for ids that an earlier override has.
fn repeated_ids(set: &OverrideSet) -> Vec<Finding> {
    let all = set.overrides.iter().enumerate();
    all.filter_map(|(index, one)| {
        let mut before = set.overrides.iter().take(index);
        let earlier = before.find(|other| other.id == one.id)?;
        Some(one.source.finding(
            "override-id",
            "",
            format!("the id `{}` is taken by {}", one.id, earlier.source.path),
            "rename one of the two",
        ))
    })
    .collect()
}
