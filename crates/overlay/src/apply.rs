//! Applies one action after the other, in place, as the Overlay specification defines it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use openapi_document::finding::Finding;
use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::Value;
use serde_json_path::JsonPath;

use super::model::{Action, Effect, Overlay};
use super::query;

/// Maximum bytes that an action adds to a document, with 64 for each value and the pointer of each change: a few actions that copy what
/// others copied would fill any memory.
const MOST: usize = 128 << 20;
/// Bytes that are counted for each value beside its strings.
const VALUE: usize = 64;
/// The help for a value that is too deep or too large.
const SMALLER: &str = "write or copy a smaller part, or select other targets";
/// Maximum depth of a document after an action: no file may be nested deeper, and what reads a document recurses.
const DEEPEST: usize = 128;

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
    let mut changes = Vec::new();
    for action in &overlay.actions {
        changes.extend(apply_action(document, action, source, selection)?);
    }
    Ok(changes)
}

/// Applies one action, as [`apply`] does all of them.
pub fn apply_action(
    document: &mut Value,
    action: &Action,
    source: &Source,
    selection: Selection,
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
        perform(document, action, targets, source, &mut changes)?;
    }
    Ok(changes)
}

fn perform(
    document: &mut Value,
    action: &Action,
    mut targets: Vec<String>,
    source: &Source,
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
        Effect::Copy(from) => copied(document, from, action, source)?,
    };
    alike(document, action, &targets, source)?;
    let mut merge = Merge {
        changes,
        left: MOST,
    };
    for mut target in targets {
        let Some(node) = document.pointer_mut(&target) else {
            continue;
        };
        let at = &mut target;
        let merged = match (node, &update) {
            (Value::Array(items), Value::Array(more)) => merge.append(items, more, at),
            (Value::Array(items), one) => merge.append(items, std::slice::from_ref(one), at),
            (node, update) => merge.value(node, update, at),
        };
        merged.map_err(|refusal| Box::new(refusal.finding(action, source)))?;
    }
    Ok(())
}

/// Returns the one node that a query selects.
fn copied(
    document: &Value,
    from: &JsonPath,
    action: &Action,
    source: &Source,
) -> Result<Value, Box<Finding>> {
    let nodes = query::nodes(from, document);
    if let [only] = nodes.as_slice() {
        return Ok(document.pointer(only).cloned().unwrap_or_default());
    }
    Err(Box::new(source.finding(
        "overlay-copy",
        format!("{}/copy", action.fields),
        format!(
            "`copy` selects {} nodes, and takes exactly one",
            nodes.len()
        ),
        "narrow the query to the one node that is to be copied",
    )))
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

/// The reason why a value is not merged.
enum Refusal {
    /// The update meets a value of another kind.
    Kind(String),
    /// The document would be nested too deeply.
    Depth,
    /// The action adds too much.
    Size,
}

impl Refusal {
    fn finding(self, action: &Action, source: &Source) -> Finding {
        match self {
            Self::Kind(message) => source.finding(
                "overlay-kind",
                action.pointer.clone(),
                message,
                "an update merges values of one type: to replace a value, `remove` it first and update its parent after",
            ),
            Self::Depth => source.finding(
                "overlay-depth",
                action.fields.clone(),
                format!("the document would be nested more than {DEEPEST} deep"),
                SMALLER,
            ),
            Self::Size => source.finding(
                "overlay-size",
                action.fields.clone(),
                format!("the action adds more than {} MiB to the document", MOST >> 20),
                SMALLER,
            ),
        }
    }
}

/// The changes of an action.
struct Merge<'a> {
    changes: &'a mut Vec<Change>,
    /// The bytes that the action may still add.
    left: usize,
}

impl Merge<'_> {
    /// Merges a value into the one at a pointer. The pointer grows and shrinks on the way: a copy of it for each member would take time by its
    /// length.
    fn value(
        &mut self,
        target: &mut Value,
        update: &Value,
        at: &mut String,
    ) -> Result<(), Refusal> {
        match (target, update) {
            (Value::Object(target), Value::Object(update)) => {
                let length = at.len();
                for (key, value) in update {
                    pointer::push(at, key);
                    match target.get_mut(key) {
                        Some(existing) => self.value(existing, value, at)?,
                        None => {
                            let value = self.inserted(value, at, ChangeKind::Added)?;
                            target.insert(key.clone(), value);
                        }
                    }
                    at.truncate(length);
                }
            }
            (Value::Array(target), Value::Array(update)) => self.append(target, update, at)?,
            (target, update) if is_primitive(target) && is_primitive(update) => {
                if target != update {
                    *target = self.inserted(update, at, ChangeKind::Changed)?;
                }
            }
            (target, update) => {
                let (there, wanted) = (kind(target), kind(update));
                return Err(Refusal::Kind(format!(
                    "at #{at} the document has {there} and the update {wanted}"
                )));
            }
        }
        Ok(())
    }

    fn append(
        &mut self,
        items: &mut Vec<Value>,
        more: &[Value],
        at: &mut String,
    ) -> Result<(), Refusal> {
        let length = at.len();
        for value in more {
            pointer::push(at, &items.len().to_string());
            items.push(self.inserted(value, at, ChangeKind::Added)?);
            at.truncate(length);
        }
        Ok(())
    }

    /// Returns a copy of a value that is inserted, and notes the change.
    fn inserted(&mut self, value: &Value, at: &str, kind: ChangeKind) -> Result<Value, Refusal> {
        let size = size(value);
        if at.matches('/').count() + size.depth > DEEPEST {
            return Err(Refusal::Depth);
        }
        let left = self.left.checked_sub(size.bytes + at.len());
        self.left = left.ok_or(Refusal::Size)?;
        self.changes.push(Change {
            pointer: at.to_owned(),
            kind,
        });
        Ok(value.clone())
    }
}

/// The levels of a value, and the bytes of its strings, with those of the values themselves.
struct Size {
    depth: usize,
    bytes: usize,
}

fn size(value: &Value) -> Size {
    let mut sum = Size {
        depth: 0,
        bytes: VALUE,
    };
    let mut add = |key: &str, inner: &Value| {
        let inner = size(inner);
        sum.depth = sum.depth.max(inner.depth);
        sum.bytes += key.len() + inner.bytes;
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, inner)| add(key, inner)),
        Value::Array(items) => items.iter().for_each(|inner| add("", inner)),
        Value::String(text) => sum.bytes += text.len(),
        _ => {}
    }
    sum.depth += 1;
    sum
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
