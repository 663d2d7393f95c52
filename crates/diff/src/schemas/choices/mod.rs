//! `oneOf`, `anyOf` and the discriminator that chooses between their alternatives.

mod alike;
mod alternatives;
mod discriminator;
mod groups;
mod matching;
mod partition;
mod shape;
mod wrapping;

pub(crate) use alike::alike;
pub(super) use discriminator::discriminators;
pub(super) use groups::choices;
pub(super) use wrapping::wrapping;
