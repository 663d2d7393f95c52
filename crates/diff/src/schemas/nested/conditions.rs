//! Schemas that are conditions: `not`, `if`, `contains` and the like.

use crate::schemas::comparison::{Comparison, Form};
use crate::schemas::flat::{Flat, Site, types};
use crate::verdicts::{Mark, Pair, Turn, changed, rules, way};

impl<'d> Comparison<'d> {
    pub(crate) fn conditions(
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
        self.contents(pair, old, new);
    }

    /// What a text holds that is JSON or the like.
    fn contents(&mut self, pair: &mut Pair, old: &Flat<'d>, new: &Flat<'d>) {
        const KEYWORD: &str = "contentSchema";
        // Without a media type it says nothing.
        let has = |flat: &Flat<'d>| {
            flat.types & (types::STRING | types::UNKNOWN) != 0
                && flat.first("contentMediaType").is_some()
        };
        match (has(old), has(new)) {
            (true, true) => self.conditional(pair, KEYWORD, Turn::Keep, old, new),
            (false, false) => self.without_effect(pair, KEYWORD, old, new),
            // That has a rule of its own.
            _ => {}
        }
    }

    /// A schema whose absence is another thing than a schema that allows all.
    pub(super) fn conditional(
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
    pub(super) fn plain_child(
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
