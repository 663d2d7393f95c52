//! The changelog of a release: one entry for its version, with all that changed since the last one.

/// The suffix of a version that is not released.
const UNRELEASED: &str = ", unreleased";
/// The suffix of a version that was never released.
const NEVER: &str = ", never released";
/// The prefix of an entry.
const HEADING: &str = "## ";

/// Completes the changelog: its first entry, if that is unreleased, becomes that of this version, and gets the lines of `new` that no
/// unreleased entry has. Otherwise the entry `new` is added. Lower entries that are unreleased are marked as never released.
pub(super) fn completed(changelog: &str, version: &str, is_released: bool, new: &str) -> String {
    let heading = if is_released {
        format!("{HEADING}{version}\n")
    } else {
        format!("{HEADING}{version}{UNRELEASED}\n")
    };
    let (head, entries) = split(changelog);
    let mut entries = entries.into_iter().peekable();
    let is_open = |entry: &str| first_line(entry).ends_with(UNRELEASED);
    let mut first = match entries.peek() {
        Some(entry) if is_open(entry) || first_line(entry) == format!("{HEADING}{version}") => {
            let body = entry.split_once('\n').map_or("", |(_, body)| body);
            let body = body.to_owned();
            entries.next();
            body
        }
        _ => String::new(),
    };
    let rest: Vec<String> = entries
        .map(|entry| {
            let marked = format!("{}{NEVER}", first_line(entry).trim_end_matches(UNRELEASED));
            if is_open(entry) {
                entry.replacen(first_line(entry), &marked, 1)
            } else {
                entry.to_owned()
            }
        })
        .collect();
    let known: String = first.clone()
        + &rest
            .iter()
            .filter(|entry| first_line(entry).ends_with(NEVER))
            .cloned()
            .collect::<String>();
    for (title, lines) in missing(new, &known) {
        first = with_lines(&first, title, &lines);
    }
    if rest.is_empty() {
        first = first.trim_end().to_owned() + "\n";
    } else if !first.ends_with("\n\n") {
        first.push('\n');
    }
    let gap = match head {
        "" => "",
        head if head.ends_with("\n\n") => "",
        head if head.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{head}{gap}{heading}{first}{}", rest.concat())
}

/// The entry of a version, without its heading.
pub(super) fn body<'c>(changelog: &'c str, version: &str) -> &'c str {
    let (_, entries) = split(changelog);
    let heading = format!("{HEADING}{version}");
    let entry = entries.into_iter().find(|entry| {
        let first = first_line(entry);
        first == heading
            || first
                .strip_prefix(&heading)
                .is_some_and(|rest| rest.starts_with(','))
    });
    let body = entry.and_then(|entry| entry.split_once('\n'));
    body.map_or("", |(_, body)| body.trim())
}

/// Returns the introduction above the first entry, and the entries, each with its heading.
fn split(changelog: &str) -> (&str, Vec<&str>) {
    let starts: Vec<usize> = changelog
        .match_indices(HEADING)
        .map(|(at, _)| at)
        .filter(|at| {
            *at == 0
                || changelog
                    .get(..*at)
                    .is_some_and(|before| before.ends_with('\n'))
        })
        .collect();
    let ends = starts.iter().skip(1).copied().chain([changelog.len()]);
    let entries = starts
        .iter()
        .zip(ends)
        .filter_map(|(start, end)| changelog.get(*start..end));
    let head = starts.first().and_then(|first| changelog.get(..*first));
    (head.unwrap_or(changelog), entries.collect())
}

fn first_line(entry: &str) -> &str {
    entry.lines().next().unwrap_or_default()
}

/// The lines of an entry that are not known yet, by the title of their list; a paragraph has none.
fn missing<'e>(entry: &'e str, known: &str) -> Vec<(Option<&'e str>, Vec<&'e str>)> {
    let is_known = |line: &str| known.lines().any(|other| other == line);
    let mut lists: Vec<(Option<&str>, Vec<&str>)> = Vec::new();
    let mut title = None;
    let lines = entry.lines().filter(|line| !line.is_empty());
    for line in lines.filter(|line| !line.starts_with(HEADING)) {
        if line.ends_with(':') && !line.starts_with("- ") {
            title = Some(line);
        } else if !is_known(line) {
            match lists.last_mut() {
                Some((last, lines)) if *last == title => lines.push(line),
                _ => lists.push((title, vec![line])),
            }
        }
    }
    lists
}

/// The body of an entry with more lines: at the end of the list with this title, or else at the end of all.
fn with_lines(body: &str, title: Option<&str>, lines: &[&str]) -> String {
    let all: Vec<&str> = body.trim_end().lines().collect();
    let list = title.and_then(|title| all.iter().position(|line| *line == title));
    if let Some(list) = list {
        let is_item =
            |line: &&str| line.is_empty() || line.starts_with("- ") || line.starts_with(' ');
        let below = all.iter().skip(list + 1);
        let end = list + 1 + below.take_while(|line| is_item(line)).count();
        let (before, after) = all.split_at_checked(end).unwrap_or((&all, &[]));
        let before = before.join("\n");
        let gap = if after.is_empty() { "" } else { "\n" };
        return format!(
            "{}\n{}\n{gap}{}\n",
            before.trim_end(),
            lines.join("\n"),
            after.join("\n")
        )
        .trim_end()
        .to_owned()
            + "\n";
    }
    let title = title
        .map(|title| format!("{title}\n\n"))
        .unwrap_or_default();
    let gap = if all.is_empty() { "\n" } else { "\n\n" };
    format!("{}{gap}{title}{}\n", all.join("\n"), lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "## 0.2.0, unreleased\n\nNew:\n\n- One\n- Two\n";

    #[test]
    fn an_unreleased_entry_gets_the_version_and_what_it_lacks() {
        let before =
            "# Changelog\n\n## 0.1.1, unreleased\n\nMine.\n\nNew:\n\n- One\n\n## 0.1.0\n\n- A\n";
        assert_eq!(
            completed(before, "0.2.0", true, NEW),
            "# Changelog\n\n## 0.2.0\n\nMine.\n\nNew:\n\n- One\n- Two\n\n## 0.1.0\n\n- A\n"
        );
        let complete = "# Changelog\n\n## 0.2.0, unreleased\n\n- One\n- Two\n";
        assert_eq!(completed(complete, "0.2.0", false, NEW), complete);
        let released = completed(complete, "0.2.0", true, NEW);
        assert_eq!(released, complete.replace(", unreleased", ""));
        assert_eq!(completed(&released, "0.2.0", true, NEW), released);
    }

    #[test]
    fn a_changelog_without_an_open_entry_gets_one() {
        for (before, head) in [
            ("# Changelog\n\n## 0.1.0\n\n- A\n", "# Changelog\n\n"),
            ("# Changelog\n", "# Changelog\n\n"),
            ("", ""),
        ] {
            let after = completed(before, "0.2.0", true, NEW);
            let entry = format!("{head}## 0.2.0\n\nNew:\n\n- One\n- Two\n");
            assert!(after.starts_with(&entry), "{after}");
            assert!(after.ends_with(before.strip_prefix("# Changelog\n").unwrap_or(before)));
        }
    }

    #[test]
    fn versions_that_callers_never_got_say_so() {
        let before = "## 0.2.0, unreleased\n\n- One\n\n## 0.1.1, unreleased\n\n- Two\n\n## 0.1.0\n";
        assert_eq!(
            completed(before, "0.2.0", true, NEW),
            "## 0.2.0\n\n- One\n\n## 0.1.1, never released\n\n- Two\n\n## 0.1.0\n"
        );
    }

    #[test]
    fn the_body_of_a_version_is_that_of_no_other() {
        let changelog = "## 0.1.0, unreleased\n\n- One\n\n## 0.1.00\n\n- Two\n";
        assert_eq!(body(changelog, "0.1.0"), "- One");
        assert_eq!(body(changelog, "0.1.00"), "- Two");
        assert_eq!(body(changelog, "0.1"), "");
    }
}
