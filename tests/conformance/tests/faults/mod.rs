//! What goes wrong between a client and a service that bills, over sockets of this machine. `faults.md` is the specification: its rows are
//! read, played and compared, for single calls, for pages and for waiting. What has no place in a row follows: moments, and a storm.

mod calls;
mod fault;
mod moments;
mod paging;
mod secrets;
mod server;
mod storm;
mod waiting;

/// The cells of the table below a heading, row by row.
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
        // The names of the columns, and the line below them.
        .skip(2)
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        })
        .collect()
}
