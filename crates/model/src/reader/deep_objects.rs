//! Lists within a value of the style `deepObject`, which has no form for them.

use std::collections::HashSet;

use crate::{Others, Place, Shape};

/// A value within another one.
struct Step<'p> {
    place: &'p Place,
    /// The name of the member; `*` for those that have no names in the document.
    name: Option<&'p str>,
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
            add_parts(&mut steps, index, place);
        }
        index += 1;
    }
    None
}

/// Adds the steps to all values in the value at an index, whose schema is resolved.
fn add_parts<'p>(steps: &mut Vec<Step<'p>>, index: usize, place: &'p Place) {
    let mut add = |name: Option<&'p str>, place: &'p Place| {
        steps.push(Step {
            place,
            name,
            around: Some(index),
        });
    };
    match &place.shape {
        Shape::Object(object) => {
            for property in &object.properties {
                add(Some(&property.name), &property.place);
            }
            if let Others::Of(others) = &object.others {
                add(Some("*"), others);
            }
        }
        Shape::Map(Others::Of(others)) => add(Some("*"), others),
        Shape::Union { alternatives, .. } => {
            for alternative in alternatives {
                add(None, alternative);
            }
        }
        _ => {}
    }
}

/// Returns the names of the members on the way to a step.
fn path(steps: &[Step<'_>], last: &Step<'_>) -> String {
    let around = |step: &&Step<'_>| step.around.and_then(|index| steps.get(index));
    let all = std::iter::successors(Some(last), around);
    let mut names: Vec<&str> = all.filter_map(|step| step.name).collect();
    names.reverse();
    names.join(".")
}

#[cfg(test)]
mod tests {
    use crate::{Object, Property};

    use super::*;

    fn object(members: &[(&str, Shape)]) -> Place {
        let property = |(name, shape): &(&str, Shape)| Property {
            name: (*name).to_owned(),
            pointer: String::new(),
            place: Place::of(shape.clone()),
        };
        Place::of(Shape::Object(Object {
            properties: members.iter().map(property).collect(),
            ..Object::default()
        }))
    }

    /// Each of the 64 objects has the next one twice: there are 2^64 ways to the last.
    #[test]
    fn an_object_that_many_share_is_read_once() {
        let next = |index: usize| Shape::Reference(format!("{}", index + 1));
        let all: Vec<Place> = (0..64)
            .map(|index| object(&[("a", next(index)), ("b", next(index))]))
            .collect();
        let schema = |name: &str| all.get(name.parse::<usize>().unwrap());
        assert_eq!(list_within(&all[0], &schema), None);
    }
}
