//! `cargo xtask overrides`: what they are, how they stand against a document, and writing them.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use super::Layout;
use super::status::line;
use crate::emit::{self, FileTree, MANIFEST};
use crate::finding::{Finding, Stop};
use crate::install;
use crate::overlay::{self, ChangeKind};
use crate::overrides::{self, Family, Judgement, Judgements, OverrideSet, Verdict};
use crate::source::Source;

/// How `list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people.
    Table,
    /// The files, one a line, in the order in which they apply.
    Paths,
    /// JSON.
    Json,
}

struct Loaded {
    published: Source,
    set: OverrideSet,
}

fn load(layout: &Layout, document: Option<&str>) -> Result<Loaded, Stop> {
    Ok(Loaded {
        published: Source::read(&layout.root, document.unwrap_or(&layout.document))?,
        set: OverrideSet::load(&layout.root, &layout.overrides)?,
    })
}

/// Lists all overrides with their verdicts.
pub fn list(layout: &Layout, format: Format, out: &mut dyn Write) -> Result<()> {
    let loaded = load(layout, None)?;
    if format == Format::Paths {
        for one in &loaded.set.overrides {
            writeln!(out, "{}", one.source.path)?;
        }
        return Ok(());
    }
    let judgements = overrides::judge(&loaded.published, &loaded.set);
    if format == Format::Json {
        let all: Vec<Value> = judgements.all.iter().map(as_json).collect();
        writeln!(out, "{:#}", Value::Array(all))?;
        return Ok(());
    }
    table(&judgements, out)
}

fn table(judgements: &Judgements, out: &mut dyn Write) -> Result<()> {
    let widest = |text: fn(&Judgement) -> &str| {
        let widths = judgements.all.iter().map(|judgement| text(judgement).len());
        widths.max().unwrap_or_default()
    };
    let width = widest(|judgement| &judgement.applied.by.id);
    let sections = widest(|judgement| &judgement.applied.by.about.reference);
    for judgement in &judgements.all {
        let one = &judgement.applied.by;
        writeln!(
            out,
            "{:<9} {:<width$}  {:<11}  {:<sections$}  {}",
            one.family.folder(),
            one.id,
            judgement.verdict,
            one.about.reference,
            one.overlay.title
        )?;
    }
    Ok(())
}

fn as_json(judgement: &Judgement) -> Value {
    let one = &judgement.applied.by;
    let changes: Vec<Value> = judgement
        .applied
        .changes
        .iter()
        .map(|change| {
            let kind = match change.kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Removed => "removed",
            };
            json!({"pointer": change.pointer, "kind": kind})
        })
        .collect();
    json!({
        "id": one.id,
        "family": one.family.folder(),
        "path": one.source.path,
        "verdict": judgement.verdict.to_string(),
        "title": one.overlay.title,
        "reference": one.about.reference,
        "published": one.about.published,
        "observed": one.about.observed,
        "retire_when": one.about.retire_when,
        "changes": changes,
    })
}

/// Judges all overrides against the published document, or another one, and lints the set.
/// Returns whether everything is in order.
pub fn check(layout: &Layout, document: Option<&str>, out: &mut dyn Write) -> Result<bool> {
    let loaded = load(layout, document)?;
    let judgements = overrides::judge(&loaded.published, &loaded.set);
    let mut findings = judgements.findings(&loaded.published);
    findings.extend(overrides::lint(&loaded.set));
    if findings.is_empty() {
        let applied: Vec<_> = judgements
            .all
            .iter()
            .map(|judgement| judgement.applied.clone())
            .collect();
        findings.extend(overrides::could_be_one(&applied));
        findings.extend(without_effect(&loaded)?);
    }
    for judgement in judgements
        .all
        .iter()
        .filter(|judgement| judgement.verdict != Verdict::Applied)
    {
        let verdict = judgement.verdict.to_string();
        let verb = verdict
            .chars()
            .next()
            .map(|first| first.to_uppercase().collect::<String>() + verdict.get(1..).unwrap_or(""))
            .unwrap_or_default();
        line(out, &verb, &judgement.applied.by.source.path)?;
    }
    if findings.is_empty() {
        line(
            out,
            "Checked",
            &format!(
                "{} overrides against {}",
                judgements.all.len(),
                loaded.published.path
            ),
        )?;
        return Ok(true);
    }
    Err(Stop::Findings(findings).into())
}

/// Overrides that could go without a trace in the emitted crate. Generates once without each.
fn without_effect(loaded: &Loaded) -> Result<Vec<Finding>> {
    let published = &loaded.published;
    let generate = |set: &OverrideSet| -> Result<FileTree, Stop> {
        let reconciled = overrides::reconcile(published, set)?;
        emit::emit(published, set, &reconciled)
    };
    let complete = generate(&loaded.set)?;
    let mut findings = Vec::new();
    for one in &loaded.set.overrides {
        // A set that does not even generate without the file misses it.
        let Ok(without) = generate(&loaded.set.without(&one.id)) else {
            continue;
        };
        let lists = ["OVERRIDES.md", MANIFEST, "openapi.yaml"];
        let differs = complete
            .iter()
            .filter(|(path, _)| !lists.contains(path))
            .any(|(path, content)| without.get(path) != Some(content));
        if !differs {
            findings.push(one.source.finding(
                "override-effect",
                "/info/title",
                format!(
                    "`{}` changes nothing in the code or its documentation",
                    one.id
                ),
                "delete it, or make the generator show what it says",
            ));
        }
    }
    Ok(findings)
}

/// Writes a new override whose guard is filled in from the document at the file's turn.
pub fn new(layout: &Layout, name: &str, target: &str, out: &mut dyn Write) -> Result<()> {
    let (family, id) = name.split_once('/').ok_or_else(|| {
        anyhow::anyhow!("`{name}` is no FAMILY/ID, such as upstream/article-date")
    })?;
    let family: Family = family.parse().map_err(anyhow::Error::msg)?;
    if id.is_empty()
        || !id
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    {
        anyhow::bail!("`{id}` is no id: lower-case letters, digits and hyphens");
    }
    let path = format!("{}/{}/{id}.yaml", layout.overrides, family.folder());
    if layout.root.join(&path).exists() {
        anyhow::bail!("{path} exists: edit it, or choose another id");
    }
    let loaded = load(layout, None)?;
    let document = before(&loaded, |one| {
        (one.family, one.source.path.as_str()) < (family, path.as_str())
    });
    // A whole action, so that a mistake in the query is shown as in any other file.
    let empty = overrides::template(family, target, &Value::Object(serde_json::Map::new()));
    let source = Source::parse(&path, empty)?;
    let overlay = overlay::Overlay::read(&source).map_err(Stop::Findings)?;
    let Some(action) = overlay.actions.first() else {
        anyhow::bail!("the template has no action");
    };
    let nodes = action.query.query(&document).all();
    let Some(guard) = nodes.first() else {
        let mut probe = document.clone();
        let selects_nothing = overlay::apply_action(
            &mut probe,
            action,
            &source,
            overlay::Selection::MustNotBeEmpty,
        );
        return Err(match selects_nothing {
            Err(finding) => Stop::Findings(vec![*finding]).into(),
            Ok(_) => anyhow::anyhow!("`{target}` selects nothing"),
        });
    };
    install::write_file(
        &layout.root.join(&path),
        &overrides::template(family, target, guard),
    )?;
    line(out, "Wrote", &path)?;
    line(
        out,
        "Next",
        &format!("fill it in, then `cargo xtask overrides guard {id}` and `cargo xtask regen`"),
    )?;
    Ok(())
}

/// Writes the guards of the named overrides, or of all that lack one, as the document is now.
pub fn guard(layout: &Layout, ids: &[String], out: &mut dyn Write) -> Result<()> {
    let loaded = load(layout, None)?;
    for id in ids {
        if !loaded.set.overrides.iter().any(|one| one.id == *id) {
            let known = loaded.set.overrides.iter().map(|one| one.id.as_str());
            match crate::finding::near(id, known) {
                Some(near) => {
                    anyhow::bail!("no override has the id `{id}`: did you mean `{near}`?")
                }
                None => {
                    anyhow::bail!("no override has the id `{id}`: see `cargo xtask overrides list`")
                }
            }
        }
    }
    for one in &loaded.set.overrides {
        let lacks = one
            .overlay
            .actions
            .iter()
            .any(|action| action.guard.is_none());
        if !(ids.contains(&one.id) || ids.is_empty() && lacks) {
            continue;
        }
        let mut document = before(&loaded, |other| {
            (other.family, other.source.path.as_str()) < (one.family, one.source.path.as_str())
        });
        let mut source = one.source.clone();
        for action in &one.overlay.actions {
            let guard = overrides::derive_guard(&loaded.published.value, &document, action);
            let Some(text) = overrides::with_guard(&source, &action.pointer, &guard) else {
                return Err(Stop::Findings(vec![source.finding(
                    "override-style",
                    &action.pointer,
                    "the action is not written in block style, so its guard cannot be written for you",
                    "write `- target: …` on a line of its own",
                )])
                .into());
            };
            source = Source::parse(&source.path, text)?;
            overlay::apply_action(
                &mut document,
                action,
                &source,
                overlay::Selection::MustNotBeEmpty,
            )
            .map_err(|finding| Stop::Findings(vec![*finding]))?;
        }
        if source.text == one.source.text {
            line(out, "Fresh", &one.source.path)?;
        } else {
            install::write_file(&layout.root.join(&source.path), &source.text)?;
            line(out, "Guarded", &source.path)?;
        }
    }
    Ok(())
}

/// The document as the overrides that come before leave it.
fn before(loaded: &Loaded, comes_before: impl Fn(&overrides::Override) -> bool) -> Value {
    let set = OverrideSet {
        overrides: loaded
            .set
            .overrides
            .iter()
            .filter(|one| comes_before(one))
            .cloned()
            .collect(),
    };
    overrides::judge(&loaded.published, &set).document
}
