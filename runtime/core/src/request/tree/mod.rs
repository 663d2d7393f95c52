//! A serialized argument, for the styles of parameters.

mod serializer;
mod value;

pub(crate) use value::Tree;

#[cfg(test)]
mod tests;
