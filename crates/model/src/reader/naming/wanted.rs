//! Names for the types without a name in the document.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::schemas::{Inline, RESERVED};
use crate::{Model, names};

/// A longer name keeps its beginning, and enough of its end to be distinct.
const LONGEST: usize = 40;

/// A longer title is a sentence.
const LONGEST_TITLE: usize = 40;

/// Types that are in scope everywhere.
const COMMON: [&str; 8] = [
    "Box", "Default", "Option", "Result", "Self_", "String", "Value", "Vec",
];

/// The names of types.
pub(super) struct Names {
    /// By the names that they have until now.
    pub(super) of: HashMap<String, String>,
    /// Those that have a number, with the names that they would have had.
    pub(super) numbered: Vec<(String, String)>,
}

/// Names the schemas without a name.
pub(super) fn names(model: &Model, inline: &HashMap<String, Inline>) -> Names {
    let mut namer = Namer {
        members: members(model, inline),
        taken: RESERVED.iter().map(|name| (*name).to_owned()).collect(),
        names: Names {
            of: HashMap::new(),
            numbered: Vec::new(),
        },
        claimed: HashSet::new(),
        reading: HashSet::new(),
        ends: HashMap::new(),
    };
    let given = model
        .schemas
        .iter()
        .filter(|one| !inline.contains_key(&one.name));
    namer.taken.extend(given.map(|schema| schema.name.clone()));
    namer.claim();
    namer.count_ends();
    let all: Vec<String> = namer.members.keys().cloned().collect();
    for until_now in all {
        namer.name(&until_now);
    }
    namer.names
}

/// A schema without a name.
#[derive(Clone)]
struct Member {
    /// The whole name that it wants.
    wanted: String,
    /// The type that has it, by the name that it has until now.
    owner: Option<String>,
    /// Its name within its owner.
    tail: String,
    title: Option<String>,
}

/// The schemas without a name, by the names that they have until now.
fn members(model: &Model, inline: &HashMap<String, Inline>) -> BTreeMap<String, Member> {
    // The type that has another one in it: the name of what is inside begins with its name.
    let mut owners: HashMap<&str, &str> = HashMap::new();
    for schema in &model.schemas {
        for inside in schema.place.references() {
            let wanted = inline.get(inside).map_or("", |one| &one.wanted);
            let known = owners.get(inside).map_or(0, |known| known.len());
            if wanted.starts_with(&schema.name)
                && schema.name.len() > known
                && wanted != schema.name
            {
                owners.insert(inside, &schema.name);
            }
        }
    }
    let operations = model.operations.iter();
    let mut operations: Vec<&str> = operations.map(|one| &*one.type_name).collect();
    operations.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut found = BTreeMap::new();
    for schema in &model.schemas {
        let Some(own) = inline.get(&schema.name) else {
            continue;
        };
        let owner = owners.get(schema.name.as_str()).copied();
        let mut top = schema.name.as_str();
        for _ in 0..LONGEST {
            match owners.get(top) {
                Some(above) => top = above,
                None => break,
            }
        }
        let root = inline.get(top).map(|one| one.wanted.as_str());
        let operation =
            root.and_then(|root| operations.iter().find(|name| root.starts_with(**name)));
        let tail = match (owner, operation) {
            (Some(owner), _) => own.wanted.strip_prefix(owner),
            (None, Some(operation)) => own.wanted.strip_prefix(*operation),
            (None, None) => None,
        };
        let member = Member {
            wanted: own.wanted.clone(),
            owner: owner.map(str::to_owned),
            tail: tail.unwrap_or(&own.wanted).to_owned(),
            title: own
                .title
                .clone()
                .filter(|title| !title.starts_with("Response ")),
        };
        found.insert(schema.name.clone(), member);
    }
    found
}

struct Namer {
    members: BTreeMap<String, Member>,
    taken: HashSet<String>,
    names: Names,
    /// Those whose names are independent of their owners.
    claimed: HashSet<String>,
    /// The types that are being named, which may refer back to themselves.
    reading: HashSet<String>,
    /// How many types of one beginning end like this.
    ends: HashMap<(String, String), usize>,
}

impl Namer {
    /// Gives titles, which are independent of the owners.
    fn claim(&mut self) {
        for (until_now, member) in &self.members {
            let wanted = title(member).filter(|wanted| self.taken.insert(wanted.clone()));
            if let Some(wanted) = wanted {
                self.claimed.insert(until_now.clone());
                self.names.of.insert(until_now.clone(), wanted);
            }
        }
    }

    /// The type that begins the name of another one, and the ends after it, the last first.
    fn chain(&self, until_now: &str) -> (String, Vec<String>) {
        let mut ends = Vec::new();
        let mut at = until_now.to_owned();
        for _ in 0..LONGEST {
            let member = self.members.get(&at);
            let Some(member) = member.filter(|_| at == until_now || !self.claimed.contains(&at))
            else {
                break;
            };
            ends.push(member.tail.clone());
            match &member.owner {
                Some(owner) => at = owner.clone(),
                None => {
                    let start = member.wanted.strip_suffix(member.tail.as_str());
                    return (start.unwrap_or_default().to_owned(), ends);
                }
            }
        }
        (self.names.of.get(&at).cloned().unwrap_or(at), ends)
    }

    fn count_ends(&mut self) {
        let mut ends = HashMap::new();
        for until_now in self.members.keys() {
            let (start, parts) = self.chain(until_now);
            let mut end = String::new();
            for part in parts {
                end.insert_str(0, &part);
                *ends.entry((start.clone(), end.clone())).or_insert(0) += 1;
            }
        }
        self.ends = ends;
    }

    fn name(&mut self, until_now: &str) -> String {
        if let Some(known) = self.names.of.get(until_now) {
            return known.clone();
        }
        let Some(member) = self.members.get(until_now).cloned() else {
            return until_now.to_owned();
        };
        if !self.reading.insert(until_now.to_owned()) {
            return member.wanted;
        }
        let whole = match &member.owner {
            Some(owner) => format!("{}{}", self.name(owner), member.tail),
            None => member.wanted.clone(),
        };
        let wanted = if whole.len() > LONGEST {
            self.short(until_now).unwrap_or(whole)
        } else {
            whole
        };
        let name = names::unique(&wanted, |name| self.taken.insert(name.to_owned()));
        if name != wanted {
            self.names.numbered.push((until_now.to_owned(), wanted));
        }
        self.names.of.insert(until_now.to_owned(), name.clone());
        name
    }

    /// The beginning of a name with as much of its end as no other type of this beginning has.
    fn short(&self, until_now: &str) -> Option<String> {
        let (start, parts) = self.chain(until_now);
        // An end alone says too little: `Type`, or `2`.
        if start.is_empty() {
            return None;
        }
        let mut end = String::new();
        parts.into_iter().find_map(|part| {
            end.insert_str(0, &part);
            let count = self.ends.get(&(start.clone(), end.clone()));
            let name = format!("{start}{end}");
            (count == Some(&1) && !self.taken.contains(&name)).then_some(name)
        })
    }
}

/// Returns the title as a name of a type, if it adds a word to the place.
fn title(member: &Member) -> Option<String> {
    let text = member.title.as_deref()?.trim();
    let name = names::pascal(text);
    let is_short = text.len() <= LONGEST_TITLE && text.split_whitespace().count() <= 4;
    let says_more = !member.tail.ends_with(&name) && text.is_ascii() && name != "Empty";
    let mut letters = name.chars();
    let is_number = letters.next() == Some('X') && letters.next().is_some_and(char::is_numeric);
    let is_name = !COMMON.contains(&name.as_str())
        && names::pascal(&name) == name
        && name.chars().any(char::is_lowercase)
        && !is_number;
    (is_short && says_more && is_name).then_some(name)
}
