//! Edits of a source file that keep the form of the rest.

use std::ops::Range;

/// Parts of a text, and what replaces each.
pub(super) struct Edits<'t> {
    text: &'t str,
    all: Vec<(Range<usize>, String)>,
}

impl<'t> Edits<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            all: Vec::new(),
        }
    }

    /// Replaces a part.
    pub(super) fn replace(&mut self, part: Range<usize>, text: String) {
        self.all.push((part, text));
    }

    /// Removes a part with its lines, whatever was to be edited in it.
    pub(super) fn remove(&mut self, part: Range<usize>) {
        let part = self.lines(part);
        self.all.retain(|(other, _)| !part.contains(&other.start));
        self.all.push((part, String::new()));
    }

    /// Extends a part to its separator and to whole lines, with the comment above it.
    fn lines(&self, part: Range<usize>) -> Range<usize> {
        let before = self.text.get(..part.start).unwrap_or_default();
        let after = self.text.get(part.end..).unwrap_or_default();
        let after = after.strip_prefix(',').unwrap_or(after);
        let mut start = before.rfind('\n').map_or(0, |last| last + 1);
        let line = after.split_inclusive('\n').next().unwrap_or_default();
        let beside = before.get(start..).unwrap_or_default();
        let end = self.text.len() - after.len();
        if !beside.trim().is_empty() || !line.trim().is_empty() {
            return part.start..end;
        }
        while let Some(above) = before.get(..start).and_then(|text| text.lines().last())
            && above.trim_start().starts_with("// ")
        {
            start -= above.len() + 1;
        }
        start..end + line.len()
    }

    /// Returns the text with all edits. One blank line is left between two parts, and none at the ends of a block.
    pub(super) fn apply(mut self) -> String {
        self.all.sort_by_key(|(part, _)| part.start);
        let mut all = String::new();
        let mut end = 0;
        for (part, replacement) in self.all {
            all.push_str(self.text.get(end..part.start).unwrap_or_default());
            all.push_str(&replacement);
            end = end.max(part.end);
            let rest = self.text.get(end..).unwrap_or_default();
            let is_apart = all.is_empty() || all.ends_with("\n\n") || all.ends_with("{\n");
            if is_apart && rest.starts_with('\n') {
                end += 1;
            } else if all.ends_with("\n\n") && rest.trim_start().starts_with('}') {
                all.pop();
            }
        }
        all.push_str(self.text.get(end..).unwrap_or_default());
        format!("{}\n", all.trim_end())
    }
}
