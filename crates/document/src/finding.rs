//! The report of every check: the rule, the location, the problem, and the next step.
//! A finding never edits anything, and findings come in lists: a run shows all of them at once.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use serde::{Serialize, Serializer};

use crate::readable;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The command cannot go on.
    Error,
    /// Something is left out or less typed than possible. An error with `--strict`.
    Warning,
    /// Something is done differently, and the reader has nothing to do. Never an error.
    Note,
}

/// A problem that a person has to look at. As JSON, it has the line instead of the excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable identifier of the rule, such as `overlay-target`.
    pub rule: &'static str,
    /// Severity; an error stops the command.
    pub severity: Severity,
    /// The file, relative to the workspace.
    pub file: String,
    /// JSON Pointer into the file; empty for the whole file.
    pub pointer: String,
    /// Location in the file, if known.
    #[serde(rename = "line", serialize_with = "line")]
    pub excerpt: Option<Excerpt>,
    /// Description of the problem.
    pub message: String,
    /// Further details, one line each.
    pub notes: Vec<String>,
    /// Next step for the reader.
    pub help: String,
    /// Number of further findings of the rule that were dropped.
    pub more: usize,
}

fn line<S: Serializer>(excerpt: &Option<Excerpt>, serializer: S) -> Result<S::Ok, S::Error> {
    excerpt.as_ref().map(|one| one.line).serialize(serializer)
}

/// Maximum number of findings kept per step. A document may have a million.
const MOST_KEPT: usize = 10_000;

/// Adds a finding. Beyond the maximum, only the number of findings per rule is kept.
pub fn keep(findings: &mut Vec<Finding>, finding: Finding) {
    let mut above = findings.iter_mut().skip(MOST_KEPT);
    match above.find(|one| one.rule == finding.rule) {
        Some(first) => first.more += 1 + finding.more,
        None => findings.push(finding),
    }
}

/// Returns the number of findings, including dropped ones.
pub fn count<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> usize {
    findings.into_iter().map(|one| 1 + one.more).sum()
}

/// Bytes shown of a location, and of its line on either side. A document may be one line.
const NEAR: usize = 200;

/// Maximum number of findings rendered per command. A document may have a hundred thousand.
const MOST_RENDERED: usize = 1_000;

/// Replaces the omitted part of a line.
const CUT: &str = "…";

/// A location in a file. It holds only the part shown, because one file may have thousands of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The part of the line around the location, made printable.
    pub text: String,
    /// Line number, from 1.
    pub line: usize,
    /// Number of characters of the line before this part.
    pub left_out: usize,
    /// Underlined bytes of the part.
    pub span: Range<usize>,
}

/// Where the lines of a file begin, and the number of characters before each of its blocks: a place of a long line is found at once.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    characters: Vec<usize>,
}

/// Bytes of a block.
const BLOCK: usize = 1024;

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        let mut before_blocks = vec![0];
        let mut count = 0;
        for block in text.as_bytes().chunks(BLOCK) {
            count += characters(block);
            before_blocks.push(count);
        }
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
            characters: before_blocks,
        }
    }

    /// Returns line and column of a byte, both from 1.
    pub(crate) fn position(&self, text: &str, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line));
        let start = start.copied().unwrap_or_default();
        let column = self.characters(text, at) - self.characters(text, start);
        (line, column + 1)
    }

    /// Returns the number of characters before a byte.
    fn characters(&self, text: &str, at: usize) -> usize {
        let block = at / BLOCK;
        let before = self.characters.get(block).copied().unwrap_or_default();
        let rest = text.as_bytes().get(block * BLOCK..at);
        before + rest.map_or(0, characters)
    }
}

fn characters(utf8: &[u8]) -> usize {
    utf8.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl Excerpt {
    /// Returns the excerpt around these bytes of a file; `None` if it has no such location.
    pub fn of(text: &str, span: Range<usize>) -> Option<Self> {
        Self::at(text, &Lines::of(text), span)
    }

    /// Returns the excerpt in a file whose lines are known. It takes the same time for a file of any size.
    pub(crate) fn at(text: &str, lines: &Lines, span: Range<usize>) -> Option<Self> {
        let line = lines.starts.partition_point(|start| *start <= span.start);
        let start = lines.starts.get(line.checked_sub(1)?).copied()?;
        let end = lines.starts.get(line).map_or(text.len(), |next| next - 1);
        let (before, rest) = (text.get(start..span.start)?, text.get(span.start..end)?);
        let (inside, after) = rest
            .split_at_checked(span.end.saturating_sub(span.start))
            .unwrap_or((rest, ""));
        let cut_at = readable::boundary(before, before.len().saturating_sub(NEAR));
        let (gone, before) = before.split_at_checked(cut_at)?;
        let left_out = lines.characters(text, start + cut_at) - lines.characters(text, start);
        let begin = if gone.is_empty() { "" } else { CUT };
        let (before, inside) = (
            begin.to_owned() + &readable::line(before),
            Self::cut(inside),
        );
        let span = before.len()..before.len() + inside.len();
        // If the underlined part is cut, nothing after it is shown.
        let after = if inside.ends_with(CUT) {
            String::new()
        } else {
            Self::cut(after)
        };
        Some(Self {
            text: before + &inside + &after,
            line,
            left_out,
            span,
        })
    }

    /// Returns the beginning of a part of a line, made printable.
    fn cut(text: &str) -> String {
        let (near, gone) = text.split_at(readable::boundary(text, NEAR));
        let end = if gone.is_empty() { "" } else { CUT };
        readable::line(near) + end
    }

    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        Snippet::source(self.text.as_str())
            .line_start(self.line)
            .annotation(AnnotationKind::Primary.span(self.span.clone()))
    }
}

impl Finding {
    /// Creates a finding about a whole file, or about no file.
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

    /// Adds a note to the finding.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Makes the finding a warning: the command goes on without the affected part.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Makes the finding one that asks for nothing.
    #[must_use]
    pub fn informative(mut self) -> Self {
        self.severity = Severity::Note;
        self
    }

    /// Makes the finding an error: the command stops.
    #[must_use]
    pub fn error(mut self) -> Self {
        self.severity = Severity::Error;
        self
    }

    /// Renders the finding in the style of the compiler.
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
            Severity::Note => Level::NOTE,
        };
        let title = level
            .primary_title(readable::lines(&self.message))
            .id(self.rule);
        let mut group: Group<'_> = match &self.excerpt {
            None => title.element(Origin::path(file.as_str())),
            Some(excerpt) if excerpt.left_out == 0 => {
                title.element(excerpt.snippet().path(file.as_str()))
            }
            // The renderer cannot know the column if the beginning of the line is cut.
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

/// Returns the name in `known` that `name` was probably meant to be.
pub fn near<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// The reason why a command stops, which decides its exit code: 2 if an input could not be read, 1 if it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentError {
    /// An input could not be read.
    Unreadable(Vec<Finding>),
    /// The inputs were read, and have these problems.
    Findings(Vec<Finding>),
}

impl DocumentError {
    /// Creates the error of a file that cannot be read.
    pub fn unreadable(file: impl Into<String>, message: String, help: &str) -> Self {
        let finding = Finding::about("unreadable-file", file, message, help);
        Self::Unreadable(vec![finding])
    }

    /// Returns all findings.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Unreadable(findings) | Self::Findings(findings) => findings,
        }
    }

    /// Returns the findings of a severity.
    pub fn of(&self, severity: Severity) -> Vec<Finding> {
        let findings = self.findings().iter();
        findings
            .filter(|finding| finding.severity == severity)
            .cloned()
            .collect()
    }

    /// Replaces the findings.
    #[must_use]
    pub fn only(self, findings: Vec<Finding>) -> Self {
        match self {
            Self::Unreadable(_) => Self::Unreadable(findings),
            Self::Findings(_) => Self::Findings(findings),
        }
    }

    /// Changes each finding.
    #[must_use]
    pub fn map(self, change: impl FnMut(Finding) -> Finding) -> Self {
        let changed = self.findings().iter().cloned().map(change).collect();
        self.only(changed)
    }

    /// Puts earlier findings before these.
    #[must_use]
    pub fn after(self, earlier: &[Finding]) -> Self {
        let all = [earlier, self.findings()].concat();
        self.only(all)
    }

    /// Returns `Ok` if there are no findings.
    pub fn unless_empty(findings: Vec<Finding>) -> Result<(), Self> {
        if findings.is_empty() {
            Ok(())
        } else {
            Err(Self::Findings(findings))
        }
    }

    /// Renders the findings one below the other, and the number of omitted ones.
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

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain()))
    }
}

impl std::error::Error for DocumentError {}

/// Removes duplicate findings.
pub fn distinct(mut findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = HashSet::new();
    findings.retain(|finding| {
        let (file, pointer) = (finding.file.clone(), finding.pointer.clone());
        seen.insert((finding.rule, file, pointer, finding.message.clone()))
    });
    findings
}
