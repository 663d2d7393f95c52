//! Lists and objects within a value, for which the style of a parameter has no form.

use std::collections::HashSet;

use openapi_document::pointer;

use crate::{Place, Shape, Style};

/// What a value is an element or a member of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Within {
    Nothing,
    List,
    Object,
}

/// A value within another one.
struct Step<'p> {
    place: &'p Place,
    within: Within,
    /// The name of the member; `*` for those that have no names in the document.
    name: Option<String>,
    /// The index of the step to the value around it.
    around: Option<usize>,
}

/// Returns the nearest list or object within a value that the style cannot represent, as `a list in \`by.tags\``.
pub(super) fn unsendable<'p>(
    style: &Style,
    root: &'p Place,
    schema: &dyn Fn(&str) -> Option<&'p Place>,
) -> Option<String> {
    // Objects that share a schema have the same lists in it.
    let mut seen: HashSet<(*const Place, Within)> = HashSet::new();
    let mut steps = vec![Step {
        place: root,
        within: Within::Nothing,
        name: None,
        around: None,
    }];
    let mut index = 0;
    while let Some(step) = steps.get(index) {
        let referenced = step.place.reference().and_then(schema);
        let place = referenced.unwrap_or(step.place);
        let around = step.within;
        let (kind, within) = match place.shape {
            Shape::List(_) | Shape::Tuple(_) => ("list", Within::List),
            Shape::Map(_) | Shape::Object(_) => ("object", Within::Object),
            _ => ("scalar", around),
        };
        if !has_form(style, around, kind) {
            let article = if kind == "list" { "a" } else { "an" };
            return Some(format!("{article} {kind}{}", path(&steps, step)));
        }
        if seen.insert((place, around)) {
            steps.extend(place.parts().into_iter().map(|(part, place)| Step {
                place,
                within,
                name: member_name(&part),
                around: Some(index),
            }));
        }
        index += 1;
    }
    None
}

/// Returns whether the style has a form for a value of this kind within another one.
fn has_form(style: &Style, within: Within, kind: &str) -> bool {
    match (style.name, kind) {
        (_, "scalar") => true,
        ("DeepObject", kind) => kind == "object",
        // The elements of a list in an exploded form are pairs.
        ("Form", "list") if style.explode => within != Within::List,
        _ => within == Within::Nothing,
    }
}

/// Returns the name of the member that a part of a schema describes, by the path to the part; `*` for all others.
fn member_name(part: &str) -> Option<String> {
    match part.split_once('/') {
        Some(("properties", name)) => Some(pointer::unescape(name)),
        _ => (part == "additionalProperties").then(|| "*".to_owned()),
    }
}

/// Returns the names of the members on the way to a step, as ` in \`by.tags\``; nothing without a name.
fn path(steps: &[Step<'_>], last: &Step<'_>) -> String {
    let mut names = Vec::new();
    let mut next = Some(last);
    while let Some(step) = next {
        names.extend(step.name.as_deref());
        next = step.around.and_then(|index| steps.get(index));
    }
    if names.is_empty() {
        return String::new();
    }
    names.reverse();
    format!(" in `{}`", names.join("."))
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
        let deep = Style {
            name: "DeepObject",
            explode: true,
            reserved: false,
        };
        let schema = |name: &str| all.get(name.parse::<usize>().unwrap());
        assert_eq!(unsendable(&deep, &all[0], &schema), None);
    }
}
