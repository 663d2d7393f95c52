//! Applies one action after the other, in place, as the Overlay specification defines it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::Value;

use super::growth::Growth;
use super::model::{Action, Effect, Overlay};
use super::query;

/// The treatment of targets that select nothing: allowed by the specification, refused in an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// As the specification has it.
    MayBeEmpty,
    /// A target that selects nothing is a finding, and so is an action that says nothing to do.
    MustNotBeEmpty,
}

/// One place that an overlay touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// JSON Pointer into the document.
    pub pointer: String,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// The kind of change at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A value came that was not there.
    Added,
    /// A value was replaced or extended.
    Changed,
    /// A value went.
    Removed,
}

/// Applies all actions of `overlay` to `document`; `source` is the overlay's file, for messages.
/// After an error the document is in no useful state.
pub fn apply(
    document: &mut Value,
    overlay: &Overlay,
    source: &Source,
    selection: Selection,
) -> Result<Vec<Change>, Box<Finding>> {
    let (mut changes, mut growth) = (Vec::new(), Growth::default());
    for action in &overlay.actions {
        changes.extend(apply_action(
            document,
            action,
            source,
            selection,
            &mut growth,
        )?);
    }
    Ok(changes)
}

/// Applies one action, as [`apply`] does all of them; `growth` is that of the whole Overlay.
pub fn apply_action(
    document: &mut Value,
    action: &Action,
    source: &Source,
    selection: Selection,
    growth: &mut Growth,
) -> Result<Vec<Change>, Box<Finding>> {
    let targets = query::nodes(&action.query, document);
    if selection == Selection::MustNotBeEmpty {
        if targets.is_empty() {
            return Err(Box::new(query::selects_nothing(document, action, source)));
        }
        if matches!(action.effect, Effect::Nothing) {
            return Err(Box::new(source.finding(
                "overlay-effect",
                action.pointer.clone(),
                "the action does nothing: it needs `update`, `copy` or `remove`",
                "say what is to happen to the target, or delete the action",
            )));
        }
    }
    let mut changes = Vec::new();
    // Nothing is selected, so nothing is compared or copied either.
    if !targets.is_empty() {
        perform(document, action, targets, source, growth, &mut changes)?;
    }
    Ok(changes)
}

fn perform(
    document: &mut Value,
    action: &Action,
    mut targets: Vec<String>,
    source: &Source,
    growth: &mut Growth,
    changes: &mut Vec<Change>,
) -> Result<(), Box<Finding>> {
    let update = match &action.effect {
        Effect::Nothing => return Ok(()),
        Effect::Remove => {
            if targets.iter().any(String::is_empty) {
                return Err(Box::new(source.finding(
                    "overlay-remove-root",
                    format!("{}/target", action.pointer),
                    "the whole document cannot be removed",
                    "target the part to remove",
                )));
            }
            remove(document, &targets);
            // Last first, so that the indices in front stay right.
            targets.sort_by_cached_key(|target| Reverse(order(target)));
            changes.extend(targets.into_iter().map(|pointer| Change {
                pointer,
                kind: ChangeKind::Removed,
            }));
            return Ok(());
        }
        Effect::Update(update) => update.clone(),
        Effect::Copy(from) => {
            let nodes = query::nodes(from, document);
            let one = match nodes.as_slice() {
                [one] => document.pointer(one),
                _ => None,
            };
            one.cloned().ok_or_else(|| {
                Box::new(source.finding(
                    "overlay-copy",
                    format!("{}/copy", action.fields),
                    format!(
                        "`copy` selects {} nodes, and takes exactly one",
                        nodes.len()
                    ),
                    "narrow the query to the one node that is to be copied",
                ))
            })?
        }
    };
    alike(document, action, &targets, source)?;
    growth.add(&update, &targets).map_err(|reason| {
        let place = match action.effect {
            Effect::Copy(_) => format!("{}/copy", action.fields),
            _ => format!("{}/update", action.fields),
        };
        let help = "copy a smaller part, or select fewer targets";
        Box::new(source.finding("overlay-size", place, reason, help))
    })?;
    for target in targets {
        let Some(node) = document.pointer_mut(&target) else {
            continue;
        };
        let merged = match node {
            Value::Array(items) => {
                let start = items.len();
                match &update {
                    Value::Array(more) => items.extend(more.iter().cloned()),
                    one => items.push(one.clone()),
                }
                changes.extend((start..items.len()).map(|index| Change {
                    pointer: format!("{target}/{index}"),
                    kind: ChangeKind::Added,
                }));
                Ok(())
            }
            node => merge(node, &update, &target, changes),
        };
        merged.map_err(|clash| {
            Box::new(source.finding(
                "overlay-kind",
                action.pointer.clone(),
                format!(
                    "at #{} the document has {} and the update {}",
                    clash.pointer, clash.there, clash.wanted
                ),
                "an update merges values of one type: to replace a value, `remove` it first and update its parent after",
            ))
        })?;
    }
    Ok(())
}

/// Refuses targets of several kinds: one value cannot fit them all, even where it could be merged by chance.
fn alike(
    document: &Value,
    action: &Action,
    targets: &[String],
    source: &Source,
) -> Result<(), Box<Finding>> {
    let mut found = targets
        .iter()
        .filter_map(|target| Some((target, kind(document.pointer(target)?))));
    let Some((first, first_kind)) = found.next() else {
        return Ok(());
    };
    match found.find(|(_, kind)| *kind != first_kind) {
        None => Ok(()),
        Some((other, other_kind)) => Err(Box::new(source.finding(
            "overlay-kind",
            format!("{}/target", action.pointer),
            format!(
                "the target selects {first_kind} at #{first} and {other_kind} at #{other}"
            ),
            "targets of one action are all objects, all lists or all plain values: write an action for each kind",
        ))),
    }
}

/// An update that meets a value of another kind.
struct Clash {
    pointer: String,
    there: &'static str,
    wanted: &'static str,
}

fn merge(
    target: &mut Value,
    update: &Value,
    at: &str,
    changes: &mut Vec<Change>,
) -> Result<(), Clash> {
    match (target, update) {
        (Value::Object(target), Value::Object(update)) => {
            for (key, value) in update {
                let at = pointer::join(at, key);
                match target.get_mut(key) {
                    Some(existing) => merge(existing, value, &at, changes)?,
                    None => {
                        target.insert(key.clone(), value.clone());
                        changes.push(Change {
                            pointer: at,
                            kind: ChangeKind::Added,
                        });
                    }
                }
            }
        }
        (Value::Array(target), Value::Array(update)) => {
            let start = target.len();
            target.extend(update.iter().cloned());
            changes.extend((start..target.len()).map(|index| Change {
                pointer: format!("{at}/{index}"),
                kind: ChangeKind::Added,
            }));
        }
        (target, update) if is_primitive(target) && is_primitive(update) => {
            if target != update {
                *target = update.clone();
                changes.push(Change {
                    pointer: at.to_owned(),
                    kind: ChangeKind::Changed,
                });
            }
        }
        (target, update) => {
            return Err(Clash {
                pointer: at.to_owned(),
                there: kind(target),
                wanted: kind(update),
            });
        }
    }
    Ok(())
}

fn is_primitive(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        _ => "a plain value",
    }
}

/// Removes these places, all of an object or list at once.
fn remove(document: &mut Value, targets: &[String]) {
    let mut parents: BTreeMap<(Reverse<usize>, &str), HashSet<String>> = BTreeMap::new();
    for (parent, token) in targets.iter().filter_map(|one| pointer::split_last(one)) {
        // The deepest first: a removal changes no place above it.
        let depth = Reverse(parent.matches('/').count());
        parents.entry((depth, parent)).or_default().insert(token);
    }
    for ((_, parent), tokens) in parents {
        match document.pointer_mut(parent) {
            Some(Value::Object(map)) => map.retain(|key, _| !tokens.contains(key)),
            Some(Value::Array(items)) => {
                let mut index = 0..;
                items.retain(|_| {
                    let here = index.next().unwrap_or_default();
                    !tokens.contains(&here.to_string())
                });
            }
            _ => {}
        }
    }
}

/// The place of a pointer in the document, with array indices as numbers.
fn order(pointer: &str) -> Vec<(usize, String)> {
    pointer::tokens(pointer)
        .map(|token| (token.parse().unwrap_or(usize::MAX), token))
        .collect()
}
