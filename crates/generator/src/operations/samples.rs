//! Operations that examples call.

use openapi_model::{Model, Operation};

use super::examples::given;
use super::input::Required;
use super::value;

/// A call of one operation as Rust source, for a page about the whole crate.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The method with its arguments, such as `books("one")`.
    pub(crate) call: String,
    /// All its records can be read without another argument.
    is_paged: bool,
}

/// The first operation that reads something and whose arguments have literals.
pub(crate) fn sample(model: &Model) -> Option<Sample> {
    samples(model).next()
}

/// The first one of them that pages.
pub(crate) fn paged_sample(model: &Model) -> Option<Sample> {
    samples(model).find(|sample| sample.is_paged)
}

fn samples(model: &Model) -> impl Iterator<Item = Sample> {
    let operations = model.operations.iter().filter(|one| one.method == "GET");
    operations.filter_map(|operation| of(model, operation))
}

fn of(model: &Model, operation: &Operation) -> Option<Sample> {
    let crate_name = model.package.name.replace('-', "_");
    let arguments = value::arguments(model, operation);
    let given = given(
        model,
        &crate_name,
        &Required::of(model, operation, &arguments),
    )?;
    let pagination = operation.pagination.as_ref();
    Some(Sample {
        call: format!("{}({})", operation.rust_name, given.join(", ")),
        is_paged: pagination.is_some_and(|pages| pages.requires.is_none()),
    })
}
