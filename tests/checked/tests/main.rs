//! Emitted clients call a service that knows their documents alone.

mod calls;
mod examples;
mod families;
mod refused;
mod served;
