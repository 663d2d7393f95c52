//! An API with one operation, whose responses report their cost.

use generated_client::document::{Api, Auth, Operation, Shape, Tariff};
use generated_client::{Credits, Method};

/// The API.
pub static API: Api = Api {
    name: "example",
    version: "1.2.3",
    environment: "EXAMPLE",
    base_url: None,
    auth: Auth::None,
    interceptor: Some(|| generated_client::meter(Some("cost"), Some(Credits::new(2)))),
    operations: &[],
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
