//! One kind of content that a document may lose, and the override that preserves it. All kinds are handled alike.

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use serde_json::Value;

use crate::load::{Family, Override, OverrideSet};
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::{Rebase, Unsaid};

/// A verb and a sentence of the output.
pub(super) type Line = (&'static str, String);

/// One kind of lost content.
pub(super) struct Preserver {
    pub(super) family: Family,
    /// File name of its override.
    pub(super) file: &'static str,
    /// Head of the override. `{old}` and `{new}` are the versions of the documents, `{reference}` names the old document.
    pub(super) head: &'static str,
    /// Finds the lost content.
    pub(super) find: fn(&Documents<'_>) -> Found,
    /// Returns the field of the result.
    pub(super) unsaid: fn(&mut Rebase) -> &mut Unsaid,
    /// Describes the result. With the second argument, all locations are listed.
    pub(super) lines: fn(&Rebase, bool) -> Vec<Line>,
}

/// Both documents with their overrides applied.
pub(super) struct Documents<'d> {
    pub(super) old: &'d Source,
    pub(super) new: &'d Source,
    pub(super) to: Correspondence<'d>,
    /// New document as published, for guards.
    pub(super) published: &'d Value,
    /// True if likely moves are accepted.
    pub(super) accept: bool,
}

/// Lost content of one kind.
#[derive(Default)]
pub(super) struct Found {
    /// Result, without the file that preserves it.
    pub(super) unsaid: Unsaid,
    /// Locations of the old document that the override restores completely, including the changes of earlier overrides.
    pub(super) wholes: Vec<String>,
    /// Sources of the actions; `None` if the crate follows the document.
    pub(super) actions: Option<Vec<String>>,
}

impl Preserver {
    /// Finds lost content, and adds the override that preserves it. It also contains what the set already has of it.
    pub(super) fn preserve(
        &self,
        documents: &Documents<'_>,
        rebase: &mut Rebase,
    ) -> Result<Option<Override>, DocumentError> {
        let found = (self.find)(documents);
        let unsaid = (self.unsaid)(rebase);
        *unsaid = found.unsaid;
        let Some(actions) = found.actions else {
            return Ok(None);
        };
        let path = format!(
            "{}/{}/{}",
            folder(&rebase.set),
            self.family.folder(),
            self.file
        );
        (self.unsaid)(rebase).kept_by = Some(path.clone());
        for decision in &mut rebase.decisions {
            let is_said = |whole: &String| {
                *whole != decision.place
                    && openapi_document::pointer::is_within(&decision.place, whole)
            };
            if found.wholes.iter().any(is_said) {
                decision.reason = format!(
                    "delete it once {path} is written, which keeps the schema that is empty now as this override made it"
                );
            }
        }
        let all = &mut rebase.set.overrides;
        let known = all.iter().position(|one| one.source.path == path);
        let before = known.map(|known| all.remove(known).source.text);
        let mut text = before.unwrap_or_else(|| self.head(documents));
        text.truncate(text.trim_end().len());
        text.push('\n');
        text.extend(actions);
        let source = Source::parse(&path, text.clone())?;
        let one = Override::parse(self.family, source).map_err(DocumentError::Findings)?;
        rebase.set.insert(one.clone());
        rebase.files.retain(|(other, _)| *other != path);
        rebase.files.push((path, text));
        Ok(Some(one))
    }

    fn head(&self, documents: &Documents<'_>) -> String {
        let old = version(&documents.old.value);
        let parts = self.head.split(['{', '}']).map(|part| match part {
            "old" => old.clone(),
            "new" => version(&documents.new.value),
            "reference" => Value::String(format!("the document of version {old}")).to_string(),
            text => text.to_owned(),
        });
        parts.collect()
    }
}

/// Returns the folder of the overrides.
fn folder(set: &OverrideSet) -> &str {
    let first = set.overrides.first();
    let folder = first.and_then(|one| one.source.path.rsplitn(3, '/').nth(2));
    folder.unwrap_or("overrides")
}

/// Returns the version of a document, escaped for a multi-line YAML string.
fn version(root: &Value) -> String {
    const UNPRINTABLE: [char; 3] = ['\u{feff}', '\u{fffe}', '\u{ffff}'];
    let version = root.pointer("/info/version").and_then(Value::as_str);
    let words = version.unwrap_or("unknown").split_whitespace();
    let mut text = words.collect::<Vec<_>>().join(" ");
    text.retain(|c| !c.is_control() && !UNPRINTABLE.contains(&c));
    text
}
