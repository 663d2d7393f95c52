//! Many lost places with one cause: a path prefix that was renamed upstream. Reported once, not once for each place.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::program::{command, generate};
use openapi_document::source::Source;
use openapi_overlay::StrayStep;

use crate::judge::{Judgement, Judgements, Verdict};

impl Judgements {
    /// Returns the findings for a person: all overrides that are not applied.
    pub fn findings(&self, published: &Source) -> Vec<Finding> {
        let mut all = self.unapplied.clone();
        all.extend(findings(published, &self.all));
        all
    }
}

/// The findings of all judgements. Overrides that a common rename has orphaned share one.
fn findings(published: &Source, judgements: &[Judgement]) -> Vec<Finding> {
    let orphans: Vec<&Judgement> = judgements
        .iter()
        .filter(|judgement| judgement.verdict == Verdict::Orphaned)
        .collect();
    let strays = || orphans.iter().flat_map(|orphan| &orphan.strays);
    // A path that overrides name already is not a new name of another one.
    let is_known = |name: &str| {
        let texts = judgements.iter().map(|one| &one.applied.by.source.text);
        texts
            .into_iter()
            .any(|text| text.contains(&format!("'{name}'")))
    };
    let is_renamed =
        strays().all(|stray| stray.near.as_deref().is_some_and(|near| !is_known(near)));
    let rename = if orphans.len() > 1 && is_renamed {
        common(strays())
    } else {
        None
    };
    let mut findings: Vec<Finding> = judgements
        .iter()
        .filter(|judgement| rename.is_none() || judgement.verdict != Verdict::Orphaned)
        .filter_map(|judgement| judgement.finding.clone())
        .collect();
    if let Some((old, new)) = rename {
        findings.push(told_once(published, judgements, &orphans, &old, &new));
    }
    findings
}

fn told_once(
    published: &Source,
    judgements: &[Judgement],
    orphans: &[&Judgement],
    old: &str,
    new: &str,
) -> Finding {
    let ids: Vec<&str> = orphans
        .iter()
        .map(|orphan| orphan.applied.by.id.as_str())
        .collect();
    let mut finding = published.finding(
        "orphaned",
        "/paths",
        format!(
            "{} overrides lost their places: `{old}` seems to have become `{new}`",
            orphans.len()
        ),
        format!(
            "if the paths only moved: replace `{old}` by `{new}` in these files, then run\n\
             `{}` and `{}`.\n\
             If they are other operations now, delete the files that no longer apply",
            command(format_args!("overrides guard {}", ids.join(" "))),
            generate()
        ),
    );
    for orphan in orphans {
        let one = &orphan.applied.by;
        finding = finding.note(format!(
            "{}: {} of {} targets are gone ({})",
            one.source.path,
            orphan.strays.len(),
            one.overlay.actions.len(),
            one.overlay.title
        ));
    }
    let also = judgements
        .iter()
        .filter(|judgement| judgement.verdict != Verdict::Orphaned)
        .filter(|judgement| mentions(&judgement.applied.by.source.text, old))
        .map(|judgement| judgement.applied.by.source.path.as_str());
    for path in also {
        finding = finding.note(format!("{path} still applies, and names `{old}` too"));
    }
    finding
}

/// Returns whether a string begins a path with `old`.
fn mentions(text: &str, old: &str) -> bool {
    text.contains(&format!("{old}/"))
}

/// The one change of prefix that explains all lost steps.
fn common<'s>(strays: impl Iterator<Item = &'s StrayStep>) -> Option<(String, String)> {
    let mut found: Option<(String, String)> = None;
    for stray in strays {
        let rename = pointer::prefixes(&stray.name, stray.near.as_ref()?);
        match &found {
            Some(earlier) if *earlier != rename => return None,
            _ => found = Some(rename),
        }
    }
    found.filter(|(old, _)| !old.is_empty())
}
