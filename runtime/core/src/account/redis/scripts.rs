//! The scripts, each behind what they have in common.

use std::sync::LazyLock;

use redis::Script;

macro_rules! script {
    ($name:ident, $($file:literal),+) => {
        pub(super) static $name: LazyLock<Script> =
            LazyLock::new(|| Script::new(concat!(include_str!("common.lua"), $(include_str!($file)),+)));
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
