//! What a journal says: its lines, and what they mean together.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ended::Ended;
use crate::extent::Extent;
use crate::output::Format;
use generated_client::paging::Position;
use metered_client::Credits;
use metered_client::money::Usage;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Line {
    Run(Run),
    Usage(Usage),
    /// A call that costs so much at most; all that is left, where no price is known.
    Began {
        input: String,
        at_most: Option<Credits>,
    },
    /// What began was not billed, or the usage has what it cost.
    Settled {
        input: String,
    },
    /// What began was or may have been billed, and brought no record. The usage has what it cost, or what is at risk.
    Unsure {
        input: String,
    },
    /// A record is out, and others of its page are not. The usage has what the page cost.
    Within {
        input: String,
        position: Position,
    },
    /// The last record of a page is out.
    At {
        input: String,
        position: Position,
    },
    /// All that was wanted of it is there: one page, or so many records.
    Enough {
        input: String,
        most: Option<u64>,
    },
    Done {
        input: String,
    },
    Refused {
        input: String,
        why: String,
    },
}

/// What the output of a run is called.
const OUTPUT: &str = "output";

/// What one run is told from another by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) program: String,
    /// The version of the form of the journal.
    #[serde(default)]
    pub(crate) version: u8,
    pub(crate) command: String,
    pub(crate) base_url: String,
    pub(crate) arguments: Value,
    pub(crate) wait: bool,
    /// What a later run writes is appended: it has to have the same form.
    pub(crate) output: Format,
    pub(crate) columns: Vec<String>,
}

/// The version of the form of journals that this program writes and reads.
pub(crate) const VERSION: u8 = 2;

impl Run {
    /// What runs can differ in, and how it is in this one.
    fn sides(&self) -> [(&'static str, String); 6] {
        let output = match self.columns.as_slice() {
            [] => self.output.to_string(),
            columns => format!("{} of {}", self.output, columns.join(",")),
        };
        [
            ("program", self.program.clone()),
            ("operation", self.command.clone()),
            ("base URL", self.base_url.clone()),
            ("arguments", self.arguments.to_string()),
            ("`--wait`", self.wait.to_string()),
            (OUTPUT, output),
        ]
    }

    /// In what `other` differs first, as a person reads it. The output matters to a run that writes some.
    fn difference(&self, other: &Self, writes: bool) -> Option<String> {
        let sides = self.sides().into_iter().zip(other.sides());
        let mut sides = sides.filter(|((what, _), _)| writes || *what != OUTPUT);
        let ((what, own), (_, other)) = sides.find(|(own, other)| own != other)?;
        Some(format!("its {what}: {other}, and not {own}"))
    }
}

/// What is known of a run.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// Whether an earlier run began it.
    pub(crate) goes_on: bool,
    pub(crate) usage: Usage,
    positions: BTreeMap<String, Position>,
    done: BTreeSet<String>,
    /// With how many records at most; `None` for one page.
    enough: BTreeMap<String, Option<u64>>,
    refused: BTreeSet<String>,
    /// Inputs with a call that was or may have been billed, and brought no record, or a part of its page.
    unsure: BTreeSet<String>,
    /// Calls of which it is not known how they ended.
    pending: BTreeMap<String, Option<Credits>>,
}

impl Past {
    /// Reads the text of a journal for a run that writes output or does not, and returns how many of its bytes are whole lines.
    pub(crate) fn read(
        path: &str,
        text: &str,
        run: &Run,
        writes: bool,
    ) -> Result<(Self, usize), Ended> {
        let not_a_journal = |number: u64, why: &str| {
            Ended::Usage(format!(
                "{path}, line {number}: {why}. This is not the journal of a run; name another file"
            ))
        };
        let begin = || serde_json::to_string(&Line::Run(run.clone())).unwrap_or_default();
        let whole = match text.rfind('\n') {
            Some(end) => end.saturating_add(1),
            // The first line is written before the first call: where it broke off, nothing was paid.
            None if begin().starts_with(text) => 0,
            None => {
                let why = "the line has no end; if a run with other arguments broke off in it, nothing was paid, and the file can be deleted";
                return Err(not_a_journal(1, why));
            }
        };
        let mut past = Self::default();
        for (number, line) in (1_u64..).zip(text.get(..whole).unwrap_or_default().lines()) {
            let line = serde_json::from_str(line)
                .map_err(|error| not_a_journal(number, &error.to_string()))?;
            if number == 1 && !matches!(line, Line::Run(_)) {
                return Err(not_a_journal(1, "it does not say which run it is of"));
            }
            if let Line::Run(other) = &line
                && other.version != VERSION
            {
                return Err(Ended::Usage(format!(
                    "{path}: another version of this program has written the journal. Go on with that version, or name another file for a new run"
                )));
            }
            if let Line::Run(other) = &line
                && let Some(difference) = run.difference(other, writes)
            {
                return Err(Ended::Usage(format!(
                    "{path}: the journal of another run: {difference}. Give the same, or name another file"
                )));
            }
            past.apply(line);
        }
        Ok((past, whole))
    }

    pub(crate) fn apply(&mut self, line: Line) {
        match line {
            Line::Run(_) => self.goes_on = true,
            Line::Usage(usage) => self.usage = usage,
            Line::Began { input, at_most } => _ = self.pending.insert(input, at_most),
            // It says nothing of an earlier call.
            Line::Settled { input } => _ = self.pending.remove(&input),
            Line::Unsure { input } => {
                self.pending.remove(&input);
                self.unsure.insert(input);
            }
            Line::Within { input, position } => {
                self.pending.remove(&input);
                self.unsure.insert(input.clone());
                self.positions.insert(input, position);
            }
            Line::At { input, position } => {
                self.brought(&input);
                self.positions.insert(input, position);
            }
            Line::Enough { input, most } => {
                self.pending.remove(&input);
                // The rest of its page is paid for, and would be asked for with it again.
                let position = self.positions.get(&input);
                if position.is_none_or(|position| position.delivered_of_page() == 0) {
                    self.unsure.remove(&input);
                }
                self.enough.insert(input, most);
            }
            Line::Done { input } => {
                self.brought(&input);
                self.done.insert(input);
            }
            Line::Refused { input, .. } => {
                self.brought(&input);
                self.refused.insert(input);
            }
        }
    }

    /// It is known what became of the call of an input, and no earlier one matters any more.
    fn brought(&mut self, input: &str) {
        self.pending.remove(input);
        self.unsure.remove(input);
    }

    /// Where an input goes on.
    pub(crate) fn position(&self, input: &str) -> Option<&Position> {
        self.positions.get(input)
    }

    /// Whether an input has as much as this, or was refused for good.
    pub(crate) fn is_done(&self, input: &str, extent: Extent) -> bool {
        let has_enough = |had: &Option<u64>| match extent.most {
            Some(most) => had.is_some_and(|had| had >= most),
            None => !extent.all,
        };
        self.done.contains(input)
            || self.refused.contains(input)
            || self.enough.get(input).is_some_and(has_enough)
    }

    pub(crate) fn is_at_end(&self, input: &str) -> bool {
        self.done.contains(input)
    }

    pub(crate) fn is_unsure(&self, input: &str) -> bool {
        self.unsure.contains(input) || self.pending.contains_key(input)
    }

    /// The inputs with calls of which it is not known how they ended.
    pub(crate) fn pending(&self) -> Vec<String> {
        self.pending.keys().cloned().collect()
    }

    /// What is reserved, with what those calls may cost: the run may have broken off before its ledger could say so.
    pub(crate) fn reserved(&self) -> Credits {
        let Usage {
            limit,
            spent,
            reserved,
            at_risk,
            ..
        } = self.usage;
        let used = spent.micros().saturating_add(at_risk.micros());
        let left = limit.map(|limit| limit.micros().saturating_sub(used));
        let pending = self.pending.values();
        let pending = pending.fold(0_u64, |sum, at_most| {
            let at_most = at_most.map(Credits::micros).or(left);
            sum.saturating_add(at_most.unwrap_or_default())
        });
        // Together they never had more than what was left.
        let pending = left.map_or(pending, |left| pending.min(left));
        reserved.max(Credits::from_micros(pending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_began_and_did_not_end_is_bounded_by_what_was_left() {
        let credits = Credits::new;
        for (known, reserved, expected) in [
            (&[None][..], 0, 6),
            // Each of several workers had named its call, and one at a time could make it.
            (&[None, None, None], 0, 6),
            (&[None, Some(2)], 2, 6),
            (&[Some(2), Some(3)], 2, 5),
            (&[Some(2)], 4, 4),
            (&[Some(4), Some(4)], 4, 6),
            (&[], 0, 0),
        ] {
            let mut past = Past::default();
            let mut usage = Usage::default();
            usage.limit = Some(credits(10));
            usage.spent = credits(3);
            usage.at_risk = credits(1);
            usage.reserved = credits(reserved);
            past.apply(Line::Usage(usage));
            for (input, at_most) in known.iter().enumerate() {
                past.apply(Line::Began {
                    input: input.to_string(),
                    at_most: at_most.map(credits),
                });
            }
            assert_eq!(past.reserved(), credits(expected), "{known:?} {reserved}");
        }
    }
}
