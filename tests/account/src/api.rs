//! An API with one operation, whose responses report their cost.

use generated_client::document::{Api, Operation, Shape, Tariff};
use generated_client::{Credits, Method};

/// The API.
pub static API: Api = Api {
    interceptor: Some(|| generated_client::meter(Some("cost"), Some(Credits::new(2)))),
    ..Api::new("example", "1.2.3", "EXAMPLE")
};
/// Its operation. `many` may affect the price.
pub static GET_THING: Operation = Operation {
    id: "getThing",
    method: Method::GET,
    path: "/v1/thing",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &["many"],
        charge: None,
    }),
    response: &Shape::Any,
};
