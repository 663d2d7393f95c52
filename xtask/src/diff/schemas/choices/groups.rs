//! `oneOf` and `anyOf`: alternatives are matched by what they are, never by their position.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::diff::schemas::comparison::{Comparison, Form, Mark, Pair, Turn, address, way};
use crate::diff::schemas::flat::flatten::{Flat, Group, Site, is_annotation};
use crate::diff::schemas::side::{Side, reference};
use crate::diff::verdicts::rules;
use crate::diff::verdicts::say::changed;

/// How far down schemas are looked at to tell whether they are the same.
const DEPTH: u8 = 3;

/// Above this many pairs of alternatives only names and equal contents are matched.
const PAIRS: usize = 4096;

impl<'d> Comparison<'d> {
    /// A schema that became one of several alternatives, or the other way round. Returns whether it was that.
    pub(in crate::diff) fn wrapping(
        &mut self,
        pair: &mut Pair,
        old: (&Site<'d>, &Flat<'d>),
        new: (&Site<'d>, &Flat<'d>),
        form: Form,
    ) -> bool {
        let wrapped = old.1.groups.is_empty() && new.1.is_choice() && constrains(old.1);
        let unwrapped = new.1.groups.is_empty() && old.1.is_choice() && constrains(new.1);
        if !wrapped && !unwrapped {
            return false;
        }
        let plain = if wrapped { old } else { new };
        let Some(group) = (if wrapped { new.1 } else { old.1 }).groups.first() else {
            return false;
        };
        let (plain_side, choice_side) = if wrapped {
            (&mut self.old, &mut self.new)
        } else {
            (&mut self.new, &mut self.old)
        };
        let shape = Shape::of(plain_side, plain.0);
        let shapes: Vec<Shape<'d>> = group
            .alternatives
            .iter()
            .map(|one| Shape::of(choice_side, &Site::new(Some(one), one)))
            .collect();
        let best = shapes
            .iter()
            .enumerate()
            .map(|(index, other)| (shape.likeness(other), index))
            .filter(|(likeness, _)| *likeness > 0)
            .max_by_key(|(likeness, index)| (*likeness, std::cmp::Reverse(*index)));
        let Some((_, best)) = best else {
            self.differ(
                pair,
                &rules::TYPE_CHANGED,
                Mark::at(old.1.home),
                Mark::at(new.1.home),
                || "none of the alternatives is what the whole schema was".to_owned(),
            );
            return true;
        };
        let fits = shapes.iter().filter(|other| other.may_take(&shape)).count();
        if wrapped && group.keyword == "oneOf" && fits > 1 {
            self.differ(pair, &rules::ALTERNATIVES_OVERLAP, Mark::at(old.1.home), Mark::within(Some(group.list), new.1.home), || {
                format!("{fits} alternatives take what the schema took, and a value has to fit exactly one")
            });
        }
        for (index, one) in group.alternatives.iter().enumerate() {
            let inner = Site::new(Some(one), one);
            if index == best {
                let (a, b) = if wrapped {
                    (old.0.clone(), inner)
                } else {
                    (inner, new.0.clone())
                };
                self.child(pair, a, b, form, way::BOTH, Turn::Keep);
            } else if wrapped {
                self.alternative_added(pair, old.1, one);
            } else {
                self.alternative_removed(pair, new.1, one);
            }
        }
        true
    }

    /// Choices on both sides, or besides other constraints.
    pub(in crate::diff) fn choices(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
        form: Form,
    ) {
        // Choices of one keyword first: with several of them, order is all there is to go by.
        let mut left: Vec<&Group<'d>> = new.groups.iter().collect();
        for a in &old.groups {
            let found = left
                .iter()
                .position(|b| b.keyword == a.keyword)
                .or(if left.is_empty() { None } else { Some(0) });
            match found.map(|index| left.remove(index)) {
                Some(b) => self.groups(pair, (old, a), (new, b), form),
                None => self.differ(
                    pair,
                    &rules::ALTERNATIVES_LIFTED,
                    Mark::within(Some(a.list), old.home),
                    Mark::within(None, new.home),
                    || {
                        format!(
                            "`{}` is gone: none of its alternatives has to fit",
                            a.keyword
                        )
                    },
                ),
            }
        }
        for b in left {
            self.differ(
                pair,
                &rules::ALTERNATIVES_INTRODUCED,
                Mark::within(None, old.home),
                Mark::within(Some(b.list), new.home),
                || {
                    format!(
                        "`{}` is new: one of its alternatives has to fit as well",
                        b.keyword
                    )
                },
            );
        }
    }

    fn groups(
        &mut self,
        pair: &mut Pair,
        old: (&Flat<'d>, &Group<'d>),
        new: (&Flat<'d>, &Group<'d>),
        form: Form,
    ) {
        let (a, b) = (old.1, new.1);
        if a.keyword != b.keyword {
            self.differ(
                pair,
                &rules::ALTERNATIVES_KIND,
                Mark::within(Some(a.list), old.0.home),
                Mark::within(Some(b.list), new.0.home),
                || format!("`{}` became `{}`", a.keyword, b.keyword),
            );
        }
        let shapes = |side: &mut Side<'d>, flat: &Flat<'d>, group: &Group<'d>| -> Vec<Shape<'d>> {
            let tags = tags(side, flat);
            group
                .alternatives
                .iter()
                .map(|one| Shape {
                    tags: tags
                        .as_ref()
                        .map(|tags| tags.of(side, one))
                        .unwrap_or_default(),
                    ..Shape::of(side, &Site::new(Some(one), one))
                })
                .collect()
        };
        let before = shapes(&mut self.old, old.0, a);
        let after = shapes(&mut self.new, new.0, b);
        let matched = matches(&before, &after);
        for (index, one) in a.alternatives.iter().enumerate() {
            match matched
                .get(&index)
                .and_then(|other| b.alternatives.get(*other))
            {
                Some(other) => {
                    self.child(
                        pair,
                        Site::new(Some(one), one),
                        Site::new(Some(other), other),
                        form,
                        way::BOTH,
                        Turn::Keep,
                    );
                }
                None => self.alternative_removed(pair, new.0, one),
            }
        }
        for (index, one) in b.alternatives.iter().enumerate() {
            if !matched.values().any(|other| *other == index) {
                self.alternative_added(pair, old.0, one);
            }
        }
        for (index, other) in &matched {
            let (Some(x), Some(y)) = (before.get(*index), after.get(*other)) else {
                continue;
            };
            if x.tags != y.tags && !x.tags.is_empty() && !y.tags.is_empty() {
                let (Some(one), Some(two)) =
                    (a.alternatives.get(*index), b.alternatives.get(*other))
                else {
                    continue;
                };
                self.differ(
                    pair,
                    &rules::DISCRIMINATOR_CHANGED,
                    Mark::at(one),
                    Mark::at(two),
                    || {
                        format!(
                            "the alternative was chosen by {} and is by {}",
                            list(&x.tags),
                            list(&y.tags)
                        )
                    },
                );
            }
        }
    }

    fn alternative_added(&mut self, pair: &mut Pair, old: &Flat<'d>, one: &'d Value) {
        self.differ(
            pair,
            &rules::ALTERNATIVE_ADDED,
            Mark::within(None, old.home),
            Mark::at(one),
            || format!("the alternative {} is new", name(one)),
        );
    }

    fn alternative_removed(&mut self, pair: &mut Pair, new: &Flat<'d>, one: &'d Value) {
        self.differ(
            pair,
            &rules::ALTERNATIVE_REMOVED,
            Mark::at(one),
            Mark::within(None, new.home),
            || format!("the alternative {} is gone", name(one)),
        );
    }

    /// The discriminator itself; which words choose what is compared with the alternatives.
    pub(in crate::diff) fn discriminators(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
    ) {
        let (a, b) = (old.first("discriminator"), new.first("discriminator"));
        let rule = match (a, b) {
            (None, None) => return,
            (None, Some(_)) => &rules::DISCRIMINATOR_ADDED,
            (Some(_), None) => &rules::DISCRIMINATOR_REMOVED,
            (Some(a), Some(b)) => {
                let property = |value: &'d Value| value.get("propertyName");
                let (p, q) = (property(a), property(b));
                if p != q {
                    self.differ(
                        pair,
                        &rules::DISCRIMINATOR_CHANGED,
                        Mark::within(p, a),
                        Mark::within(q, b),
                        || changed("propertyName", p, q),
                    );
                }
                let words =
                    |side: &Side<'d>, flat: &Flat<'d>, value: &'d Value| -> BTreeSet<&'d str> {
                        let listed: BTreeSet<usize> = flat
                            .groups
                            .iter()
                            .flat_map(|group| &group.alternatives)
                            .map(|one| {
                                address(
                                    reference(one)
                                        .and_then(|text| side.schema_named(text))
                                        .unwrap_or(one),
                                )
                            })
                            .collect();
                        let mapping = value.get("mapping").and_then(Value::as_object);
                        // Words that lead to an alternative are compared with it.
                        mapping
                            .into_iter()
                            .flatten()
                            .filter(|(_, target)| {
                                let target =
                                    target.as_str().and_then(|text| side.schema_named(text));
                                target.is_none_or(|target| !listed.contains(&address(target)))
                            })
                            .map(|(word, _)| word.as_str())
                            .collect()
                    };
                let (x, y) = (words(&self.old, old, a), words(&self.new, new, b));
                if x != y {
                    let (m, n) = (a.get("mapping"), b.get("mapping"));
                    self.differ(
                        pair,
                        &rules::DISCRIMINATOR_CHANGED,
                        Mark::within(m, a),
                        Mark::within(n, b),
                        || changed("mapping", m, n),
                    );
                }
                for (key, value) in a.as_object().into_iter().flatten() {
                    if !matches!(key.as_str(), "propertyName" | "mapping")
                        && b.get(key) != Some(value)
                    {
                        let other = b.get(key);
                        self.differ(
                            pair,
                            &rules::UNHANDLED,
                            Mark::within(Some(value), a),
                            Mark::within(other, b),
                            || changed(key, Some(value), other),
                        );
                    }
                }
                for (key, value) in b.as_object().into_iter().flatten() {
                    if !matches!(key.as_str(), "propertyName" | "mapping") && a.get(key).is_none() {
                        self.differ(
                            pair,
                            &rules::UNHANDLED,
                            Mark::within(None, a),
                            Mark::within(Some(value), b),
                            || changed(key, None, Some(value)),
                        );
                    }
                }
                return;
            }
        };
        self.differ(
            pair,
            rule,
            Mark::within(a, old.home),
            Mark::within(b, new.home),
            || changed("discriminator", a, b),
        );
    }
}

/// Whether a schema excludes any value.
fn constrains(flat: &Flat<'_>) -> bool {
    flat.typed
        || flat.parts.iter().any(|part| {
            part.as_object().is_some_and(|map| {
                map.keys()
                    .any(|key| !is_annotation(key) && key != "$ref" && key != "allOf")
            })
        })
}

/// How an alternative is called in a sentence.
fn name(one: &Value) -> String {
    let component = reference(one).and_then(|reference| reference.rsplit('/').next());
    match component.or_else(|| one.get("title").and_then(Value::as_str)) {
        Some(name) => format!("`{name}`"),
        None => crate::diff::verdicts::say::quote(one),
    }
}

fn list(words: &BTreeSet<&str>) -> String {
    let all: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    all.join(", ")
}

/// The words of a discriminator's mapping by what they lead to.
struct Tags<'d>(HashMap<usize, BTreeSet<&'d str>>);

fn tags<'d>(side: &Side<'d>, flat: &Flat<'d>) -> Option<Tags<'d>> {
    let discriminator = flat.first("discriminator")?;
    let mut tags: HashMap<usize, BTreeSet<&'d str>> = HashMap::new();
    let mapping = discriminator.get("mapping").and_then(Value::as_object);
    for (word, target) in mapping.into_iter().flatten() {
        if let Some(target) = target.as_str().and_then(|text| side.schema_named(text)) {
            tags.entry(address(target)).or_default().insert(word);
        }
    }
    Some(Tags(tags))
}

impl<'d> Tags<'d> {
    /// The words that choose an alternative: those of the mapping, or else the name of its component.
    fn of(&self, side: &Side<'d>, one: &'d Value) -> BTreeSet<&'d str> {
        let Some(reference) = reference(one) else {
            return BTreeSet::new();
        };
        let mapped = side
            .schema_named(reference)
            .and_then(|target| self.0.get(&address(target)));
        match mapped {
            Some(words) => words.clone(),
            None => reference.rsplit('/').next().into_iter().collect(),
        }
    }
}

/// What is looked at to find out which alternative is which.
#[derive(Default)]
struct Shape<'d> {
    tags: BTreeSet<&'d str>,
    name: Option<&'d str>,
    title: Option<&'d Value>,
    print: u64,
    types: u8,
    properties: BTreeSet<&'d str>,
    required: BTreeSet<&'d str>,
    /// Properties with a single word, which is how alternatives tell themselves apart.
    marks: BTreeSet<(&'d str, String)>,
    words: BTreeSet<String>,
}

impl<'d> Shape<'d> {
    fn of(side: &mut Side<'d>, site: &Site<'d>) -> Self {
        let flat = Flat::of(side, site);
        let mut shape = Self {
            name: site.parts.first().and_then(|part| reference(part)),
            title: flat.first("title"),
            print: print(side, site, DEPTH),
            types: flat.types,
            words: flat
                .words
                .iter()
                .flatten()
                .map(|word| word.value.to_string())
                .collect(),
            ..Self::default()
        };
        for (name, property) in flat
            .all("properties")
            .filter_map(Value::as_object)
            .flatten()
        {
            shape.properties.insert(name);
            if let Some([word]) = Flat::of(side, &Site::new(Some(property), property))
                .words
                .as_deref()
            {
                shape.marks.insert((name, word.value.to_string()));
            }
        }
        for name in flat.all("required").filter_map(Value::as_array).flatten() {
            shape.required.extend(name.as_str());
        }
        shape
    }

    /// 0 when the two have nothing in common.
    fn likeness(&self, other: &Self) -> u32 {
        if self.types & other.types == 0 {
            return 0;
        }
        if self.print == other.print {
            return 1000;
        }
        let contradicts = self.marks.iter().any(|(name, word)| {
            other
                .marks
                .iter()
                .any(|(other, another)| name == other && word != another)
        });
        if contradicts {
            return 0;
        }
        let named = if self.name.is_some() && self.name == other.name {
            500
        } else {
            0
        };
        let titled = if self.title.is_some() && self.title == other.title {
            100
        } else {
            0
        };
        let common = self.properties.intersection(&other.properties).count()
            + self.words.intersection(&other.words).count();
        let all = self.properties.union(&other.properties).count()
            + self.words.union(&other.words).count();
        let shared = (100 * common).checked_div(all).unwrap_or(50);
        if all > 0 && common == 0 && named + titled == 0 {
            return 0;
        }
        named
            + titled
            + u32::try_from(shared).unwrap_or_default()
            + u32::from(self.types == other.types)
    }

    /// Whether a value of the other shape may fit this one.
    fn may_take(&self, other: &Self) -> bool {
        self.likeness(other) > 0 && self.required.is_subset(&other.required)
    }
}

/// Pairs of alternatives by their positions: by the words that choose them, by content, by name, by likeness.
fn matches(before: &[Shape<'_>], after: &[Shape<'_>]) -> HashMap<usize, usize> {
    let mut matched: HashMap<usize, usize> = HashMap::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut pass = |same: &dyn Fn(&Shape<'_>, &Shape<'_>) -> bool| {
        for (index, a) in before.iter().enumerate() {
            if !matched.contains_key(&index)
                && let Some(found) = after
                    .iter()
                    .enumerate()
                    .position(|(other, b)| !taken.contains(&other) && same(a, b))
            {
                matched.insert(index, found);
                taken.insert(found);
            }
        }
    };
    pass(&|a, b| !a.tags.is_disjoint(&b.tags));
    pass(&|a, b| a.print == b.print);
    pass(&|a, b| a.name.is_some() && a.name == b.name && a.likeness(b) > 0);
    if before.len().saturating_mul(after.len()) <= PAIRS {
        let mut likely: Vec<(u32, usize, usize)> = Vec::new();
        for (index, a) in before
            .iter()
            .enumerate()
            .filter(|(index, _)| !matched.contains_key(index))
        {
            for (other, b) in after
                .iter()
                .enumerate()
                .filter(|(other, _)| !taken.contains(other))
            {
                likely.push((a.likeness(b), index, other));
            }
        }
        likely
            .sort_by_key(|(likeness, index, other)| (std::cmp::Reverse(*likeness), *index, *other));
        for (likeness, index, other) in likely {
            if likeness > 0 && !matched.contains_key(&index) && !taken.contains(&other) {
                matched.insert(index, other);
                taken.insert(other);
            }
        }
    }
    matched
}

/// A number that is the same for schemas that say the same, as far down as `depth`.
fn print<'d>(side: &mut Side<'d>, site: &Site<'d>, depth: u8) -> u64 {
    let meant = match site.parts.as_slice() {
        [part]
            if reference(part).is_some() && part.as_object().is_some_and(|map| map.len() == 1) =>
        {
            side.object(part).unwrap_or(part)
        }
        [part] => part,
        _ => site.home,
    };
    let key = (address(meant), depth, site.or_null);
    if let Some(known) = side.prints.get(&key) {
        return *known;
    }
    let number = computed_print(side, site, depth);
    if site.parts.len() == 1 {
        side.prints.insert(key, number);
    }
    number
}

fn computed_print<'d>(side: &mut Side<'d>, site: &Site<'d>, depth: u8) -> u64 {
    let flat = Flat::of(side, site);
    let mut hasher = DefaultHasher::new();
    (flat.types, flat.null).hash(&mut hasher);
    let mut words: Vec<String> = flat
        .words
        .iter()
        .flatten()
        .map(|word| word.value.to_string())
        .collect();
    words.sort();
    words.hash(&mut hasher);
    // Parts come in any order: a sum of the prints of what they say is the same for all of them.
    let mut sum: u64 = 0;
    for (keyword, value) in flat
        .parts
        .iter()
        .filter_map(|part| part.as_object())
        .flatten()
    {
        if is_annotation(keyword) {
            continue;
        }
        match (keyword.as_str(), value) {
            (
                "$ref" | "allOf" | "type" | "nullable" | "enum" | "const" | "oneOf" | "anyOf"
                | "discriminator" | "required",
                _,
            ) => {}
            ("properties" | "patternProperties", Value::Object(map)) => {
                for (name, schema) in map {
                    let below = if depth == 0 {
                        0
                    } else {
                        print(side, &Site::new(Some(schema), schema), depth - 1)
                    };
                    sum = sum.wrapping_add(hash(&(keyword, name, below)));
                }
            }
            (
                "items" | "additionalProperties" | "not" | "contains" | "propertyNames",
                Value::Object(_),
            ) => {
                let below = if depth == 0 {
                    0
                } else {
                    print(side, &Site::new(Some(value), value), depth - 1)
                };
                sum = sum.wrapping_add(hash(&(keyword, below)));
            }
            _ => sum = sum.wrapping_add(hash(&(keyword, value.to_string()))),
        }
    }
    for name in flat.all("required").filter_map(Value::as_array).flatten() {
        sum = sum.wrapping_add(hash(&("required", name.to_string())));
    }
    for one in flat.groups.iter().flat_map(|group| &group.alternatives) {
        let below = if depth == 0 {
            0
        } else {
            print(side, &Site::new(Some(one), one), depth - 1)
        };
        sum = sum.wrapping_add(hash(&("alternative", below)));
    }
    sum.hash(&mut hasher);
    hasher.finish()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
