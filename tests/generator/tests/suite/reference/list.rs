//! The list of the reference: reads it, updates it for a document, and writes it with the lines of people unchanged.

use std::collections::BTreeSet;

/// The section of entries that a person has yet to find in the reference.
const UNKNOWN: &str = "?";

/// Names in a document: their owner, the names, and the aliases of each.
pub(super) struct Known {
    pub(super) owner: String,
    pub(super) names: Vec<(String, BTreeSet<String>)>,
    /// Names of the owner in the published document.
    pub(super) published: BTreeSet<String>,
    /// True if the published document has the owner.
    pub(super) is_published: bool,
}

/// A line: the section of the reference, the owner, and its names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    section: String,
    owner: String,
    names: Vec<String>,
}

/// Comments, and the parts with their entries, in the order of the file.
pub(super) struct List {
    head: String,
    parts: Vec<(String, Vec<Entry>)>,
}

impl Entry {
    pub(super) fn new(owner: String, names: Vec<String>) -> Self {
        Self {
            section: UNKNOWN.to_owned(),
            owner,
            names,
        }
    }
}

impl List {
    pub(super) fn parse(text: &str) -> Self {
        let (head, rest) = text.split_once('[').unwrap();
        let parts = rest.split("\n[").map(|part| {
            let (title, lines) = part.split_once("]\n").unwrap();
            let lines = lines.lines().filter_map(|line| line.split_once(' '));
            let entries = lines.map(|(section, entry)| {
                let (owner, names) = entry.split_once(':').unwrap();
                let names = names.split_whitespace().map(str::to_owned).collect();
                Entry {
                    section: section.to_owned(),
                    ..Entry::new(owner.to_owned(), names)
                }
            });
            (title.to_owned(), entries.collect())
        });
        Self {
            head: head.to_owned(),
            parts: parts.collect(),
        }
    }

    fn part(&mut self, title: &str) -> &mut Vec<Entry> {
        let part = self.parts.iter_mut().find(|(known, _)| known == title);
        &mut part.unwrap().1
    }

    /// Removes the names that the document no longer has, and adds those that are published and not listed.
    pub(super) fn bring_up(&mut self, title: &str, known: Vec<Known>) {
        let entries = self.part(title);
        let gone: Vec<Entry> = entries
            .iter()
            .filter(|entry| known.iter().all(|one| one.owner != entry.owner))
            .cloned()
            .collect();
        entries.retain(|entry| !gone.contains(entry));
        for one in known {
            let is_there = |name: &String| {
                let mut names = one.names.iter();
                names.any(|(own, others)| own == name || others.contains(name))
            };
            let mut listed = BTreeSet::new();
            for entry in entries.iter_mut().filter(|entry| entry.owner == one.owner) {
                entry.names.retain(is_there);
                listed.extend(entry.names.clone());
            }
            let new = one.names.iter().filter(|(name, others)| {
                let is_listed = listed.contains(name) || !others.is_disjoint(&listed);
                one.published.contains(name) && !is_listed
            });
            let new: Vec<String> = new.map(|(name, _)| name.clone()).collect();
            match entries.iter_mut().find(|entry| entry.owner == one.owner) {
                Some(entry) => entry.names.extend(new),
                None if one.is_published => {
                    // A renamed entry stays in its section.
                    let shared = |entry: &&Entry| {
                        let shared = entry.names.iter().filter(|name| new.contains(name));
                        shared.count() * 2 > new.len()
                    };
                    let before = gone.iter().find(shared);
                    entries.push(Entry {
                        section: before.map_or(UNKNOWN, |entry| &entry.section).to_owned(),
                        ..Entry::new(one.owner, new)
                    });
                }
                None => {}
            }
        }
        // A line without names means that an operation takes none.
        entries.retain(|entry| !entry.names.is_empty() || title == "parameters");
    }

    /// Replaces the entries with the current ones, and adds published ones.
    pub(super) fn replace(&mut self, title: &str, now: Vec<(bool, Entry)>) {
        let entries = self.part(title);
        entries.retain_mut(|entry| {
            let found = now.iter().find(|(_, one)| one.owner == entry.owner);
            if let Some((_, found)) = found {
                entry.names.clone_from(&found.names);
            }
            found.is_some()
        });
        for (is_published, one) in now {
            let is_listed = entries.iter().any(|entry| entry.owner == one.owner);
            if is_published && !is_listed {
                entries.push(one);
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text = self.head.clone();
        for (index, (title, entries)) in self.parts.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text += &format!("[{title}]\n");
            for entry in entries {
                let Entry {
                    section,
                    owner,
                    names,
                } = entry;
                let line = format!("{section} {owner}: {}", names.join(" "));
                text += line.trim_end();
                text.push('\n');
            }
        }
        text
    }
}

/// Returns a list with one part of fields.
fn list(lines: &str) -> List {
    List::parse(&format!("# Comment.\n\n[fields]\n{lines}"))
}

/// Returns an owner with these names, some of which the published document has.
fn known(owner: &str, names: &[(&str, &[&str])], published: &[&str]) -> Known {
    let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
    let names = names.iter();
    Known {
        owner: owner.to_owned(),
        names: names
            .map(|(name, others)| ((*name).to_owned(), owned(others)))
            .collect(),
        published: owned(published),
        is_published: !published.is_empty(),
    }
}

#[test]
fn what_is_published_is_added_and_what_is_gone_is_left_out() {
    let mut list = list("2.1 Thing: id old also\n2.2 Gone: a\n");
    let names: &[(&str, &[&str])] = &[("id", &[]), ("own", &["also"]), ("new", &[]), ("ours", &[])];
    list.bring_up(
        "fields",
        vec![
            known("Thing", names, &["id", "new", "also"]),
            known("Other", &[("b", &[])], &["b"]),
            known("Added", &[("c", &[])], &[]),
        ],
    );
    let expected = "# Comment.\n\n[fields]\n2.1 Thing: id also new\n? Other: b\n";
    assert_eq!(list.text(), expected);
}

#[test]
fn a_schema_under_another_name_stays_in_its_section() {
    let mut list = list("2.1 Thing: id name\n");
    let names: &[(&str, &[&str])] = &[("id", &[]), ("name", &[])];
    list.bring_up("fields", vec![known("Item", names, &["id", "name"])]);
    assert!(
        list.text().ends_with("\n2.1 Item: id name\n"),
        "{}",
        list.text()
    );
}
