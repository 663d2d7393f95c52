//! Many calls at once against services that misbehave at random.

mod known_prices;
mod unknown_prices;
