//! What has become of an override: does the document still need it, and is it still what it was written against?

use std::fmt;

use serde_json::Value;

use super::guard::{self, Difference};
use crate::finding::Finding;
use crate::overlay::{self, Action, Change, ChangeKind, Effect, Selection, StrayStep};
use crate::overrides::load::Override;
use crate::pointer;

/// The state of an override against a document. Only `Applied` passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It changes what it was written against.
    Applied,
    /// The document already says what it wants.
    Retired,
    /// Another file writes the same place differently.
    Conflicting,
    /// The document says something else than it was written against.
    Drifted,
    /// A place that it writes is gone.
    Orphaned,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Applied => "applied",
            Self::Retired => "retired",
            Self::Conflicting => "conflicting",
            Self::Drifted => "drifted",
            Self::Orphaned => "orphaned",
        })
    }
}

/// One override judged in its turn.
pub(in crate::overrides) struct Judged {
    pub(in crate::overrides) verdict: Verdict,
    /// The document after it, as far as it could be applied.
    pub(in crate::overrides) document: Value,
    pub(in crate::overrides) changes: Vec<Change>,
    /// What a person has to look at, unless it is applied.
    pub(in crate::overrides) finding: Option<Finding>,
    /// Where the targets of an orphan leave the document.
    pub(in crate::overrides) strays: Vec<StrayStep>,
}

/// A place that an earlier override wrote, and the file that did.
pub(in crate::overrides) struct Written<'w> {
    pub(in crate::overrides) change: &'w Change,
    pub(in crate::overrides) by: &'w Override,
}

/// Judges one override against the document as the ones before it left it. Guards are about the published text.
pub(in crate::overrides) fn judge(
    published: &Value,
    mut document: Value,
    one: &Override,
    earlier: &[Written<'_>],
) -> Judged {
    if is_retired(&document, one) {
        return Judged {
            verdict: Verdict::Retired,
            document,
            changes: Vec::new(),
            finding: Some(retired(one)),
            strays: Vec::new(),
        };
    }
    let mut changes = Vec::new();
    let mut strays = Vec::new();
    let mut problem: Option<Problem> = None;
    for action in &one.overlay.actions {
        let found = problems(published, &document, action);
        let is_gone = matches!(found, Some(Problem::Gone(_)));
        problem = Problem::worse(problem, found);
        if is_gone {
            strays.extend(overlay::stray_step(&document, &action.target));
            continue;
        }
        match overlay::apply_action(&mut document, action, &one.source, Selection::MayBeEmpty) {
            Ok(more) => {
                problem = Problem::worse(problem, conflict(action, &more, earlier));
                changes.extend(more);
            }
            Err(finding) => problem = Problem::worse(problem, Some(Problem::Clash(finding))),
        }
    }
    let mut judged = Judged {
        verdict: Verdict::Applied,
        document,
        changes,
        finding: None,
        strays,
    };
    if let Some(problem) = problem {
        let (verdict, finding) = problem.report(one, &judged.strays);
        judged.verdict = verdict;
        judged.finding = Some(finding);
    }
    judged
}

/// Whether every goal of the file held before it was applied, or applying it changes nothing.
fn is_retired(document: &Value, one: &Override) -> bool {
    let goals_hold = one
        .overlay
        .actions
        .iter()
        .all(|action| goal_holds(document, action));
    // Only a file that replaces something can want what is there already without each of its goals holding.
    let replaces = one
        .overlay
        .actions
        .iter()
        .any(|action| matches!(action.effect, Effect::Remove));
    goals_hold
        || replaces && {
            let mut after = document.clone();
            one.overlay.actions.iter().all(|action| {
                overlay::apply_action(&mut after, action, &one.source, Selection::MustNotBeEmpty)
                    .is_ok()
            }) && same(&after, document)
        }
}

/// Whether two values say the same, with lists as sets: what is there already and is appended again changes nothing.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, of_a)| b.get(key).is_some_and(|of_b| same(of_a, of_b)))
        }
        (Value::Array(a), Value::Array(b)) => {
            let within = |some: &[Value], all: &[Value]| {
                some.iter()
                    .all(|one| all.iter().any(|other| same(one, other)))
            };
            within(a, b) && within(b, a)
        }
        (a, b) => a == b,
    }
}

fn goal_holds(document: &Value, action: &Action) -> bool {
    let targets = action.query.query(document).all();
    match &action.effect {
        Effect::Nothing => true,
        Effect::Update(update) => {
            !targets.is_empty() && targets.iter().all(|target| contains(target, update))
        }
        Effect::Remove => targets.is_empty() && parent_exists(document, action),
        Effect::Copy(from) => {
            let sources = from.query(document).all();
            !targets.is_empty()
                && match sources.first() {
                    None => true,
                    Some(source) => targets.iter().all(|target| target == source),
                }
        }
    }
}

fn parent_exists(document: &Value, action: &Action) -> bool {
    overlay::parent(&action.target)
        .and_then(|parent| serde_json_path::JsonPath::parse(parent).ok())
        .is_some_and(|parent| !parent.query(document).is_empty())
}

/// Whether `fragment` is contained in `value`; lists count as sets.
fn contains(value: &Value, fragment: &Value) -> bool {
    match (value, fragment) {
        (Value::Object(value), Value::Object(fragment)) => fragment
            .iter()
            .all(|(key, wanted)| value.get(key).is_some_and(|there| contains(there, wanted))),
        (Value::Array(value), Value::Array(fragment)) => {
            fragment.iter().all(|wanted| value.contains(wanted))
        }
        (Value::Array(value), wanted) => value.contains(wanted),
        (value, fragment) => value == fragment,
    }
}

/// Why an override is not simply applied, least bad first.
enum Problem {
    Conflict {
        action: String,
        pointer: String,
        by: String,
    },
    Clash(Box<Finding>),
    Differs {
        action: String,
        differences: Vec<Difference>,
        wanted: Option<Value>,
    },
    Gone(Vec<String>),
}

impl Problem {
    fn rank(&self) -> u8 {
        match self {
            Self::Conflict { .. } => 0,
            Self::Clash(_) => 1,
            Self::Differs { .. } => 2,
            Self::Gone(_) => 3,
        }
    }

    /// The worse of two; all places that are gone are kept.
    fn worse(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(Self::Gone(mut a)), Some(Self::Gone(b))) => {
                a.extend(b);
                Some(Self::Gone(a))
            }
            (Some(a), Some(b)) => Some(if b.rank() > a.rank() { b } else { a }),
            (a, b) => a.or(b),
        }
    }

    fn report(self, one: &Override, strays: &[StrayStep]) -> (Verdict, Finding) {
        let id = &one.id;
        let path = &one.source.path;
        let refresh = format!("`cargo xtask overrides guard {id}`");
        match self {
            Self::Clash(finding) => (Verdict::Drifted, *finding),
            Self::Conflict {
                action,
                pointer,
                by,
            } => (
                Verdict::Conflicting,
                one.source.finding(
                    "conflicting",
                    action,
                    format!("`{id}` writes #{pointer}, and so does {by}, differently"),
                    format!("keep one of the two: take the place out of {path} or out of {by}"),
                ),
            ),
            Self::Gone(actions) => {
                let first = actions.first().cloned().unwrap_or_default();
                let finding = one.source.finding(
                    "orphaned",
                    format!("{first}/target"),
                    format!(
                        "`{id}`: {} of its {} places are gone from the document",
                        actions.len(),
                        one.overlay.actions.len()
                    ),
                    format!(
                        "look where they went: correct the targets in {path}, then {refresh}; or delete the file"
                    ),
                );
                let finding = strays
                    .iter()
                    .fold(finding, |finding, stray| finding.note(stray.to_string()));
                (Verdict::Orphaned, finding)
            }
            Self::Differs {
                action,
                differences,
                wanted,
            } => {
                let mut finding = one.source.finding(
                    "drifted",
                    format!("{action}/target"),
                    format!("`{id}` was written against another text than the document has now"),
                    format!(
                        "read the new text. Still wrong: correct {path} if needed, then {refresh}. Right now: delete the file"
                    ),
                );
                for difference in differences {
                    let at = &difference.pointer;
                    let below = if at.is_empty() {
                        "the target".to_owned()
                    } else {
                        format!("#{at} below the target")
                    };
                    let wanted = match wanted.as_ref().map(|wanted| wanted.pointer(at)) {
                        None => "(nothing: it is to go)".to_owned(),
                        Some(None) => "(as it is)".to_owned(),
                        Some(Some(wanted)) => show(wanted),
                    };
                    finding = finding.note(format!(
                        "{below}\n  written against: {}\n  there now:       {}\n  wanted:          {wanted}",
                        show(&difference.expected),
                        show(&difference.found),
                    ));
                }
                (Verdict::Drifted, finding)
            }
        }
    }
}

/// A fragment on one line.
fn show(value: &Value) -> String {
    const LONGEST: usize = 160;
    let text = match value {
        Value::Null => "(nothing)".to_owned(),
        value => value.to_string(),
    };
    if text.chars().count() > LONGEST {
        text.chars().take(LONGEST).chain(['…']).collect()
    } else {
        text
    }
}

fn problems(published: &Value, document: &Value, action: &Action) -> Option<Problem> {
    let targets = action.query.query(document).all();
    let guarded = action
        .query
        .query(guard::base(published, document, action))
        .all();
    let is_remove = matches!(action.effect, Effect::Remove);
    if targets.is_empty() && !(is_remove && parent_exists(document, action)) {
        return Some(Problem::Gone(vec![action.pointer.clone()]));
    }
    let wanted = match &action.effect {
        Effect::Update(update) => Some(update.clone()),
        _ => None,
    };
    let differences = match &action.guard {
        Some(guard) if guarded.is_empty() => guard::differences(guard, None),
        Some(guard) => guarded
            .iter()
            .map(|target| guard::differences(guard, Some(target)))
            .find(|differences| !differences.is_empty())
            .unwrap_or_default(),
        // Without a guard, only the absence of what is to go tells that something changed.
        None if targets.is_empty() => vec![Difference {
            pointer: String::new(),
            expected: Value::String("(something)".to_owned()),
            found: Value::Null,
        }],
        None => Vec::new(),
    };
    (!differences.is_empty()).then(|| Problem::Differs {
        action: action.pointer.clone(),
        differences,
        wanted,
    })
}

/// Whether a change overwrites or removes what an earlier file wrote.
fn conflict(action: &Action, changes: &[Change], earlier: &[Written<'_>]) -> Option<Problem> {
    changes
        .iter()
        .filter(|change| change.kind != ChangeKind::Added)
        .find_map(|change| {
            let written = earlier.iter().find(|written| {
                written.change.kind != ChangeKind::Removed
                    && pointer::is_within(&change.pointer, &written.change.pointer)
            })?;
            Some(Problem::Conflict {
                action: action.pointer.clone(),
                pointer: change.pointer.clone(),
                by: written.by.source.path.clone(),
            })
        })
}

fn retired(one: &Override) -> Finding {
    let wants_nothing = one.overlay.actions.iter().all(|action| {
        matches!(&action.effect, Effect::Update(Value::Object(update)) if update.is_empty())
    });
    if wants_nothing {
        return one.source.finding(
            "override-empty",
            "/actions",
            format!("`{}` wants nothing yet: its update is empty", one.id),
            format!(
                "write what {} is to change, then run `cargo xtask overrides guard {}`",
                one.source.path, one.id
            ),
        );
    }
    let evidence = if one.about.evidence.is_empty() {
        String::new()
    } else {
        format!(" and {}", one.about.evidence.join(", "))
    };
    one.source
        .finding(
            "retired",
            "/info/title",
            format!(
                "`{}` is no longer needed: the document says all of it",
                one.id
            ),
            format!(
                "delete {}{evidence}, then run `cargo xtask regen`",
                one.source.path
            ),
        )
        .note(format!(
            "to be retired when: {}",
            one.about.retire_when.trim()
        ))
}
