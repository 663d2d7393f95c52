//! Problems that prevent an override from being applied, in the document and in earlier files.

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_overlay::{Action, Change, ChangeKind, Effect};
use serde_json::Value;

use super::goals::parent_exists;
use super::guard::{self, Difference};
use crate::load::Override;

/// A place that an earlier override wrote, and the file that did.
pub(super) struct Written<'w> {
    pub(super) change: &'w Change,
    pub(super) by: &'w Override,
}

/// Why an override is not simply applied, least bad first.
pub(super) enum Problem {
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

    /// Returns the worse of two; all orphaned places are kept.
    pub(super) fn worse(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(Self::Gone(mut a)), Some(Self::Gone(b))) => {
                a.extend(b);
                Some(Self::Gone(a))
            }
            (Some(a), Some(b)) => Some(if b.rank() > a.rank() { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

/// Returns the problem of an action: its places are gone, or differ from its guard.
pub(super) fn problem(published: &Value, document: &Value, action: &Action) -> Option<Problem> {
    let targets = action.query.query(document).all();
    let base = guard::base(published, document, action);
    let guarded = openapi_overlay::nodes(&action.query, base);
    let is_remove = matches!(action.effect, Effect::Remove);
    if targets.is_empty() && !(is_remove && parent_exists(document, action)) {
        return Some(Problem::Gone(vec![action.pointer.clone()]));
    }
    let differences = match action
        .guard
        .as_ref()
        .map(|guard| guard::about(action, guard))
    {
        Some(guard) if guarded.is_empty() => guard::without_target(&guard),
        Some(guard) => guarded
            .iter()
            .map(|target| guard::differences(&guard, base, target))
            .find(|differences| !differences.is_empty())
            .unwrap_or_default(),
        // Without a guard, only an absent target of a removal shows that something changed.
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
        wanted: action.effect.update().cloned(),
    })
}

/// Returns whether a change overwrites or removes the value of an earlier file without a guard for it.
pub(super) fn conflict(
    published: &Value,
    action: &Action,
    changes: &[Change],
    earlier: &[Written<'_>],
) -> Option<Problem> {
    if action.guard.is_some() && action.query.query(published).is_empty() {
        return None;
    }
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
