//! What the passes look things up in.

use openapi_model::Model;
use openapi_overrides::OverrideReport;

/// What the passes look things up in.
pub(crate) struct Context<'c> {
    pub(crate) model: &'c Model,
    pub(crate) report: &'c OverrideReport,
}
