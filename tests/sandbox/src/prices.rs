//! Reads the prices of an operation. A price that depends on anything but its parameters is an error at the start.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::operation::Price;

/// Reads `x-credits` of an operation that takes these parameters.
pub(crate) fn prices(operation: &Value, parameters: &[&str]) -> Result<Vec<Price>> {
    let prices = operation.get("x-credits").and_then(Value::as_array);
    let prices = prices.into_iter().flatten();
    prices.map(|entry| read_price(entry, parameters)).collect()
}

fn read_price(entry: &Value, parameters: &[&str]) -> Result<Price> {
    let credits = entry.get("credits").context("a price without credits")?;
    let mut when = Vec::new();
    let conditions = entry.get("when").and_then(Value::as_object);
    for (parameter, condition) in conditions.into_iter().flatten() {
        let is_known = parameters.contains(&parameter.as_str());
        ensure!(
            is_known,
            "a price depends on {parameter}, which is not a parameter"
        );
        let given = match condition.as_str() {
            Some("present") => true,
            Some("absent") => false,
            _ => bail!("a price when {parameter} is {condition}"),
        };
        when.push((parameter.clone(), given));
    }
    Ok(Price {
        credits: serde_json::from_value(credits.clone())
            .with_context(|| format!("the price {credits}"))?,
        when,
    })
}
