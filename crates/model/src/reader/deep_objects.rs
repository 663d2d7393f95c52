//! Lists within a value of the style `deepObject`, which has no form for them.

use std::collections::HashSet;

use openapi_document::pointer;

use crate::{Place, Shape};

/// A value within another one.
struct Step<'p> {
    place: &'p Place,
    /// The name of the member; `*` for those that have no names in the document.
    name: Option<String>,
    /// The index of the step to the value around it.
    around: Option<usize>,
}

/// Returns the path to the list that is nearest to a value, as `by.tags`. The path is empty if the value itself may be a list.
pub(super) fn list_within<'p>(
    root: &'p Place,
    schema: &dyn Fn(&str) -> Option<&'p Place>,
) -> Option<String> {
    // Objects that share a schema have the same lists in it.
    let mut seen: HashSet<*const Place> = HashSet::new();
    let mut steps = vec![Step {
        place: root,
        name: None,
        around: None,
    }];
    let mut index = 0;
    while let Some(step) = steps.get(index) {
        let referenced = step.place.reference().and_then(schema);
        let place = referenced.unwrap_or(step.place);
        if matches!(place.shape, Shape::List(_) | Shape::Tuple(_)) {
            return Some(path(&steps, step));
        }
        if seen.insert(place) {
            steps.extend(place.parts().into_iter().map(|(part, place)| Step {
                place,
                name: member_name(&part),
                around: Some(index),
            }));
        }
        index += 1;
    }
    None
}

/// Returns the name of the member that a part of a schema describes, by the path to the part; `*` for all others.
fn member_name(part: &str) -> Option<String> {
    match part.split_once('/') {
        Some(("properties", name)) => Some(pointer::unescape(name)),
        _ => (part == "additionalProperties").then(|| "*".to_owned()),
    }
}

/// Returns the names of the members on the way to a step.
fn path(steps: &[Step<'_>], last: &Step<'_>) -> String {
    let mut names = Vec::new();
    let mut next = Some(last);
    while let Some(step) = next {
        names.extend(step.name.as_deref());
        next = step.around.and_then(|index| steps.get(index));
    }
    names.reverse();
    names.join(".")
}

#[cfg(test)]
mod tests {
    use crate::{Object, Property};

    use super::*;

    fn object(members: &[(&str, Shape)]) -> Place {
        let properties = members.iter().map(|(name, shape)| Property {
            name: (*name).to_owned(),
            pointer: String::new(),
            place: Place::of(shape.clone()),
        });
        Place::of(Shape::Object(Object {
            properties: properties.collect(),
            ..Object::default()
        }))
    }

    /// Each of the 64 objects has the next one twice: there are 2^64 ways to the last.
    #[test]
    fn an_object_that_many_share_is_read_once() {
        let all: Vec<Place> = (1..=64)
            .map(|next| {
                let next = Shape::Reference(format!("{next}"));
                object(&[("a", next.clone()), ("b", next)])
            })
            .collect();
        let list = list_within(&all[0], &|name| all.get(name.parse::<usize>().unwrap()));
        assert_eq!(list, None);
    }
}
