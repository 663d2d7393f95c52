//! Two schemas, keyword by keyword. What no function of a keyword looks at is reported as unhandled.

use openapi_document::keywords::{About, Role, is_annotation, keyword, names};
use openapi_document::source::leaves;
use serde_json::Value;

use super::annotations::keywords;
use super::comparison::{Comparison, Form};
use super::flat::{Flat, Site, is_wrapping, types};
use super::side::referring;
use crate::verdicts::{Mark, Pair, Turn, changed, rules, way};

impl<'d> Comparison<'d> {
    /// Compares all pairs that are waiting, and those that they lead to.
    pub(crate) fn drain(&mut self) {
        while let Some((index, old, new, form)) = self.waiting.pop() {
            let mut pair = Pair::default();
            self.schemas(&mut pair, &old, &new, form);
            let referring = self.retargeted.get(&index).copied();
            for delta in referring.iter().flat_map(|_| &pair.deltas) {
                self.graph.refer(*delta, referring);
            }
            if let Some(slot) = self.graph.pairs.get_mut(index) {
                *slot = pair;
            }
        }
    }

    /// Compares two schemas; what is below them is left for later.
    pub(crate) fn schemas(&mut self, pair: &mut Pair, old: &Site<'d>, new: &Site<'d>, form: Form) {
        let a = Flat::of(&mut self.old, old);
        let b = Flat::of(&mut self.new, new);
        self.annotations(pair, &a, &b, form);
        self.unresolved(pair, &a, &b);
        if (a.is_cut || b.is_cut) && self.old.root != self.new.root {
            self.differ(
                pair,
                &rules::UNHANDLED,
                Mark::at(a.home),
                Mark::at(b.home),
                || {
                    "too many schemas hold at once here, and not all of them are compared"
                        .to_owned()
                },
            );
        }
        // Since 3.1 a part of bytes has no schema.
        if form == Form::Part && is_bytes(&a) && is_bytes(&b) {
            return;
        }
        if self.wrapping(pair, (old, &a), (new, &b), form)
            || self.became_list(pair, (old, &a), &b, form)
        {
            return;
        }
        if !self.kinds(pair, &a, &b, form) {
            return;
        }
        self.bounds(pair, &a, &b);
        self.texts(pair, &a, &b);
        if self.holds(
            pair,
            names(Role::Structure, About::Object),
            types::OBJECT,
            &a,
            &b,
        ) {
            self.objects(pair, &a, &b, form);
        }
        if self.holds(
            pair,
            names(Role::Structure, About::Array),
            types::ARRAY,
            &a,
            &b,
        ) {
            self.arrays(pair, &a, &b, form);
        }
        self.definitions(pair, &a, &b, form);
        self.conditions(pair, &a, &b, form);
        self.choices(pair, &a, &b, form);
        self.discriminators(pair, &a, &b);
        self.unhandled(pair, &a, &b);
    }

    /// Whether keywords about values of a type say anything here.
    pub(super) fn holds<'k>(
        &mut self,
        pair: &mut Pair,
        keywords: impl IntoIterator<Item = &'k str>,
        allowed: u8,
        old: &Flat<'d>,
        new: &Flat<'d>,
    ) -> bool {
        let has = |flat: &Flat<'d>| flat.types & (allowed | types::UNKNOWN) != 0;
        if !has(old) && !has(new) {
            for keyword in keywords {
                self.without_effect(pair, keyword, old, new);
            }
        }
        has(old) && has(new)
    }

    /// References that lead nowhere: the same text is the same thing, whatever it is.
    fn unresolved(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        let texts = |flat: &Flat<'d>| {
            flat.unresolved
                .iter()
                .map(|(text, _)| *text)
                .collect::<Vec<_>>()
        };
        let (a, b) = (texts(old), texts(new));
        let mark = |found: Option<&(&'d str, &'d Value)>, home: &'d Value| {
            let value = found.and_then(|(text, holder)| referring(holder, text));
            Mark::within(value.map(|(_, value)| value), home)
        };
        let gone = old.unresolved.iter().find(|(text, _)| !b.contains(text));
        let come = new.unresolved.iter().find(|(text, _)| !a.contains(text));
        let rule = match (gone, come) {
            (None, None) => {
                let outside = |(text, _): &&(&str, _)| leaves(text);
                let find = |flat: &Flat<'d>| flat.unresolved.iter().find(outside).copied();
                let (Some(x), Some(y)) = (find(old), find(new)) else {
                    return;
                };
                let text = x.0;
                let marks = (mark(Some(&x), x.1), mark(Some(&y), y.1));
                return self.differ(pair, &rules::REFERENCE_UNKNOWN, marks.0, marks.1, || {
                    format!("what `{text}` leads to is unknown")
                });
            }
            (None, Some(_)) => &rules::REFERENCE_BROKEN,
            (Some(_), None) => &rules::REFERENCE_MENDED,
            (Some(_), Some(_)) => &rules::UNHANDLED,
        };
        let (old, new) = (mark(gone, old.home), mark(come, new.home));
        self.differ(pair, rule, old, new, || {
            let lost = come.or(gone).map_or("", |(text, _)| text);
            format!("the reference `{lost}` leads nowhere in this document")
        });
    }

    /// A parameter that took one text and takes a list of them, written so that one element looks as before.
    fn became_list(
        &mut self,
        pair: &mut Pair,
        old: (&Site<'d>, &Flat<'d>),
        new: &Flat<'d>,
        form: Form,
    ) -> bool {
        use super::flat::types::{ARRAY, BOOLEAN, NUMBER, STRING};
        let plain = BOOLEAN | NUMBER | STRING;
        let single = old.1.typed && old.1.types & !plain == 0 && old.1.types != 0;
        if form != Form::Repeated || !single || new.types != ARRAY {
            return false;
        }
        self.differ(
            pair,
            &rules::PARAMETER_LIST,
            Mark::at(old.1.home),
            Mark::at(new.home),
            || "a single value became a list, of which one element is written as before".to_owned(),
        );
        self.bounds_of_list(pair, old.1, new);
        let items = Site::all(new.all("items").collect(), new.home);
        self.child(
            pair,
            old.0.clone(),
            items,
            Form::Text,
            way::BOTH,
            Turn::Keep,
        );
        true
    }

    /// A list that needs more than one element, or none, is no widening of a single value.
    fn bounds_of_list(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        let least = new
            .first("minItems")
            .filter(|value| value.as_u64().is_some_and(|least| least > 1));
        if let Some(least) = least {
            self.differ(
                pair,
                &rules::BOUND_ADDED,
                Mark::within(None, old.home),
                Mark::within(Some(least), new.home),
                || changed("minItems", None, Some(least)),
            );
        }
    }

    /// Keywords that no function looked at.
    fn unhandled(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        let all = keywords(old, new).into_iter();
        for name in all.filter(|name| !is_annotation(name) && keyword(name).is_none()) {
            let (a, b): (Vec<_>, Vec<_>) = (old.all(name).collect(), new.all(name).collect());
            if a != b {
                let (a, b) = (a.first().copied(), b.first().copied());
                self.differ(
                    pair,
                    &rules::UNHANDLED,
                    Mark::within(a, old.home),
                    Mark::within(b, new.home),
                    || changed(name, a, b),
                );
            }
        }
    }
}

/// Whether a schema says no more than that there are bytes.
fn is_bytes(flat: &Flat<'_>) -> bool {
    let maps = flat.parts.iter().filter_map(|part| part.as_object());
    maps.flatten()
        .all(|(keyword, value)| match keyword.as_str() {
            "type" => value == "string",
            "format" => value == "binary",
            "contentMediaType" => value == "application/octet-stream",
            keyword => is_wrapping(keyword),
        })
        && (!flat.typed
            || flat.all("format").any(|format| format == "binary")
            || flat.first("contentMediaType").is_some())
}
