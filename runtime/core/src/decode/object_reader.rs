//! The members of an object, read one after the other: by their names, in any order, and under other names.

use std::borrow::Cow;

use super::allowance::draw_element;
use super::failure::Failure;
use super::reader::Reader;
use crate::document::shape::{Property, Shape};

/// The index of a member that the document does not name.
pub const OTHER: usize = usize::MAX;

/// The members that were read, one bit for each.
#[derive(Default)]
struct Bits {
    first: u64,
    more: Vec<u64>,
}

impl Bits {
    #[inline]
    fn set(&mut self, index: usize) {
        if index < 64 {
            self.first |= 1 << index;
            return;
        }
        let word = index / 64 - 1;
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        if let Some(bits) = self.more.get_mut(word) {
            *bits |= 1 << (index % 64);
        }
    }

    #[inline]
    fn has(&self, index: usize) -> bool {
        let bits = if index < 64 {
            self.first
        } else {
            self.more.get(index / 64 - 1).copied().unwrap_or_default()
        };
        bits >> (index % 64) & 1 == 1
    }
}

/// The name of a member that is next.
enum Name<'b> {
    /// The one at this index.
    Expected(usize),
    Read(Cow<'b, str>),
}

/// Reads the members of an object, for generated code: `each` reads the value of the member that is next, by its index or [`OTHER`] and its
/// name. Members with other names are skipped, unless the shape has them. `needs` are the members of which a response has at least one.
///
/// Returns the index of the byte where the object begins.
///
/// # Errors
///
/// Those of `each`, for anything but an object, and for an object that has none of the members that it needs.
pub fn read_members(
    reader: &mut Reader<'_>,
    shape: &'static Shape,
    needs: &'static [usize],
    each: &mut dyn FnMut(usize, &str, &mut Reader<'_>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let mut members = ObjectReader::begin(reader, shape, needs)?;
    while let Some(index) = members.next(reader)? {
        each(index, &members.name, reader)?;
    }
    Ok(members.start)
}

/// The members of an object that is read.
struct ObjectReader<'b> {
    properties: &'static [Property],
    has_others: bool,
    /// The members of which a response has at least one.
    needs: &'static [usize],
    start: usize,
    is_first: bool,
    /// The index of the member that is next in the document.
    next: usize,
    /// The member whose value is read now.
    current: Option<Current>,
    read: Bits,
    /// The members with several names, which are read after the others: the last one first.
    named: Vec<Named>,
    end: Option<End>,
    /// The name of the current member, if the document does not have it.
    name: Cow<'b, str>,
}

#[derive(Clone, Copy)]
struct Current {
    index: usize,
    /// The index of the first byte of its value.
    at: usize,
    is_null: bool,
}

/// The position behind an object.
#[derive(Clone, Copy)]
struct End {
    at: usize,
    depth: usize,
}

/// The value of a member that has several names, which counts if there is none under the member's own. The order is that in which they are
/// tried: null last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    index: usize,
    is_null: bool,
    rank: usize,
    at: usize,
}

impl<'b> ObjectReader<'b> {
    fn begin(
        reader: &mut Reader<'b>,
        shape: &'static Shape,
        needs: &'static [usize],
    ) -> Result<Self, Failure> {
        if reader.peek() != Some(b'{') {
            return Err(reader.mismatch("an object"));
        }
        let start = reader.at;
        reader.enter()?;
        Ok(Self {
            properties: shape.properties(),
            has_others: shape.has_others(),
            needs,
            start,
            is_first: true,
            next: 0,
            current: None,
            read: Bits::default(),
            named: Vec::new(),
            end: None,
            name: Cow::Borrowed(""),
        })
    }

    /// Returns the index of the member whose value is next, or [`OTHER`]; `None` at the end of the object. The caller reads the value.
    fn next(&mut self, reader: &mut Reader<'b>) -> Result<Option<usize>, Failure> {
        self.note(reader);
        let end = match self.end {
            Some(end) => end,
            None => {
                while reader.goes_on(self.is_first, b'}')? {
                    self.is_first = false;
                    if let Some(index) = self.member(reader)? {
                        return Ok(Some(index));
                    }
                }
                self.named.sort_by(|one, other| other.cmp(one));
                End {
                    at: reader.at,
                    depth: reader.state.depth,
                }
            }
        };
        self.end = Some(end);
        while let Some(Named { index, at, .. }) = self.named.pop() {
            if !self.read.has(index) {
                // Again within the object.
                (reader.at, reader.state.depth) = (at, end.depth + 1);
                return Ok(Some(self.begin_value(reader, index)));
            }
        }
        (reader.at, reader.state.depth) = (end.at, end.depth);
        if !self.needs.is_empty() && !self.needs.iter().any(|index| self.read.has(*index)) {
            let needed = self.needs.iter();
            let needed = needed.filter_map(|index| self.properties.get(*index));
            return Err(lacks_all(needed, self.start));
        }
        Ok(None)
    }

    /// Reads a name. Returns the index of the member; `None` if its value was skipped.
    fn member(&mut self, reader: &mut Reader<'b>) -> Result<Option<usize>, Failure> {
        let expected = self.properties.get(self.next).map_or("", |one| one.name);
        let (index, rank) = match next_name(reader, expected, self.next)? {
            Name::Expected(index) => (index, 0),
            Name::Read(name) => match find(self.properties, &name) {
                Some(found) => found,
                None if self.has_others => {
                    self.name = name;
                    return Ok(Some(OTHER));
                }
                None => {
                    reader.skip()?;
                    return Ok(None);
                }
            },
        };
        if rank == 0 {
            self.next = index + 1;
        }
        let is_null = reader.peek() == Some(b'n');
        let is_best = rank == 0 && !is_null;
        let has_aliases = self
            .properties
            .get(index)
            .is_some_and(|one| !one.aliases.is_empty());
        if is_best || !has_aliases {
            return Ok(Some(self.begin_value(reader, index)));
        }
        let at = reader.at;
        draw_element(reader, size_of::<Named>(), self.named.len())?;
        self.named.push(Named {
            index,
            is_null,
            rank,
            at,
        });
        reader.skip()?;
        Ok(None)
    }

    #[inline]
    fn begin_value(&mut self, reader: &mut Reader<'b>, index: usize) -> usize {
        let is_null = reader.peek() == Some(b'n');
        self.current = Some(Current {
            index,
            at: reader.at,
            is_null,
        });
        index
    }

    /// Notes whether the current member has a value: neither null, nor set aside.
    #[inline]
    fn note(&mut self, reader: &Reader<'b>) {
        if let Some(current) = self.current.take() {
            let last = reader.state.asides.last();
            if !current.is_null && last.is_none_or(|one| one.at != current.at) {
                self.read.set(current.index);
            }
        }
    }
}

/// Reads the next name, and its colon. A member is nearly always followed by the one that is next in the document.
#[inline]
fn next_name<'b>(
    reader: &mut Reader<'b>,
    expected: &'static str,
    index: usize,
) -> Result<Name<'b>, Failure> {
    if reader.peek() != Some(b'"') {
        return Err(reader.broken("key must be a string"));
    }
    let rest = reader
        .text
        .as_bytes()
        .get(reader.at + 1..)
        .unwrap_or_default();
    // A name with a quotation mark or a backslash is written otherwise.
    if !expected.is_empty()
        && rest.starts_with(expected.as_bytes())
        && rest.get(expected.len()) == Some(&b'"')
        && !expected.contains(['"', '\\'])
    {
        reader.at += expected.len() + 2;
        reader.colon()?;
        return Ok(Name::Expected(index));
    }
    let name = reader.string()?;
    reader.colon()?;
    Ok(Name::Read(name))
}

/// Finds a property by one of its names. Returns its index, and the rank of the name: 0 for its own.
fn find(properties: &[Property], name: &str) -> Option<(usize, usize)> {
    if let Some(index) = properties.iter().position(|one| one.name == name) {
        return Some((index, 0));
    }
    let mut properties = properties.iter().enumerate();
    properties.find_map(|(index, one)| {
        let rank = one.aliases.iter().position(|alias| *alias == name)?;
        Some((index, rank + 1))
    })
}

/// Makes the failure of an object that has none of the members of which it needs one.
#[cold]
fn lacks_all<'p>(needed: impl Iterator<Item = &'p Property>, at: usize) -> Failure {
    let names = needed.flat_map(|one| std::iter::once(&one.name).chain(one.aliases));
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    Failure::text(
        at,
        format!("{}{}", super::explain::LACKS, names.join(" or ")),
    )
}
