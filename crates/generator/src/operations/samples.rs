//! Operations that examples call.

use openapi_model::{Model, Operation};

use super::examples::given;
use super::value;

/// A call of one operation as Rust source, for a page about the whole crate.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The method with its arguments, such as `books("one")`.
    pub(crate) call: String,
    /// How many arguments it has.
    arguments: usize,
    is_deprecated: bool,
    has_body: bool,
    /// It gives the body, if there is one.
    is_whole: bool,
    /// All its records can be read without another argument.
    is_paged: bool,
}

/// Returns the operation with the fewest arguments, if all of them have literals; preferably one that reads.
pub(crate) fn sample(model: &Model) -> Option<Sample> {
    let all = model.operations.iter().filter_map(|operation| {
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH"];
        let rank = methods.iter().position(|one| *one == operation.method)?;
        Some((rank, of(model, operation)?))
    });
    let least = all.min_by_key(|(rank, sample)| {
        // A short body is easy to read.
        let body = if sample.has_body {
            sample.call.len()
        } else {
            0
        };
        let is_odd = sample.is_deprecated || !sample.is_whole;
        (*rank, is_odd, body, sample.arguments)
    });
    least.map(|(_, sample)| sample)
}

/// Returns the first operation that pages, and one for each other paging style, with that style.
pub(crate) fn paged_samples(model: &Model) -> Vec<(&'static str, Sample)> {
    let mut found: Vec<(&'static str, Sample)> = Vec::new();
    // Those that read come first.
    let mut operations: Vec<&Operation> = model.operations.iter().collect();
    operations.sort_by_key(|operation| operation.method != "GET");
    for operation in operations {
        let Some(pages) = model.pages_of(operation) else {
            continue;
        };
        let style = pages.style.by();
        if found.iter().all(|(other, _)| *other != style)
            && let Some(sample) = of(model, operation).filter(|sample| sample.is_paged)
        {
            found.push((style, sample));
        }
    }
    found
}

fn of(model: &Model, operation: &Operation) -> Option<Sample> {
    let prefix = format!("{}::", model.package.name.replace('-', "_"));
    let arguments = value::arguments(model, operation);
    let given = given(model, &prefix, &arguments)?;
    let pagination = operation.pagination.as_ref();
    Some(Sample {
        call: format!("{}({})", operation.call(), given.join(", ")),
        arguments: given.len(),
        is_deprecated: operation.is_deprecated,
        has_body: !operation.bodies.is_empty(),
        is_whole: operation.bodies.iter().all(|body| body.required),
        is_paged: pagination.is_some_and(|pages| pages.requires.is_none()),
    })
}
