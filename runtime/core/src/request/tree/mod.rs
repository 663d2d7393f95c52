//! A serialised argument, as the styles of parameters need it.

mod serializer;
mod value;

pub(crate) use value::Tree;

#[cfg(test)]
mod tests;
