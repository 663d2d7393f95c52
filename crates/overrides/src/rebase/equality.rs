//! Compares a guarded value of the old document with the value at the matched place of the new one. It is fail-closed: values are equal if
//! their JSON is, except for the equalities of this table. Anything else is another value.
//!
//! | equal | reason |
//! |---|---|
//! | keys in another order; `required`, `enum`, `type`, alternatives, parameters and demands of security in another order | the order has no meaning |
//! | a reference, and one to the new name of its target | the target is no part of the value |
//! | a reference, and its target written out; a schema, and the same one as the only part or alternative, with its default beside it | both say the same of a value |
//! | null, the only value, and an excluded bound in the keywords of 3.0 and of 3.1 | both say the same of a value |
//! | descriptions, summaries, titles and examples within the value | they are for people |
//! | a keyword of a parameter, and its default left out | the default means it |
//! | `additionalProperties` that allow anything, and none | both allow any member |
//! | with `--accept`, where null came to most places at once: null, and no null | an override undoes it |
//! | a path parameter under the name that its path has now | the name is in no message |

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::{
    Role, Takes, has_order, has_role, is_data, is_map_of_names, is_words, keyword,
};
use openapi_document::pointer;
use openapi_document::resolver::{REFERRING, object_reference, reference, target};
use openapi_overlay::lists;
use openapi_schemas::reading::{Document, LIMIT, allows_all};
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::pointers::parameter;
use super::said::{DEFAULT, Said, peeled, says_default};

/// The kind of a value. It decides on the meaning of its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A schema, or a list of them.
    Schema,
    /// Schemas by name.
    Schemas,
    /// Other objects of OpenAPI by name, or a list of them.
    Names,
    /// Another object of OpenAPI.
    Object,
    /// Any JSON.
    Data,
}

impl Kind {
    /// Returns the kind of a member.
    pub(super) fn below(self, key: &str) -> Self {
        match self {
            Self::Schemas => Self::Schema,
            Self::Schema => match keyword(key).map(|row| row.takes) {
                Some(Takes::NamedSchemas) => Self::Schemas,
                Some(Takes::Schema | Takes::SchemaOrBool | Takes::Schemas) => Self::Schema,
                Some(Takes::Discriminator) => Self::Object,
                _ => Self::Data,
            },
            Self::Object if matches!(key, "schema" | "itemSchema") => Self::Schema,
            Self::Object if key == "schemas" => Self::Schemas,
            Self::Object if is_data(key) => Self::Data,
            Self::Object if is_map_of_names(key) => Self::Names,
            Self::Names if key.starts_with("x-") => Self::Data,
            Self::Names | Self::Object => Self::Object,
            Self::Data => Self::Data,
        }
    }

    /// Returns the kind of the elements of a list.
    fn element(self) -> Self {
        match self {
            Self::Names => Self::Object,
            other => other,
        }
    }

    /// Returns whether a key is documentation for people.
    fn is_words(self, key: &str) -> bool {
        matches!(self, Self::Schema | Self::Object) && is_words(key)
    }

    /// Returns a member or an element, with its kind.
    fn child<'v>(self, value: &'v Value, token: &str) -> Option<(Self, &'v Value)> {
        match value {
            Value::Object(map) => Some((self.below(token), map.get(token)?)),
            Value::Array(list) => Some((self.element(), list.get(token.parse::<usize>().ok()?)?)),
            _ => None,
        }
    }

    /// Returns the value at a pointer, with its kind. No reference is followed.
    pub(super) fn at<'v>(root: &'v Value, pointer: &str) -> Option<(Self, &'v Value)> {
        let mut tokens = pointer::tokens(pointer);
        tokens.try_fold((Self::Object, root), |(kind, value), token| {
            kind.child(value, &token)
        })
    }
}

/// Compares values of two documents.
pub(super) struct Equality<'e> {
    to: &'e Correspondence<'e>,
    old: Document<'e>,
    new: Document<'e>,
    /// New names of path parameters by the old ones.
    names: BTreeMap<String, String>,
    /// Pairs of schemas that are equal if all others are: a schema may contain itself.
    assumed: Vec<Pair>,
    /// Number of schemas that may still be compared.
    left: usize,
    /// True if the new document may leave out formats, bounds and defaults. Any other value of them is a difference.
    pub(super) may_say_less: bool,
    /// True if the new document may lack extensions, which other overrides have added.
    pub(super) may_lack_extensions: bool,
}

/// Roles of the keywords that restrict a value of the same type, or that only annotate it.
const RESTRICTING: [Role; 4] = [Role::Annotation, Role::Bound, Role::Format, Role::Limit];

/// Addresses of two schemas, each with whether null is allowed around it.
type Pair = [(*const Map<String, Value>, bool); 2];

impl<'e> Equality<'e> {
    /// Creates the comparison of two states of the documents. `at` is the location of the values in the old one.
    pub(super) fn new(
        to: &'e Correspondence<'e>,
        old: &'e Value,
        new: &'e Value,
        at: &str,
    ) -> Self {
        let mut tokens = pointer::tokens(at);
        let path = tokens.next().filter(|first| first == "paths");
        let path = path.and(tokens.next());
        Self {
            to,
            old: Document::new(old),
            new: Document::new(new),
            names: path.map(|path| to.names(&path)).unwrap_or_default(),
            assumed: Vec::new(),
            left: LIMIT,
            may_say_less: false,
            may_lack_extensions: false,
        }
    }

    /// Returns whether the values at two places are equal. Each is a target, and the rest of the pointer below it.
    pub(super) fn places(&mut self, old: (&str, &str), new: (&str, &str)) -> bool {
        let (from, to) = (owned(self.old.root, old), owned(self.new.root, new));
        let a = Kind::at(self.old.root, &from.target);
        let b = Kind::at(self.new.root, &to.target);
        let (Some((mut kind, mut a)), Some((other, mut b))) = (a, b) else {
            return a.is_none() && b.is_none();
        };
        let mut in_order = pointer::split_last(&from.target).is_none_or(|(_, key)| has_order(&key));
        let tokens: Vec<String> = pointer::tokens(&from.rest).collect();
        let renamed: Vec<String> = pointer::tokens(&to.rest).collect();
        if kind != other || tokens.len() != renamed.len() {
            return false;
        }
        for (index, (token, now)) in tokens.iter().zip(&renamed).enumerate() {
            let (x, y) = if kind == Kind::Schema && !a.is_array() {
                let (Some(x), Some(y)) = (peeled(&mut self.old, a), peeled(&mut self.new, b))
                else {
                    return false;
                };
                if index + 1 == tokens.len() {
                    return token == now && self.keyword((a, &x), (b, &y), token);
                }
                if !self.same_composition(&x, &y) {
                    return false;
                }
                (x.get(token), y.get(now))
            } else {
                let (x, y) = (
                    holder(&mut self.old, a, token),
                    holder(&mut self.new, b, now),
                );
                let (x, y) = (kind.child(x, token), kind.child(y, now));
                (x.map(|(_, x)| x), y.map(|(_, y)| y))
            };
            let (Some(x), Some(y)) = (x, y) else {
                return x.is_none() && y.is_none();
            };
            kind = if a.is_array() {
                kind.element()
            } else {
                kind.below(token)
            };
            (a, b, in_order) = (x, y, has_order(token));
        }
        self.values(kind, in_order, a, b)
    }

    /// Returns whether two values of a kind are equal. `in_order`: the order of a list counts.
    fn values(&mut self, kind: Kind, in_order: bool, a: &'e Value, b: &'e Value) -> bool {
        match (a, b) {
            (Value::Array(a), Value::Array(b)) => self.lists(kind.element(), in_order, a, b),
            (a, b) if kind == Kind::Schema => self.schema(a, b),
            (a, b)
                if kind == Kind::Object
                    && object_reference(a).or(object_reference(b)).is_some() =>
            {
                self.referring(a, b)
            }
            (Value::Object(a), Value::Object(b)) => self.members(kind, a, b, |_| false),
            (a, b) => a == b,
        }
    }

    /// Returns whether two lists are equal.
    fn lists(&mut self, kind: Kind, in_order: bool, a: &'e [Value], b: &'e [Value]) -> bool {
        if a.len() != b.len() {
            return false;
        }
        if in_order {
            let mut pairs = a.iter().zip(b);
            return pairs.all(|(a, b)| self.values(kind, kind == Kind::Data, a, b));
        }
        let mut open: Vec<&'e Value> = b.iter().collect();
        a.iter().all(|one| {
            let found = open
                .iter()
                .position(|other| self.values(kind, true, one, other));
            found.map(|index| open.remove(index)).is_some()
        })
    }

    /// Returns whether two objects are equal of which one or both are references. Nothing but documentation may be beside them.
    fn referring(&mut self, a: &'e Value, b: &'e Value) -> bool {
        if !is_bare(a) || !is_bare(b) {
            return false;
        }
        if let (Some(x), Some(y)) = (object_reference(a), object_reference(b))
            && self.are_counterparts(x, y)
        {
            return true;
        }
        match (written_out(&mut self.old, a), written_out(&mut self.new, b)) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                self.members(Kind::Object, a, b, |_| false)
            }
            _ => false,
        }
    }

    /// Returns whether two objects have equal members, except for documentation and the keys that are compared apart.
    fn members(
        &mut self,
        kind: Kind,
        a: &'e Map<String, Value>,
        b: &'e Map<String, Value>,
        is_compared: fn(&str) -> bool,
    ) -> bool {
        let is_path = kind == Kind::Object && a.get("in").is_some_and(|place| place == "path");
        let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        let mut keys = keys
            .into_iter()
            .filter(|key| !kind.is_words(key) && !is_compared(key));
        keys.all(|key| match (a.get(key), b.get(key)) {
            (Some(Value::String(a)), Some(Value::String(b))) if is_path && key == "name" => {
                self.names.get(a).unwrap_or(a) == b
            }
            (Some(Value::Array(one)), Some(Value::Array(other)))
                if kind == Kind::Schema && Said::is_choice(key) =>
            {
                let is_tagged = a.contains_key("discriminator");
                (!is_tagged || names(one) == names(other))
                    && self.lists(Kind::Schema, has_order(key), one, other)
            }
            (Some(a), Some(b)) => self.member(kind, key, a, b),
            _ if kind == Kind::Object => says_default(a, key) && says_default(b, key),
            (was, is) => kind == Kind::Schema && self.is_unsaid(key, was, is),
        })
    }

    /// Returns whether a keyword that one of two schemas lacks makes no difference.
    fn is_unsaid(&self, key: &str, was: Option<&Value>, is: Option<&Value>) -> bool {
        key == "additionalProperties" && was.is_none_or(allows_all) && is.is_none_or(allows_all)
            || self.may_say_less && is.is_none() && has_role(key, &RESTRICTING)
            || self.may_lack_extensions && is.is_none() && key.starts_with("x-")
    }

    /// Returns whether two lists of parameters agree on those of an update: each is in neither, or the same in both.
    pub(super) fn parameters(
        &mut self,
        old: Option<&'e Value>,
        new: Option<&'e Value>,
        update: &[Value],
    ) -> bool {
        let (before, after) = (self.old.root, self.new.root);
        update.iter().all(|one| {
            let key = lists::key(before, one).or_else(|| lists::key(after, one));
            match (parameter(before, old, &key), parameter(after, new, &key)) {
                (Some(a), Some(b)) => self.values(Kind::Object, true, a, b),
                (a, b) => key.is_some() && a.is_none() && b.is_none(),
            }
        })
    }

    fn member(&mut self, kind: Kind, key: &str, a: &'e Value, b: &'e Value) -> bool {
        match (a, b) {
            (Value::String(a), Value::String(b))
                if kind == Kind::Schema && REFERRING.contains(&key) =>
            {
                self.are_counterparts(a, b)
            }
            _ => {
                let in_order = kind == Kind::Data || has_order(key);
                self.values(kind.below(key), in_order, a, b)
            }
        }
    }

    /// Returns whether two schemas are equal.
    fn schema(&mut self, a: &'e Value, b: &'e Value) -> bool {
        let (Some(x), Some(y)) = (peeled(&mut self.old, a), peeled(&mut self.new, b)) else {
            return a == b;
        };
        if let (Some(p), Some(q)) = (x.reference, y.reference)
            && self.are_counterparts(p.text, q.text)
        {
            let is_null_equal = p.or_null == q.or_null || self.to.is_null_aside;
            return is_null_equal && (x.has_default_of(&y) || self.lacks_default(&y));
        }
        let pair = [
            (std::ptr::from_ref(x.map), x.or_null),
            (std::ptr::from_ref(y.map), y.or_null),
        ];
        if self.assumed.contains(&pair) {
            return true;
        }
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let known = self.assumed.len();
        self.assumed.push(pair);
        let is_equal =
            self.folded(&x, &y) && self.members(Kind::Schema, x.map, y.map, Said::is_folded);
        // What rests on a wrong assumption is unknown again.
        if !is_equal {
            self.assumed.truncate(known);
        }
        is_equal
    }

    /// Returns whether two schemas say the same by the keywords that have other spellings.
    fn folded(&self, x: &Said<'e>, y: &Said<'e>) -> bool {
        x.has_types_of(y, self.to.is_null_aside)
            && x.has_values_of(y)
            && (x.has_bounds_of(y) || self.may_say_less && y.bounds().is_empty())
            && (x.has_default_of(y) || self.lacks_default(y))
    }

    fn lacks_default(&self, y: &Said<'e>) -> bool {
        self.may_say_less && y.get(DEFAULT).is_none()
    }

    /// Returns whether two schemas have equal keywords that lead to others about the same value: what these say is not looked into.
    fn same_composition(&mut self, x: &Said<'e>, y: &Said<'e>) -> bool {
        let keys: BTreeSet<&String> = x.map.keys().chain(y.map.keys()).collect();
        let mut keys = keys.into_iter().filter(|key| Said::leads_on(key));
        keys.all(|key| match (x.map.get(key), y.map.get(key)) {
            (Some(a), Some(b)) => self.member(Kind::Schema, key, a, b),
            _ => false,
        })
    }

    /// Returns whether two schemas say the same by one keyword.
    fn keyword(&mut self, a: (&'e Value, &Said<'e>), b: (&'e Value, &Said<'e>), key: &str) -> bool {
        let (x, y) = (a.1, b.1);
        let (was, is) = (x.get(key), y.get(key));
        if is_words(key) {
            return was == is;
        }
        if !self.same_composition(x, y) {
            return false;
        }
        if Said::is_folded(key) {
            return x.says_as(y, key, self.to.is_null_aside);
        }
        match (was, is) {
            (was, is) if self.is_unsaid(key, was, is) => true,
            (None, None) => true,
            // A schema around another one may be spelled in another way.
            _ if Said::leads_on(key) => self.schema(a.0, b.0),
            (Some(was), Some(is)) => self.member(Kind::Schema, key, was, is),
            _ => false,
        }
    }

    /// Returns whether two references lead to counterparts.
    fn are_counterparts(&self, a: &str, b: &str) -> bool {
        let targets = target(self.old.root, a).zip(target(self.new.root, b));
        targets.is_some_and(|(a, b)| {
            let is_same = a.pointer == b.pointer;
            // An override adds a component under the same name.
            let is_added = is_same && self.to.old.pointer(&a.pointer).is_none();
            // The diff pairs whatever two references lead to. A target that is still there has no other name, and one that was there is no new name.
            let is_renamed = self.to.new.pointer(&a.pointer).is_none()
                && self.to.old.pointer(&b.pointer).is_none();
            let is_paired = self.to.component(&a.pointer).contains(&b.pointer);
            is_added || is_paired && (is_same || is_renamed)
        })
    }
}

/// Returns whether a value is no reference, or one with only documentation beside it.
fn is_bare(value: &Value) -> bool {
    let keys = value.as_object().into_iter().flat_map(|map| map.keys());
    object_reference(value).is_none() || keys.filter(|key| !is_words(key)).count() == 1
}

/// Returns the references among alternatives: where a tag chooses them, their names are values on the wire.
fn names(alternatives: &[Value]) -> BTreeSet<&str> {
    alternatives.iter().filter_map(reference).collect()
}

/// A place: the target, and the rest of the pointer below it.
struct Place {
    target: String,
    rest: String,
}

/// Returns a place with its schema as the target, if it is a keyword of a schema: what a keyword says may be said by another one.
fn owned(root: &Value, (target, rest): (&str, &str)) -> Place {
    let is_keyword = rest.is_empty() || target.ends_with("/properties");
    let owner = target.rsplit_once('/').filter(|_| is_keyword);
    let owner = owner.filter(|(owner, _)| {
        let found = Kind::at(root, owner);
        found.is_some_and(|(kind, value)| kind == Kind::Schema && !value.is_array())
    });
    let is_there = root.pointer(target).is_some();
    match owner.filter(|_| is_there || !rest.is_empty()) {
        Some((owner, key)) => Place {
            target: owner.to_owned(),
            rest: format!("/{key}{rest}"),
        },
        None => Place {
            target: target.to_owned(),
            rest: rest.to_owned(),
        },
    }
}

/// Returns the object that has a member: that behind a reference, unless the member is beside the reference.
fn holder<'e>(document: &mut Document<'e>, value: &'e Value, token: &str) -> &'e Value {
    if REFERRING.contains(&token) || value.get(token).is_some() {
        value
    } else {
        document.object(value).unwrap_or(value)
    }
}

/// Returns an object that is no schema, or the object that it refers to.
fn written_out<'e>(document: &mut Document<'e>, value: &'e Value) -> Option<&'e Value> {
    if object_reference(value).is_some() {
        document.object(value)
    } else {
        Some(value)
    }
}
