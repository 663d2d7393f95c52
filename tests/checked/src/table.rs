//! Result of a run as a table.

use std::fmt;

/// Result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// A row for each operation.
    pub rows: Vec<Row>,
    /// A row for each type.
    pub types: Vec<Row>,
}

/// Result of one operation, or of one type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The operation, or the type.
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
        let mut all = self.rows.iter().chain(&self.types);
        all.all(|row| row.defects.is_empty())
    }

    /// Returns the sums of all operations.
    pub fn total(&self) -> Row {
        sum(&self.rows, "operations")
    }

    /// Returns the sums of all types.
    pub fn of_types(&self) -> Row {
        sum(&self.types, "types")
    }

    /// Returns the defects, at most this many of each row.
    pub fn defects(&self, most: usize) -> impl Iterator<Item = String> {
        let rows = self.rows.iter().chain(&self.types);
        rows.flat_map(move |row| {
            let defects = row.defects.iter().take(most);
            defects.map(|defect| format!("{}: {defect}", row.operation))
        })
    }
}

/// Returns the sums of rows.
fn sum(rows: &[Row], what: &str) -> Row {
    let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum();
    Row {
        operation: format!("{} {what}", rows.len()),
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

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| operation | sent | refused | different | read | changed | lists | lost |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|")?;
        let types = self.types.iter().filter(|row| row.changed > 0);
        let sums = [self.total(), self.of_types()];
        for row in self.rows.iter().chain(types).chain(&sums) {
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
