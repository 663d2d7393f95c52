//! References that lead nowhere: what stands in for the place, and whether an operation can do without it.

use serde_json::{Value, json};

use super::walker::{Kind, Walker};

const RULE: &str = "reference";

impl Walker<'_> {
    /// Replaces a reference that leads nowhere. Returns whether what stands there now can be used.
    pub(super) fn missing(
        &mut self,
        value: &mut Value,
        at: &str,
        reference: &str,
        kind: Kind,
    ) -> bool {
        self.leads_nowhere(at, reference);
        match kind {
            // What is not known of it is anything; the other keywords beside the reference stay.
            Kind::Schema => {
                if let Some(map) = value.as_object_mut() {
                    map.shift_remove("$ref");
                }
                true
            }
            Kind::Response => {
                *value = json!({"description": "", "content": {"*/*": {"schema": {}}}});
                true
            }
            Kind::Header | Kind::Callback => {
                *value = json!({});
                true
            }
            Kind::Parameter | Kind::RequestBody => false,
        }
    }

    /// Says that a reference leads nowhere.
    pub(super) fn leads_nowhere(&mut self, at: &str, reference: &str) {
        let (message, help) = if reference.contains("://") {
            (
                format!(
                    "`{reference}` leaves the document, and nothing is fetched from the network"
                ),
                "save what it names beside the document and refer to that, or bundle the documents into one",
            )
        } else if reference.starts_with('#') {
            (
                format!("`{reference}` leads nowhere, or back to itself"),
                "correct the reference, or add what it names, in an override",
            )
        } else {
            (
                format!("`{reference}` leaves the document, and the file does not exist"),
                "put the file there, or bundle the documents into one before regenerating",
            )
        };
        self.warn(RULE, at, message, help);
    }
}
