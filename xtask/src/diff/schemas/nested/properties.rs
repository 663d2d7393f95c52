//! Properties: which there are, which are required, and which way they travel.

use std::collections::BTreeMap;

use serde_json::Value;

use super::children::nested;
use super::travels::Flags;
use crate::diff::schemas::comparison::{Comparison, Form};
use crate::diff::schemas::flat::{Flat, Parts, Site};
use crate::diff::verdicts::{Mark, Pair, Turn, changed, rules, way};

/// A property, as all parts of a schema together have it.
#[derive(Default)]
pub(super) struct Property<'d> {
    parts: Parts<'d>,
    /// The element of a `required` list.
    required: Option<&'d Value>,
}

pub(super) fn properties<'d>(flat: &Flat<'d>) -> BTreeMap<&'d str, Property<'d>> {
    let mut all: BTreeMap<&'d str, Property<'d>> = BTreeMap::new();
    for (name, schema) in flat
        .all("properties")
        .filter_map(Value::as_object)
        .flatten()
    {
        all.entry(name).or_default().parts.push(schema);
    }
    for name in flat.all("required").filter_map(Value::as_array).flatten() {
        if let Some(text) = name.as_str() {
            all.entry(text).or_default().required = Some(name);
        }
    }
    all
}

impl<'d> Comparison<'d> {
    pub(super) fn property(
        &mut self,
        pair: &mut Pair,
        name: &str,
        old: (&Flat<'d>, &Property<'d>),
        new: (&Flat<'d>, &Property<'d>),
        form: Form,
    ) {
        let (a, b) = (old.1, new.1);
        let site =
            |property: &Property<'d>, flat: &Flat<'d>| Site::all(property.parts.clone(), flat.home);
        let (before, after) = (site(a, old.0), site(b, new.0));
        let flags = (
            Flags::of(&mut self.old, &a.parts),
            Flags::of(&mut self.new, &b.parts),
        );
        let (flags_before, flags_after) = (flags.0.ways, flags.1.ways);
        let mark = |property: &Property<'d>| {
            let value = property.parts.first().copied().or(property.required);
            value.map_or(Mark::NONE, Mark::at)
        };
        match (a.parts.is_empty(), b.parts.is_empty()) {
            (true, false) if a.required.is_none() => {
                let (rule, optional) = if b.required.is_some() {
                    (&rules::PROPERTY_ADDED_REQUIRED, "required")
                } else {
                    (&rules::PROPERTY_ADDED, "optional")
                };
                let delta = self
                    .graph
                    .delta(rule, Mark::NONE, mark(b), flags_after, || {
                        format!("the {optional} property `{name}` is new")
                    });
                pair.deltas.push(delta);
                return;
            }
            (false, true) if b.required.is_none() => {
                let closed = new
                    .0
                    .all("additionalProperties")
                    .any(|value| value == &Value::Bool(false));
                let ways = if closed {
                    flags_before & way::RECEIVED
                } else {
                    flags_before
                };
                let (rule, optional) = if a.required.is_some() {
                    (&rules::PROPERTY_REMOVED_REQUIRED, "required")
                } else {
                    (&rules::PROPERTY_REMOVED, "optional")
                };
                let what = || format!("the {optional} property `{name}` is gone");
                let delta = self.graph.delta(rule, mark(a), Mark::NONE, ways, what);
                pair.deltas.push(delta);
                if closed {
                    let delta = self.graph.delta(
                        &rules::PROPERTY_REFUSED,
                        mark(a),
                        Mark::NONE,
                        flags_before & way::SENT,
                        || {
                            format!(
                                "the {optional} property `{name}` is gone, and no other is allowed"
                            )
                        },
                    );
                    pair.deltas.push(delta);
                }
                return;
            }
            _ => {}
        }
        for (x, y, come, gone) in [
            (
                flags.0.read_only,
                flags.1.read_only,
                &rules::READ_ONLY_ADDED,
                &rules::READ_ONLY_REMOVED,
            ),
            (
                flags.0.write_only,
                flags.1.write_only,
                &rules::WRITE_ONLY_ADDED,
                &rules::WRITE_ONLY_REMOVED,
            ),
        ] {
            if x.is_some() != y.is_some() {
                let rule = if y.is_some() { come } else { gone };
                self.differ(
                    pair,
                    rule,
                    Mark::within(x, before.home),
                    Mark::within(y, after.home),
                    || {
                        changed(
                            if std::ptr::eq(come, &rules::READ_ONLY_ADDED) {
                                "readOnly"
                            } else {
                                "writeOnly"
                            },
                            x,
                            y,
                        )
                    },
                );
            }
        }
        // What is required of a value that travels one way only is required that way only.
        let owed =
            |property: &Property<'d>, ways: u8| if property.required.is_some() { ways } else { 0 };
        let (owed_before, owed_after) = (owed(a, flags_before), owed(b, flags_after));
        let required = (a.required.is_some(), b.required.is_some());
        for (rule, ways, switched, now) in [
            (
                &rules::BECAME_REQUIRED,
                owed_after & !owed_before,
                required == (false, true),
                "required",
            ),
            // A value that no longer travels at all has a rule of its own.
            (
                &rules::BECAME_OPTIONAL,
                owed_before & !owed_after & flags_after,
                required == (true, false),
                "optional",
            ),
        ] {
            if switched || ways != 0 {
                let mark = |property: &Property<'d>, home: &'d Value| {
                    let value = property.parts.first().copied().or(property.required);
                    Mark {
                        value: Some(value.unwrap_or(home)),
                        home: Some(value.unwrap_or(home)),
                    }
                };
                let delta =
                    self.graph
                        .delta(rule, mark(a, old.0.home), mark(b, new.0.home), ways, || {
                            format!("the property `{name}` became {now}")
                        });
                pair.deltas.push(delta);
            }
        }
        // What travels on one side only has nothing to be compared with on the other.
        self.child(
            pair,
            before,
            after,
            nested(form),
            flags_before & flags_after,
            Turn::Keep,
        );
    }
}
