//! One kind of content that a document may lose, and the override that preserves it. Both kinds are handled alike.

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use serde_json::Value;

use super::{names, never_null};
use crate::load::{Family, Override, OverrideSet};
use crate::preserved;
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::Rebase;

/// The override that preserves a kind of lost content.
struct Preserver {
    family: Family,
    /// File name.
    file: &'static str,
    /// Head of the file. `{old}` and `{new}` are the versions of the documents, `{reference}` names the old document.
    head: &'static str,
}

const NEVER_NULL: Preserver = Preserver {
    family: Family::Assumed,
    file: preserved::NEVER_NULL,
    head: never_null::HEAD,
};

const NAMES: Preserver = Preserver {
    family: Family::Generator,
    file: preserved::NAMES,
    head: names::HEAD,
};

/// Both documents with their overrides applied.
pub(super) struct Documents<'d> {
    pub(super) old: &'d Source,
    pub(super) new: &'d Source,
    pub(super) to: Correspondence<'d>,
    /// New document as published, for guards.
    pub(super) published: &'d Value,
    /// New document with the schemas that it does not use.
    pub(super) whole: &'d Value,
    /// True if likely moves are accepted.
    pub(super) accept: bool,
}

/// Finds lost content. Adds overrides that preserve it, or actions to existing ones. `documents` has both documents with their
/// overrides applied.
pub(crate) fn preserve(
    (old, new, whole): (&Source, &Source, &Value),
    documents: (Value, Value),
    accept: bool,
    rebase: &mut Rebase,
) -> Result<(), DocumentError> {
    let (old, mut after) = (old.with_value(documents.0), documents.1);
    // Names are those of the documents without the nulls that the first override removes.
    for kind in [NEVER_NULL, NAMES] {
        let now = new.with_value(after.clone());
        let documents = Documents {
            to: Correspondence::new(&old.value, &now.value, &openapi_diff::matched(&old, &now)),
            old: &old,
            new: &now,
            published: &new.value,
            whole,
            accept,
        };
        let actions = if kind.family == Family::Assumed {
            never_null::find(&documents, rebase)
        } else {
            names::find(&documents, rebase)
        };
        if let Some(actions) = actions {
            let one = kind.written(&documents, actions, rebase)?;
            for action in &one.overlay.actions {
                one.apply_action(action, &mut after);
            }
        }
    }
    Ok(())
}

impl Preserver {
    /// Adds the override with these actions. It also contains what the set already has of it.
    fn written(
        &self,
        documents: &Documents<'_>,
        actions: Vec<String>,
        rebase: &mut Rebase,
    ) -> Result<Override, DocumentError> {
        let folder = folder(&rebase.set);
        let path = format!("{folder}/{}/{}", self.family.folder(), self.file);
        let all = &mut rebase.set.overrides;
        let known = all.iter().position(|one| one.source.path == path);
        let before = known.map(|known| all.remove(known).source.text);
        let mut text = before.unwrap_or_else(|| self.head(documents));
        text.truncate(text.trim_end().len());
        text.push('\n');
        for action in actions {
            // An earlier rebase to the same document has written some of them.
            if !text.contains(&action) {
                text.push_str(&action);
            }
        }
        let source = Source::parse(&path, text.clone())?;
        let one = Override::parse(self.family, source).map_err(DocumentError::Findings)?;
        rebase.set.insert(one.clone());
        rebase.files.retain(|(other, _)| *other != path);
        rebase.files.push((path, text));
        Ok(one)
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
