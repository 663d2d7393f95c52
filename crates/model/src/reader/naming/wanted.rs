//! Names for the types without a name in the document.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::schemas::{Inline, RESERVED};
use crate::Model;
use crate::names;

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

/// Names the first schema of each class.
pub(super) fn names(
    model: &Model,
    inline: &HashMap<String, Inline>,
    classes: &HashMap<String, String>,
) -> Names {
    let mut namer = Namer {
        classes,
        members: members(model, inline, classes),
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
    let firsts: Vec<String> = namer.members.keys().cloned().collect();
    for first in firsts {
        namer.name(&first);
    }
    namer.names
}

/// One of the schemas of a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    /// True if nothing around it has a name in the document.
    is_of_operation: bool,
    /// The length of the name that it wants, which comes before the name itself.
    length: usize,
    /// The whole name that it wants.
    wanted: String,
    /// The type that has it, by the name that it has until now.
    owner: Option<String>,
    /// Its name within its owner.
    tail: String,
    title: Option<String>,
}

/// The schemas of each class, the one that names it first.
fn members(
    model: &Model,
    inline: &HashMap<String, Inline>,
    classes: &HashMap<String, String>,
) -> BTreeMap<String, Vec<Member>> {
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
    let operations: Vec<&str> = {
        let mut all: Vec<&str> = model.operations.iter().map(|one| &*one.type_name).collect();
        all.sort_by_key(|name| std::cmp::Reverse(name.len()));
        all
    };
    let mut found: BTreeMap<String, Vec<Member>> = BTreeMap::new();
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
            is_of_operation: operation.is_some(),
            length: own.wanted.len(),
            wanted: own.wanted.clone(),
            owner: owner.map(str::to_owned),
            tail: tail.unwrap_or(&own.wanted).to_owned(),
            title: own
                .title
                .clone()
                .filter(|title| !title.starts_with("Response ")),
        };
        let first = classes.get(&schema.name).unwrap_or(&schema.name);
        found.entry(first.clone()).or_default().push(member);
    }
    for members in found.values_mut() {
        members.sort();
    }
    found
}

struct Namer<'c> {
    classes: &'c HashMap<String, String>,
    members: BTreeMap<String, Vec<Member>>,
    taken: HashSet<String>,
    names: Names,
    /// Those whose names are independent of their owners.
    claimed: HashSet<String>,
    /// The types that are being named, which may refer back to themselves.
    reading: HashSet<String>,
    /// How many types of one beginning end like this.
    ends: HashMap<(String, String), usize>,
}

impl Namer<'_> {
    /// Gives the names that are independent of the owners: titles, and the common name of equal types of several owners. If several types
    /// want a name, the one at the most places gets it.
    fn claim(&mut self) {
        let mut claims: BTreeMap<String, Vec<(usize, &String)>> = BTreeMap::new();
        for (first, members) in &self.members {
            if let Some(wanted) = claimed(members) {
                let claim = (members.len(), first);
                claims.entry(wanted).or_default().push(claim);
            }
        }
        for (wanted, mut all) in claims {
            all.sort_by(|(a, one), (b, other)| b.cmp(a).then(one.cmp(other)));
            if let (Some((_, first)), true) = (all.first(), !self.taken.contains(&wanted)) {
                self.taken.insert(wanted.clone());
                self.claimed.insert((*first).clone());
                self.names.of.insert((*first).clone(), wanted);
            }
        }
    }

    /// The type that begins the name of a class, and the ends after it, the last first.
    fn chain(&self, first: &str) -> (String, Vec<String>) {
        let mut ends = Vec::new();
        let mut at = first.to_owned();
        for _ in 0..LONGEST {
            let member = self.members.get(&at).and_then(|members| members.first());
            let Some(member) = member.filter(|_| at == first || !self.claimed.contains(&at)) else {
                break;
            };
            ends.push(member.tail.clone());
            match &member.owner {
                Some(owner) => at = self.classes.get(owner).unwrap_or(owner).clone(),
                None => {
                    let start = member.wanted.strip_suffix(member.tail.as_str());
                    return (start.unwrap_or_default().to_owned(), ends);
                }
            }
        }
        (self.names.of.get(&at).cloned().unwrap_or(at), ends)
    }

    fn count_ends(&mut self) {
        let firsts: Vec<&String> = self.members.keys().collect();
        let mut ends = HashMap::new();
        for first in firsts {
            let (start, parts) = self.chain(first);
            let mut end = String::new();
            for part in parts {
                end.insert_str(0, &part);
                *ends.entry((start.clone(), end.clone())).or_insert(0) += 1;
            }
        }
        self.ends = ends;
    }

    fn name(&mut self, first: &str) -> String {
        if let Some(known) = self.names.of.get(first) {
            return known.clone();
        }
        let member = self.members.get(first).and_then(|members| members.first());
        let Some(member) = member.cloned() else {
            return first.to_owned();
        };
        if !self.reading.insert(first.to_owned()) {
            return member.wanted;
        }
        let whole = match &member.owner {
            Some(owner) => {
                let owner = self.classes.get(owner).unwrap_or(owner).clone();
                format!("{}{}", self.name(&owner), member.tail)
            }
            None => member.wanted.clone(),
        };
        let wanted = if whole.len() > LONGEST {
            self.short(first).unwrap_or(whole)
        } else {
            whole
        };
        let mut name = wanted.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        if name != wanted {
            self.names.numbered.push((first.to_owned(), wanted));
        }
        self.taken.insert(name.clone());
        self.names.of.insert(first.to_owned(), name.clone());
        name
    }

    /// The beginning of a name with as much of its end as no other type of this beginning has.
    fn short(&self, first: &str) -> Option<String> {
        let (start, parts) = self.chain(first);
        let mut end = String::new();
        parts.into_iter().find_map(|part| {
            end.insert_str(0, &part);
            let count = self.ends.get(&(start.clone(), end.clone()));
            let name = format!("{start}{end}");
            (count == Some(&1) && !self.taken.contains(&name)).then_some(name)
        })
    }
}

/// The name that a class wants for itself, without that of an owner.
fn claimed(members: &[Member]) -> Option<String> {
    let first = members.first()?;
    let title = members.iter().find_map(|member| title(member, first));
    let owners: HashSet<&Option<String>> = members.iter().map(|member| &member.owner).collect();
    let is_one = members.iter().all(|member| member.tail == first.tail);
    let shared = (owners.len() > 1 || members.len() > 1 && first.owner.is_none()) && is_one;
    let wanted = title.or_else(|| Some(first.tail.clone()).filter(|_| shared))?;
    let is_name = !COMMON.contains(&wanted.as_str())
        && names::pascal(&wanted) == wanted
        && wanted.chars().any(char::is_lowercase)
        && !wanted
            .starts_with(|c: char| c == 'X' && wanted.chars().nth(1).is_some_and(char::is_numeric));
    is_name.then_some(wanted)
}

/// Returns the title, if it adds a word to the place.
fn title(member: &Member, first: &Member) -> Option<String> {
    let text = member.title.as_deref()?.trim();
    let name = names::pascal(text);
    let is_short = text.len() <= LONGEST_TITLE && text.split_whitespace().count() <= 4;
    let says_more = !first.tail.ends_with(&name) && text.is_ascii() && name != "Empty";
    (is_short && says_more).then_some(name)
}
