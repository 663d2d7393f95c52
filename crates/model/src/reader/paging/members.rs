//! The members of a response that may describe its pages: those of the body, and of the objects in it.

use super::names::{CONTAINERS, RECORDS, SIDE_LISTS, is_container, is_ordinary, plain};
use crate::{Model, Place, Property, Shape};

/// How many objects deep the members are looked for.
const DEPTH: usize = 3;
/// How many objects deep the records are looked for.
const RECORDS_DEPTH: usize = 2;

/// Members that are looked at. A page that describes itself has few.
const MOST: usize = 2_000;

/// A member of a response.
pub(super) struct Member<'m> {
    /// Its names, from the body on.
    names: Vec<&'m str>,
    /// Its plain name, and that of its object before it.
    called: [String; 2],
    /// Its schema.
    pub(super) place: &'m Place,
    /// False if an object has it that only its prefix or suffix makes one of a page. Such an object may count something else.
    pub(super) is_of_page: bool,
}

impl<'m> Member<'m> {
    fn new(names: Vec<&'m str>, place: &'m Place) -> Self {
        let last = names.len().saturating_sub(2);
        let both = names.get(last..).unwrap_or_default().concat();
        let own = names.last().copied().unwrap_or_default();
        Self {
            called: [plain(own), plain(&both)],
            names,
            place,
            is_of_page: true,
        }
    }

    /// Returns its path, such as `$.meta.next`.
    pub(super) fn path(&self) -> String {
        path_of(&self.names)
    }

    /// Returns whether all objects around it are containers, or are around the records, too.
    fn is_held(&self, beside: &[&str], is_container: fn(&str) -> bool) -> bool {
        let [holders @ .., _] = self.names.as_slice() else {
            return true;
        };
        let mut holders = holders.iter().enumerate();
        holders.all(|(depth, name)| beside.get(depth) == Some(name) || is_container(&plain(name)))
    }

    pub(super) fn is_called(&self, names: &[&str]) -> bool {
        names
            .iter()
            .any(|name| self.called.iter().any(|one| one == name))
    }

    /// Returns whether its own name ends so.
    pub(super) fn ends_with(&self, end: &str) -> bool {
        let [own, _] = &self.called;
        own.ends_with(end)
    }

    /// Returns the name of the object that has it; empty for a member of the body.
    pub(super) fn container(&self) -> String {
        let holder = self.names.iter().rev().nth(1);
        holder.map(|name| plain(name)).unwrap_or_default()
    }
}

/// Returns the path of the member with these names.
pub(super) fn path_of(names: &[&str]) -> String {
    let mut path = String::from("$");
    for name in names {
        if name.contains(['.', '[']) {
            path.extend(["['", name, "']"])
        } else {
            path.extend([".", name])
        }
    }
    path
}

/// The members of a response.
pub(super) struct Members<'m> {
    all: Vec<Member<'m>>,
    /// The array of the records, or the arrays that may be it.
    pub(super) lists: Vec<Member<'m>>,
}

impl<'m> Members<'m> {
    pub(super) fn of(model: &'m Model, body: &'m Place) -> Self {
        let mut all = Vec::new();
        let body = model.resolved(body);
        gather(model, body, &[], &mut all);
        let mut lists: Vec<Member<'m>> = Vec::new();
        if body.items().is_some() {
            lists.push(Member::new(Vec::new(), body));
        }
        let (arrays, mut all): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|one: &Member<'m>| one.place.items().is_some());
        lists.extend(arrays);
        lists.retain(|one| one.names.len() <= RECORDS_DEPTH && !one.is_called(&SIDE_LISTS));
        let arrays = lists
            .iter()
            .map(|one| one.names.len())
            .filter(|depth| *depth > 0);
        let least = arrays.min();
        lists.retain(|one| one.names.is_empty() || Some(one.names.len()) == least);
        if lists.iter().filter(|one| one.is_called(&RECORDS)).count() == 1 {
            lists.retain(|one| one.is_called(&RECORDS));
        }
        let beside: Vec<&str> = match lists.as_slice() {
            [records] => records.names.clone(),
            _ => Vec::new(),
        };
        all.retain(|one| one.is_held(&beside, is_container));
        for one in &mut all {
            one.is_of_page = one.is_held(&beside, |name| CONTAINERS.contains(&name));
        }
        Self { all, lists }
    }

    /// Returns whether a member's name ends so.
    pub(super) fn have(&self, end: &str) -> bool {
        self.all.iter().any(|one| one.ends_with(end))
    }

    /// The member of one of these names and of this kind, if it is one: that which the fewest objects hold.
    pub(super) fn one(
        &self,
        names: &[&str],
        is: impl Fn(&Member<'m>) -> bool,
    ) -> Option<&Member<'m>> {
        let mut found = self
            .all
            .iter()
            .filter(|one| one.is_called(names) && is(one));
        let mut best = found.next()?;
        let mut is_unique = true;
        for one in found {
            match one.names.len().cmp(&best.names.len()) {
                std::cmp::Ordering::Less => (best, is_unique) = (one, true),
                std::cmp::Ordering::Equal => is_unique = false,
                std::cmp::Ordering::Greater => {}
            }
        }
        is_unique.then_some(best)
    }
}

/// Gathers the members of an object, and then those of the objects in it.
fn gather<'m>(model: &'m Model, object: &'m Place, above: &[&'m str], all: &mut Vec<Member<'m>>) {
    let mut inner = Vec::new();
    for Property { name, place, .. } in object.properties() {
        if all.len() >= MOST {
            return;
        }
        if !is_ordinary(name) {
            continue;
        }
        let mut names = above.to_vec();
        names.push(name);
        let place = model.resolved(place);
        if matches!(place.shape, Shape::Object(_)) && names.len() < DEPTH {
            inner.push((names.clone(), place));
        }
        all.push(Member::new(names, place));
    }
    for (names, place) in inner {
        gather(model, place, &names, all);
    }
}
