//! Locations in files, as findings show them.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Snippet};

use crate::readable;

/// Bytes shown of a location, and of its line on either side. A document may be one line.
const NEAR: usize = 200;

/// Replaces the omitted part of a line.
pub(crate) const CUT: &str = "…";

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

    pub(crate) fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        Snippet::source(self.text.as_str())
            .line_start(self.line)
            .annotation(AnnotationKind::Primary.span(self.span.clone()))
    }
}
