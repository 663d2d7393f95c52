//! The scripts, each behind what they have in common.

use std::sync::LazyLock;

use redis::Script;

/// The script of a step.
pub(super) struct Step {
    #[cfg(feature = "test-util")]
    pub(super) file: &'static str,
    #[cfg(feature = "test-util")]
    pub(super) code: &'static str,
    pub(super) script: Script,
}

macro_rules! script {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Step> = LazyLock::new(|| {
            let code = concat!(include_str!("common.lua"), include_str!($file));
            Step {
                #[cfg(feature = "test-util")]
                file: $file,
                #[cfg(feature = "test-util")]
                code,
                script: Script::new(code),
            }
        });
    };
}

script!(AT_RISK, "at_risk.lua");
script!(CHANGE, "change.lua");
script!(FORGET_PRICES, "forget_prices.lua");
script!(OPEN, "open.lua");
script!(RESERVE, "reserve.lua");
script!(SETTLE, "settle.lua");
script!(SETTLE_RISK, "settle_risk.lua");
script!(USAGE, "usage.lua");
