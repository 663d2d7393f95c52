//! Places and operations under other names of types.

use std::collections::HashMap;

use super::body::{Content, Output};
use super::operation::{Operation, ParameterType};
use super::place::{Others, Place, Shape};

impl Place {
    /// Calls `visit` for this place and all within it.
    pub fn walk_mut(&mut self, visit: &mut dyn FnMut(&mut Place)) {
        visit(self);
        match &mut self.shape {
            Shape::List(items) => items.walk_mut(visit),
            Shape::Map(Others::Of(others)) => others.walk_mut(visit),
            Shape::Tuple(all) => all.iter_mut().for_each(|one| one.walk_mut(visit)),
            Shape::Union { alternatives, .. } => {
                alternatives.iter_mut().for_each(|one| one.walk_mut(visit));
            }
            Shape::Object(object) => {
                for property in &mut object.properties {
                    property.place.walk_mut(visit);
                }
                if let Others::Of(others) = &mut object.others {
                    others.walk_mut(visit);
                }
            }
            _ => {}
        }
    }

    /// Gives the types that it refers to other names.
    pub fn rename(&mut self, names: &HashMap<String, String>) {
        self.walk_mut(&mut |place| {
            if let Shape::Reference(reference) = &mut place.shape
                && let Some(new) = names.get(reference)
            {
                reference.clone_from(new);
            }
        });
    }
}

impl ParameterType {
    fn rename(&mut self, names: &HashMap<String, String>) {
        match self {
            Self::Named(known) => {
                if let Some(new) = names.get(known) {
                    known.clone_from(new);
                }
            }
            Self::List { item, .. } => item.rename(names),
            Self::Typed(place) => place.rename(names),
            _ => {}
        }
    }
}

impl Content {
    fn rename(&mut self, names: &HashMap<String, String>) {
        if let Self::Json(place) | Self::Records(place) = self {
            place.rename(names);
        }
    }
}

impl Operation {
    /// Gives the types that it names other names.
    pub fn rename(&mut self, names: &HashMap<String, String>) {
        for parameter in &mut self.parameters {
            parameter.kind.rename(names);
            parameter.schema.rename(names);
        }
        for body in &mut self.bodies {
            body.schema.rename(names);
        }
        match &mut self.output {
            Output::One(one) => one.rename(names),
            Output::ByStatus(all) => all.iter_mut().for_each(|(_, one)| one.rename(names)),
        }
        let others = self.other_responses.iter_mut();
        for place in others.filter_map(|other| other.schema.as_mut()) {
            place.rename(names);
        }
        if let Some(items) = &mut self.stream_items {
            items.schema.rename(names);
        }
    }
}
