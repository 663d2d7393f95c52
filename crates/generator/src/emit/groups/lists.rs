//! The files that declare the parts of a module and export their items: templates, filled with the parts and their features.

use openapi_model::Group;

use super::membership::Membership;
use super::split::file_name;

/// A part of a module.
pub(super) struct Entry {
    pub(super) membership: Membership,
    /// True if it has anything to export.
    pub(super) exports: bool,
}

/// How a module is declared.
pub(super) struct List<'l> {
    /// The documentation of the module, and the lines in front of the parts.
    pub(super) head: &'l str,
    /// The visibility of its items, such as `pub`.
    pub(super) visibility: &'l str,
    /// Attributes of the part that is always there, and of its export.
    pub(super) shared: [&'l str; 2],
}

impl List<'_> {
    pub(super) fn text(&self, entries: &[Entry], groups: &[Group]) -> String {
        let mut entries: Vec<(&str, Option<&str>, bool)> = entries
            .iter()
            .filter_map(|entry| {
                let feature = match entry.membership {
                    Membership::Shared => None,
                    Membership::Group(group) => Some(groups.get(group)?.feature.as_str()),
                };
                Some((file_name(entry.membership, groups)?, feature, entry.exports))
            })
            .collect();
        entries.sort_unstable();
        let [of_module, of_export] = self.shared;
        let condition = |feature: Option<&str>, of_shared: &str| match feature {
            Some(feature) => format!("#[cfg(feature = \"{feature}\")]\n"),
            None => of_shared.to_owned(),
        };
        let mut text = format!("{}\n", self.head);
        for (name, feature, _) in &entries {
            text.push_str(&format!("{}mod {name};\n", condition(*feature, of_module)));
        }
        text.push('\n');
        for (name, feature, _) in entries.iter().filter(|(_, _, exports)| *exports) {
            let condition = condition(*feature, of_export);
            text.push_str(&format!("{condition}{} use {name}::*;\n", self.visibility));
        }
        text
    }
}
