//! Places and operations under other names of types.

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
    pub fn rename(&mut self, name: &dyn Fn(&str) -> Option<String>) {
        self.walk_mut(&mut |place| {
            if let Shape::Reference(reference) = &mut place.shape
                && let Some(new) = name(reference)
            {
                *reference = new;
            }
        });
    }
}

impl ParameterType {
    fn rename(&mut self, name: &dyn Fn(&str) -> Option<String>) {
        match self {
            Self::Named(known) => {
                if let Some(new) = name(known) {
                    *known = new;
                }
            }
            Self::List { item, .. } => item.rename(name),
            Self::Typed(place) => place.rename(name),
            _ => {}
        }
    }
}

impl Operation {
    /// Gives the types that it names other names.
    pub fn rename(&mut self, name: &dyn Fn(&str) -> Option<String>) {
        for parameter in &mut self.parameters {
            parameter.kind.rename(name);
            parameter.schema.rename(name);
        }
        for body in &mut self.bodies {
            body.schema.rename(name);
        }
        let content = |content: &mut Content| {
            if let Content::Json(place) | Content::Records(place) = content {
                place.rename(name);
            }
        };
        match &mut self.output {
            Output::One(one) => content(one),
            Output::ByStatus(all) => all.iter_mut().for_each(|(_, one)| content(one)),
        }
        let others = self.other_responses.iter_mut();
        for place in others.filter_map(|other| other.schema.as_mut()) {
            place.rename(name);
        }
        if let Some(items) = &mut self.stream_items {
            items.schema.rename(name);
        }
    }
}
