//! Objects and lists: properties, which of them are required, what else there may be, elements, conditions.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::diff::schemas::comparison::{Comparison, Form, Mark, Pair, Turn, way};
use crate::diff::schemas::flat::flatten::{Flat, Parts, Site};
use crate::diff::schemas::side::{Side, reference};
use crate::diff::verdicts::rules;
use crate::diff::verdicts::say::changed;

/// A property, as all parts of a schema together have it.
#[derive(Default)]
struct Property<'d> {
    parts: Parts<'d>,
    /// The element of a `required` list.
    required: Option<&'d Value>,
}

fn properties<'d>(flat: &Flat<'d>) -> BTreeMap<&'d str, Property<'d>> {
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
    pub(in crate::diff) fn objects(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        let (before, after) = (properties(old), properties(new));
        for (name, a) in &before {
            match after.get(name) {
                Some(b) => self.property(pair, name, (old, a), (new, b), form),
                None => self.property(pair, name, (old, a), (new, &Property::default()), form),
            }
        }
        for (name, b) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            self.property(pair, name, (old, &Property::default()), (new, b), form);
        }
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            self.rest(pair, keyword, old, new, form);
        }
        self.each(
            pair,
            "patternProperties",
            Some((&rules::NAMES_ADDED, &rules::NAMES_REMOVED)),
            old,
            new,
            form,
        );
        self.each(
            pair,
            "dependentSchemas",
            Some((&rules::CONDITION_ADDED, &rules::CONDITION_REMOVED)),
            old,
            new,
            form,
        );
        self.each(pair, "$defs", None, old, new, form);
        self.each(pair, "definitions", None, old, new, form);
        self.conditional(pair, "propertyNames", Turn::Keep, old, new);
        self.dependencies(pair, old, new);
    }

    fn property(
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
                let delta = self.delta(rule, Mark::NONE, mark(b), flags_after, || {
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
                let delta = self.delta(rule, mark(a), Mark::NONE, ways, what);
                pair.deltas.push(delta);
                if closed {
                    let delta = self.delta(
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
                    self.delta(rule, mark(a, old.0.home), mark(b, new.0.home), ways, || {
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

    /// What there may be besides: nothing, anything, or what a schema says.
    fn rest(
        &mut self,
        pair: &mut Pair,
        keyword: &'static str,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        let closed = |flat: &Flat<'d>| {
            flat.all(keyword)
                .find(|value| *value == &Value::Bool(false))
        };
        let (a, b) = (old.first(keyword), new.first(keyword));
        let rule = match (closed(old), closed(new)) {
            (Some(_), Some(_)) => return,
            (None, None) => {
                let site = |flat: &Flat<'d>| {
                    Site::all(
                        flat.all(keyword)
                            .filter(|value| value.is_object())
                            .collect(),
                        flat.home,
                    )
                };
                return self.child(
                    pair,
                    site(old),
                    site(new),
                    nested(form),
                    way::BOTH,
                    Turn::Keep,
                );
            }
            (None, Some(_)) => &rules::CLOSED,
            (Some(_), None) => &rules::OPENED,
        };
        self.differ(
            pair,
            rule,
            Mark::within(a, old.home),
            Mark::within(b, new.home),
            || changed(keyword, a, b),
        );
    }

    /// Schemas by name.
    fn each(
        &mut self,
        pair: &mut Pair,
        keyword: &'static str,
        rules: Option<(&'static rules::Rule, &'static rules::Rule)>,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        let named = |flat: &Flat<'d>| {
            let mut all: BTreeMap<&'d str, Parts<'d>> = BTreeMap::new();
            for (name, schema) in flat.all(keyword).filter_map(Value::as_object).flatten() {
                all.entry(name).or_default().push(schema);
            }
            all
        };
        let (before, after) = (named(old), named(new));
        // Definitions travel only where something refers to them.
        let only = if rules.is_some() { way::BOTH } else { 0 };
        for (name, a) in &before {
            match (after.get(name), rules) {
                (Some(b), _) => {
                    let (a, b) = (
                        Site::all(a.clone(), old.home),
                        Site::all(b.clone(), new.home),
                    );
                    self.child(pair, a, b, form, only, Turn::Keep);
                }
                (None, Some((_, removed))) => {
                    let mark = Mark {
                        value: a.first().copied(),
                        home: Some(old.home),
                    };
                    self.differ(pair, removed, mark, Mark::within(None, new.home), || {
                        format!("`{keyword}` no longer has `{name}`")
                    });
                }
                (None, None) => {}
            }
        }
        for (name, b) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            if let Some((added, _)) = rules {
                let mark = Mark {
                    value: b.first().copied(),
                    home: Some(new.home),
                };
                self.differ(pair, added, Mark::within(None, old.home), mark, || {
                    format!("`{keyword}` has `{name}` now")
                });
            }
        }
    }

    fn dependencies(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        let listed = |flat: &Flat<'d>| {
            let mut all: Vec<(&'d str, &'d Value)> = Vec::new();
            for (name, list) in flat
                .all("dependentRequired")
                .filter_map(Value::as_object)
                .flatten()
            {
                // What should be a list is compared as a whole.
                let needed = list
                    .as_array()
                    .map_or(std::slice::from_ref(list), Vec::as_slice);
                all.extend(needed.iter().map(|needed| (name.as_str(), needed)));
            }
            all
        };
        let (before, after) = (listed(old), listed(new));
        for (name, needed) in before.iter().filter(|one| !after.contains(one)) {
            self.differ(
                pair,
                &rules::DEPENDENT_REMOVED,
                Mark::within(Some(needed), old.home),
                Mark::within(None, new.home),
                || format!("`{name}` no longer needs {needed} beside it"),
            );
        }
        for (name, needed) in after.iter().filter(|one| !before.contains(one)) {
            self.differ(
                pair,
                &rules::DEPENDENT_ADDED,
                Mark::within(None, old.home),
                Mark::within(Some(needed), new.home),
                || format!("`{name}` needs {needed} beside it"),
            );
        }
    }

    pub(in crate::diff) fn arrays(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        let first = |flat: &Flat<'d>| {
            let list = flat.first("prefixItems").and_then(Value::as_array);
            list.map(Vec::as_slice).unwrap_or_default()
        };
        let rest = |flat: &Flat<'d>| {
            Site::all(
                flat.all("items")
                    .filter(|value| value.is_object())
                    .collect(),
                flat.home,
            )
        };
        let (before, after) = (first(old), first(new));
        for index in 0..before.len().max(after.len()) {
            let site = |list: &'d [Value], flat: &Flat<'d>| match list.get(index) {
                Some(schema) => Site::new(Some(schema), flat.home),
                None => rest(flat),
            };
            self.child(
                pair,
                site(before, old),
                site(after, new),
                nested(form),
                way::BOTH,
                Turn::Keep,
            );
        }
        for keyword in ["items", "additionalItems", "unevaluatedItems"] {
            self.rest(pair, keyword, old, new, form);
        }
        self.conditional(pair, "contains", Turn::Keep, old, new);
        self.plain_child(pair, "contentSchema", old, new);
    }

    pub(in crate::diff) fn conditions(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        _form: Form,
    ) {
        self.conditional(pair, "not", Turn::Not, old, new);
        self.conditional(pair, "if", Turn::Either, old, new);
        self.conditional(pair, "then", Turn::Keep, old, new);
        self.conditional(pair, "else", Turn::Keep, old, new);
    }

    /// A schema whose absence is another thing than a schema that allows all.
    fn conditional(
        &mut self,
        pair: &mut Pair,
        keyword: &'static str,
        turn: Turn,
        old: &Flat<'d>,
        new: &Flat<'d>,
    ) {
        let (a, b) = (old.first(keyword), new.first(keyword));
        let rule = match (a, b) {
            (None, None) => return,
            (Some(a), Some(b)) => {
                return self.child(
                    pair,
                    Site::new(Some(a), old.home),
                    Site::new(Some(b), new.home),
                    Form::Data,
                    way::BOTH,
                    turn,
                );
            }
            (None, Some(_)) => &rules::CONDITION_ADDED,
            (Some(_), None) => &rules::CONDITION_REMOVED,
        };
        self.differ(
            pair,
            rule,
            Mark::within(a, old.home),
            Mark::within(b, new.home),
            || changed(keyword, a, b),
        );
    }

    /// A schema whose absence allows all.
    fn plain_child(
        &mut self,
        pair: &mut Pair,
        keyword: &'static str,
        old: &Flat<'d>,
        new: &Flat<'d>,
    ) {
        let site = |flat: &Flat<'d>| Site::all(flat.all(keyword).collect(), flat.home);
        self.child(
            pair,
            site(old),
            site(new),
            Form::Data,
            way::BOTH,
            Turn::Keep,
        );
    }
}

/// Parts of a list in a URL are written one by one.
fn nested(form: Form) -> Form {
    match form {
        Form::Data => Form::Data,
        Form::Text | Form::Repeated => Form::Text,
    }
}

/// The ways in which a property travels, and what says so.
struct Flags<'d> {
    ways: u8,
    read_only: Option<&'d Value>,
    write_only: Option<&'d Value>,
}

impl<'d> Flags<'d> {
    fn of(side: &mut Side<'d>, parts: &[&'d Value]) -> Self {
        let mut flags = Self {
            ways: way::BOTH,
            read_only: None,
            write_only: None,
        };
        // Only the flags of the schema itself and of what it refers to are asked for: no need to flatten it.
        let mut waiting: Vec<&'d Value> = parts.to_vec();
        for _ in 0..64 {
            let Some(part) = waiting.pop() else { break };
            let on = |keyword: &str| {
                part.get(keyword)
                    .filter(|value| **value == Value::Bool(true))
            };
            if let Some(value) = on("readOnly") {
                flags.ways &= way::RECEIVED;
                flags.read_only = Some(value);
            }
            if let Some(value) = on("writeOnly") {
                flags.ways &= way::SENT;
                flags.write_only = Some(value);
            }
            if reference(part).is_some()
                && let Some(target) = side.object(part)
            {
                waiting.push(target);
            }
            for keyword in ["allOf", "oneOf", "anyOf"] {
                match part
                    .get(keyword)
                    .and_then(Value::as_array)
                    .map(Vec::as_slice)
                {
                    Some(all) if keyword == "allOf" => waiting.extend(all),
                    Some([only]) => waiting.push(only),
                    _ => {}
                }
            }
        }
        flags
    }
}
