//! Faults between a client and a service that bills, over local sockets. `faults.md` is the specification: its rows are read,
//! played and compared, for single calls, pages and waiting. `moments` has the faults that fit no row.

mod calls;
mod fault;
mod moments;
mod paging;
mod secrets;
mod server;
mod waiting;

/// Returns the cells of the table below a heading, row by row.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let specification = include_str!("faults.md");
    let sections = specification.split("\n## ");
    let section = sections
        .into_iter()
        .find(|section| section.starts_with(heading));
    let lines = section
        .unwrap()
        .lines()
        .filter(|line| line.starts_with('|'));
    lines
        // The column names, and the line below them.
        .skip(2)
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        })
        .collect()
}
