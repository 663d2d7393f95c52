//! What every check of this tool reports: the rule, the place, what is wrong, and what to do next.
//! A finding never edits anything, and findings come in lists: a run shows all of them at once.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use serde::{Serialize, Serializer};

use crate::readable;

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The command cannot go on.
    Error,
    /// Something is left out or less typed than it could be. With `--strict` it is an error.
    Warning,
}

/// One thing that a person has to look at. As JSON it has the line instead of the excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule, as a stable id such as `overlay-target`.
    pub rule: &'static str,
    /// Whether the command can go on.
    pub severity: Severity,
    /// The file, relative to the workspace.
    pub file: String,
    /// JSON Pointer into the file; empty for the whole of it.
    pub pointer: String,
    /// The place in the file's text, where it is known.
    #[serde(rename = "line", serialize_with = "line")]
    pub excerpt: Option<Excerpt>,
    /// What is wrong.
    pub message: String,
    /// More that a person needs to judge it, a line each.
    pub notes: Vec<String>,
    /// What to do next.
    pub help: String,
    /// How many more findings of the rule there are, of which nothing else is kept.
    pub more: usize,
}

fn line<S: Serializer>(excerpt: &Option<Excerpt>, serializer: S) -> Result<S::Ok, S::Error> {
    excerpt.as_ref().map(|one| one.line).serialize(serializer)
}

/// Findings of one step that are kept. A document may have a million.
const MOST_KEPT: usize = 10_000;

/// Adds a finding. Of those above a bound, the first of each rule counts the others.
pub fn keep(findings: &mut Vec<Finding>, finding: Finding) {
    let mut above = findings.iter_mut().skip(MOST_KEPT);
    match above.find(|one| one.rule == finding.rule) {
        Some(first) => first.more += 1 + finding.more,
        None => findings.push(finding),
    }
}

/// How many findings there are, with those of which only the number is kept.
pub fn count<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> usize {
    findings.into_iter().map(|one| 1 + one.more).sum()
}

/// Bytes of a line that are shown on either side of a place, and of the place itself. A document may be one line.
const NEAR: usize = 200;

/// Findings of one command that are rendered. A document may have a hundred thousand.
const MOST_RENDERED: usize = 1_000;

/// What stands for the part of a line that is not shown.
const CUT: &str = "…";

/// A place in a text: no more of it than is shown, for there may be thousands of findings in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The part of the line around the place, as people may read it.
    pub text: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The characters of the line that are left out before this part.
    pub left_out: usize,
    /// The bytes of it that are underlined.
    pub span: Range<usize>,
}

impl Excerpt {
    /// The line of these bytes of a text, as much of it as is near them; `None` where the text has no such place.
    pub fn of(text: &str, span: Range<usize>) -> Option<Self> {
        let (before, rest) = text.split_at_checked(span.start)?;
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let before = before.rsplit('\n').next().unwrap_or_default();
        let rest = rest.split('\n').next().unwrap_or_default();
        let (inside, after) = rest
            .split_at_checked(span.end.saturating_sub(span.start))
            .unwrap_or((rest, ""));
        let cut = readable::boundary(before, before.len().saturating_sub(NEAR));
        let (gone, before) = before.split_at_checked(cut)?;
        let cut = |text: &str| {
            let (near, gone) = text.split_at(readable::boundary(text, NEAR));
            let end = if gone.is_empty() { "" } else { CUT };
            readable::line(near) + end
        };
        let begin = if gone.is_empty() { "" } else { CUT };
        let (before, inside) = (begin.to_owned() + &readable::line(before), cut(inside));
        let span = before.len()..before.len() + inside.len();
        // What is underlined to its cut is all that is shown.
        let after = if inside.ends_with(CUT) {
            String::new()
        } else {
            cut(after)
        };
        Some(Self {
            text: before + &inside + &after,
            line,
            left_out: gone.chars().count(),
            span,
        })
    }

    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        Snippet::source(self.text.as_str())
            .line_start(self.line)
            .annotation(AnnotationKind::Primary.span(self.span.clone()))
    }
}

impl Finding {
    /// A finding about a whole file, or about no file's text.
    pub fn about(
        rule: &'static str,
        file: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            severity: Severity::Error,
            file: file.into(),
            pointer: String::new(),
            excerpt: None,
            message: message.into(),
            notes: Vec::new(),
            help: help.into(),
            more: 0,
        }
    }

    /// The same finding with one more note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same finding as a warning: the command goes on without what it is about.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The same finding as an error: the command stops because of it.
    #[must_use]
    pub fn error(mut self) -> Self {
        self.severity = Severity::Error;
        self
    }

    /// The finding as the compiler would show it.
    pub fn render(&self, renderer: &Renderer) -> String {
        let file = readable::line(&self.file);
        let pointer = readable::line(&format!("at #{}", self.pointer));
        let notes: Vec<String> = self
            .notes
            .iter()
            .map(|note| readable::lines(note))
            .collect();
        let more = (self.more > 0).then(|| {
            let more = self.more;
            format!("{more} more findings of this rule are not listed")
        });
        let help = readable::lines(&self.help);
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level
            .primary_title(readable::lines(&self.message))
            .id(self.rule);
        let mut group: Group<'_> = match &self.excerpt {
            None => title.element(Origin::path(file.as_str())),
            Some(excerpt) if excerpt.left_out == 0 => {
                title.element(excerpt.snippet().path(file.as_str()))
            }
            // The renderer knows no column of a line that begins elsewhere.
            Some(excerpt) => {
                let shown = excerpt.text.get(CUT.len()..excerpt.span.start);
                let column = excerpt.left_out + shown.map_or(0, |text| text.chars().count()) + 1;
                let place = Origin::path(file.as_str()).line(excerpt.line);
                title
                    .element(place.char_column(column))
                    .element(excerpt.snippet())
            }
        };
        if !self.pointer.is_empty() {
            group = group.element(Level::NOTE.message(pointer.as_str()));
        }
        for note in notes.iter().chain(&more) {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        group = group.element(Level::HELP.message(help.as_str()));
        renderer.render(&[group])
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

/// The one of `known` that `name` was probably meant to be.
pub fn near<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// Why a command stops. The difference is the exit code: 2 when an input could not be read, 1 when it could and is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An input could not be read at all.
    Unreadable(Vec<Finding>),
    /// The inputs were read, and these things are wrong with them.
    Findings(Vec<Finding>),
}

impl Stop {
    /// Everything that was found.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Unreadable(findings) | Self::Findings(findings) => findings,
        }
    }

    /// The errors or the warnings among them.
    pub fn of(&self, severity: Severity) -> Vec<Finding> {
        let findings = self.findings().iter();
        findings
            .filter(|finding| finding.severity == severity)
            .cloned()
            .collect()
    }

    /// The same stop with these findings alone.
    #[must_use]
    pub fn only(self, findings: Vec<Finding>) -> Self {
        match self {
            Self::Unreadable(_) => Self::Unreadable(findings),
            Self::Findings(_) => Self::Findings(findings),
        }
    }

    /// The same stop with each finding changed.
    #[must_use]
    pub fn map(self, change: impl FnMut(Finding) -> Finding) -> Self {
        match self {
            Self::Unreadable(findings) => {
                Self::Unreadable(findings.into_iter().map(change).collect())
            }
            Self::Findings(findings) => Self::Findings(findings.into_iter().map(change).collect()),
        }
    }

    /// The same stop behind what was found before it.
    #[must_use]
    pub fn after(self, earlier: &[Finding]) -> Self {
        let all = |findings: Vec<Finding>| earlier.iter().cloned().chain(findings).collect();
        match self {
            Self::Unreadable(findings) => Self::Unreadable(all(findings)),
            Self::Findings(findings) => Self::Findings(all(findings)),
        }
    }

    /// `Ok` when there is nothing to report.
    pub fn unless_empty(findings: Vec<Finding>) -> Result<(), Self> {
        if findings.is_empty() {
            Ok(())
        } else {
            Err(Self::Findings(findings))
        }
    }

    /// The findings, one below the other, and the number of those that are not shown.
    pub fn render(&self, renderer: &Renderer) -> String {
        let shown = self.findings().iter().take(MOST_RENDERED);
        let mut rendered: Vec<String> = shown.map(|finding| finding.render(renderer)).collect();
        let left = count(self.findings()) - rendered.len();
        if left > 0 {
            rendered.push(format!("error: and {left} more findings"));
        }
        rendered.join("\n\n")
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for Stop {}

/// Findings, each once.
pub fn distinct(mut findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = HashSet::new();
    findings.retain(|finding| {
        let (file, pointer) = (finding.file.clone(), finding.pointer.clone());
        seen.insert((finding.rule, file, pointer, finding.message.clone()))
    });
    findings
}
