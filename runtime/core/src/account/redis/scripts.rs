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
    /// True if it runs only on a server that can keep accounts. Only reservations need one.
    pub(super) is_checked: bool,
}

macro_rules! script {
    ($name:ident, $file:literal, $is_checked:literal) => {
        pub(super) static $name: LazyLock<Step> = LazyLock::new(|| {
            let code = concat!(include_str!("common.lua"), include_str!($file));
            Step {
                #[cfg(feature = "test-util")]
                file: $file,
                #[cfg(feature = "test-util")]
                code,
                script: Script::new(code),
                is_checked: $is_checked,
            }
        });
    };
}

script!(AT_RISK, "at_risk.lua", false);
script!(CHANGE, "change.lua", false);
script!(OPEN, "open.lua", false);
script!(RESERVE, "reserve.lua", true);
script!(SETTLE, "settle.lua", false);
script!(SETTLE_RISK, "settle_risk.lua", false);
script!(USAGE, "usage.lua", false);
