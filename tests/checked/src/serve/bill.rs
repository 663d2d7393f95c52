//! The cost of requests, by the prices of the document: `x-credits` of an operation, and the member of its response that reports the charge.

use serde_json::{Number, Value};

use crate::{Document, Operation, Received};

/// Millionths of a credit that all requests have cost.
#[derive(Debug, Default)]
pub(super) struct Bill(u64);

impl Bill {
    /// Adds a request, and returns its price and the sum, in credits; `None` for an operation without a price.
    pub(super) fn add(
        &mut self,
        operation: &Operation<'_>,
        received: &Received,
    ) -> Option<[f64; 2]> {
        let price = price(operation, received)?;
        self.0 = self.0.saturating_add((price * 1e6).round() as u64);
        Some([price, self.0 as f64 / 1e6])
    }
}

/// Returns the highest price whose conditions the request meets.
fn price(operation: &Operation<'_>, received: &Received) -> Option<f64> {
    let prices = operation.value.get("x-credits")?.as_array()?;
    let met = prices.iter().filter(|price| {
        let conditions = price.get("when").and_then(Value::as_object);
        conditions.into_iter().flatten().all(|(name, wanted)| {
            let is_there = received.parameters.keys().any(|(_, known)| known == name);
            (wanted == "present") == is_there
        })
    });
    let credits = met.filter_map(|price| price.get("credits")?.as_f64());
    credits.max_by(f64::total_cmp)
}

/// Writes a price into the members of a response that report the charge.
pub(super) fn report(document: &Document, schema: &Value, body: &mut Value, price: f64) {
    let flat = document.flat(schema, 8);
    let properties = flat.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let is_charge =
            document.meant(property).get("x-rust-type") == Some(&Value::from("Credits"));
        if let (true, Some(member), Some(price)) =
            (is_charge, body.get_mut(name), Number::from_f64(price))
        {
            *member = price.into();
        }
    }
}
