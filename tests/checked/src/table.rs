//! What a run found, as people read it.

use std::fmt;

/// What a run found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A row for each operation.
    pub rows: Vec<Row>,
}

/// What was found of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The operation.
    pub operation: String,
    /// Requests that were made.
    pub sent: usize,
    /// Requests that the client or the service refused.
    pub refused: usize,
    /// Requests that arrived as others than they were meant.
    pub different: usize,
    /// Responses that were read: documented examples, and the states of their schemas.
    pub read: usize,
    /// Responses that are not written as they were read.
    pub changed: usize,
    /// Lists of which every record came once, by a call for each page.
    pub lists: usize,
    /// Lists of which it did not.
    pub lost: usize,
    /// What is wrong with each of those.
    pub defects: Vec<String>,
    /// What could not be checked because of the document.
    pub notes: Vec<String>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.rows.iter().all(|row| row.defects.is_empty())
    }

    /// The sums of all rows.
    pub fn total(&self) -> Row {
        let sum = |of: fn(&Row) -> usize| self.rows.iter().map(of).sum();
        Row {
            operation: format!("{} operations", self.rows.len()),
            sent: sum(|row| row.sent),
            refused: sum(|row| row.refused),
            different: sum(|row| row.different),
            read: sum(|row| row.read),
            changed: sum(|row| row.changed),
            lists: sum(|row| row.lists),
            lost: sum(|row| row.lost),
            ..Row::default()
        }
    }

    /// The defects, at most this many of each operation.
    pub fn defects(&self, most: usize) -> impl Iterator<Item = String> {
        let rows = self.rows.iter();
        rows.flat_map(move |row| {
            let defects = row.defects.iter().take(most);
            defects.map(|defect| format!("{}: {defect}", row.operation))
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| operation | sent | refused | different | read | changed | lists | lost |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|")?;
        for row in self.rows.iter().chain([&self.total()]) {
            let Row {
                operation,
                sent,
                refused,
                different,
                read,
                changed,
                lists,
                lost,
                ..
            } = row;
            writeln!(
                f,
                "| {operation} | {sent} | {refused} | {different} | {read} | {changed} | {lists} | {lost} |"
            )?;
        }
        Ok(())
    }
}
