//! What the passes look things up in.

use crate::openapi::Model;
use crate::overrides::OverrideReport;

/// What the passes look things up in.
pub(crate) struct Context<'c> {
    pub(crate) model: &'c Model,
    pub(crate) report: &'c OverrideReport,
}
