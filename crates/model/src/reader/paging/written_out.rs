//! Lists and numbers that have a name, where pages go through them.

use super::BODY;
use crate::extensions::{self, Step};
use crate::{Content, Model, Output, Place, Scalar, Shape};

/// Writes the lists and numbers that have a name out where pages go through them: paging reads a list itself, and no type of that name.
pub(in crate::reader) fn write_out(model: &mut Model) {
    write_bodies_out(model);
    let paths = model.operations.iter().filter_map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let offset = pagination.echoed_offset();
        let paths = [&pagination.items].into_iter().chain(&offset);
        let paths = paths.chain(&pagination.total).chain(&pagination.key);
        let steps: Vec<Vec<Step>> = paths.filter_map(|path| extensions::steps(path)).collect();
        Some((operation.success()?.clone(), steps))
    });
    let paths: Vec<(Place, Vec<Vec<Step>>)> = paths.collect();
    for (from, all) in &paths {
        for steps in all {
            write_out_along(model, from.clone(), steps);
        }
    }
}

fn write_bodies_out(model: &mut Model) {
    let bodies = model.operations.iter().map(|operation| {
        let pagination = operation.pagination.as_ref()?;
        let body = operation.success().filter(|_| pagination.items == BODY)?;
        let named = model.referenced(body)?;
        is_list_or_integer(&named.place).then(|| with_siblings(body.clone(), named.place.clone()))
    });
    let bodies: Vec<Option<Place>> = bodies.collect();
    for (operation, body) in model.operations.iter_mut().zip(bodies) {
        if let Some(body) = body {
            operation.output = Output::One(Content::Json(Box::new(body)));
        }
    }
}

fn write_out_along(model: &mut Model, from: Place, steps: &[Step]) -> Option<()> {
    let mut at = from;
    for step in steps {
        at = match step {
            Step::Each => match at.shape {
                Shape::List(items) => *items,
                _ => return None,
            },
            Step::Last => return None,
            Step::Member(name) => {
                let owner = model.referenced(&at)?;
                let mut member = owner.property(name)?.clone();
                let owner = owner.name.clone();
                if let Some(named) = model.referenced(&member)
                    && is_list_or_integer(&named.place)
                {
                    member = with_siblings(member, named.place.clone());
                    let mut schemas = model.schemas.iter_mut();
                    let owner = schemas.find(|schema| schema.name == owner)?;
                    let Shape::Object(object) = &mut owner.place.shape else {
                        return None;
                    };
                    let mut properties = object.properties.iter_mut();
                    properties.find(|one| one.name == *name)?.place = member.clone();
                }
                member
            }
        };
    }
    Some(())
}

fn is_list_or_integer(place: &Place) -> bool {
    let is_integer = place.scalar() == Some(Scalar::Integer);
    place.rust_type.is_none() && (is_integer || matches!(place.shape, Shape::List(_)))
}

/// Merges the target of a reference with the keywords beside the reference.
fn with_siblings(reference: Place, whole: Place) -> Place {
    Place {
        nullable: reference.nullable || whole.nullable,
        description: reference.description.or(whole.description),
        deprecated: reference.deprecated || whole.deprecated,
        default: reference.default.or(whole.default),
        example: reference.example.or(whole.example),
        rust_name: reference.rust_name,
        is_optional: reference.is_optional,
        is_given: reference.is_given,
        aliases: reference.aliases,
        ..whole
    }
}
