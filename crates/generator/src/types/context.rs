//! The lookup tables of the passes.

use openapi_model::Model;
use openapi_overrides::OverrideReport;

/// The lookup tables of the passes.
pub(crate) struct Context<'c> {
    pub(crate) model: &'c Model,
    pub(crate) report: &'c OverrideReport,
}
