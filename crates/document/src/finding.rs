//! The report of every check: the rule, the location, the problem, and the next step.
//! A finding never edits anything, and findings come in lists: a run shows all of them at once.

use std::collections::HashSet;
use std::fmt;

use annotate_snippets::{Group, Level, Origin, Renderer};

use serde::{Serialize, Serializer};

use crate::excerpt::CUT;
pub use crate::excerpt::Excerpt;
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

/// Maximum number of findings rendered per command. A document may have a hundred thousand.
const MOST_RENDERED: usize = 1_000;

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

    /// Adds a note with the name in `known` that `name` was probably meant to be, if there is one.
    #[must_use]
    pub fn suggest<'k>(self, name: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        match near(name, known) {
            Some(near) => self.note(format!("did you mean `{near}`?")),
            None => self,
        }
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
