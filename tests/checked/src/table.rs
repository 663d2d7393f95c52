//! Result of a run as a table.

use std::fmt;

/// Result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A row for each operation.
    pub rows: Vec<Row>,
}

/// Result of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The operation.
    pub operation: String,
    /// Number of requests sent.
    pub sent: usize,
    /// Number of requests that the client or the service refused.
    pub refused: usize,
    /// Number of requests that arrived with other values.
    pub different: usize,
    /// Number of responses decoded: documented examples, and the states of their schemas.
    pub read: usize,
    /// Number of responses that were serialized differently.
    pub changed: usize,
    /// Number of lists of which every record arrived once, with one call for each page.
    pub lists: usize,
    /// Number of lists that failed this.
    pub lost: usize,
    /// Descriptions of these defects.
    pub defects: Vec<String>,
    /// Checks that the document made impossible.
    pub notes: Vec<String>,
}

impl Report {
    /// Returns whether there are no defects.
    pub fn is_clean(&self) -> bool {
        self.rows.iter().all(|row| row.defects.is_empty())
    }

    /// Returns the sums of all rows.
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

    /// Returns the defects, at most this many of each operation.
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
