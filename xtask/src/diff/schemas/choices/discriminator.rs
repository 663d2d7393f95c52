//! The discriminator itself; which of its values choose what is compared with the alternatives.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::diff::schemas::comparison::Comparison;
use crate::diff::schemas::flat::Flat;
use crate::diff::schemas::side::{Side, reference};
use crate::diff::verdicts::{Mark, Pair, address, changed, rules};

impl<'d> Comparison<'d> {
    /// The discriminator itself; which of its values choose what is compared with the alternatives.
    pub(in crate::diff) fn discriminators(
        &mut self,
        pair: &mut Pair,
        old: &Flat<'d>,
        new: &Flat<'d>,
    ) {
        let (a, b) = (old.first("discriminator"), new.first("discriminator"));
        let rule = match (a, b) {
            (None, None) => return,
            (None, Some(_)) => &rules::DISCRIMINATOR_ADDED,
            (Some(_), None) => &rules::DISCRIMINATOR_REMOVED,
            (Some(a), Some(b)) => {
                let property = |value: &'d Value| value.get("propertyName");
                let (p, q) = (property(a), property(b));
                if p != q {
                    self.differ(
                        pair,
                        &rules::DISCRIMINATOR_CHANGED,
                        Mark::within(p, a),
                        Mark::within(q, b),
                        || changed("propertyName", p, q),
                    );
                }
                let values =
                    |side: &Side<'d>, flat: &Flat<'d>, value: &'d Value| -> BTreeSet<&'d str> {
                        let listed: BTreeSet<usize> = flat
                            .groups
                            .iter()
                            .flat_map(|group| &group.alternatives)
                            .map(|one| {
                                address(
                                    reference(one)
                                        .and_then(|text| side.schema_named(text))
                                        .unwrap_or(one),
                                )
                            })
                            .collect();
                        let mapping = value.get("mapping").and_then(Value::as_object);
                        // Values that lead to an alternative are compared with it.
                        mapping
                            .into_iter()
                            .flatten()
                            .filter(|(_, target)| {
                                let target =
                                    target.as_str().and_then(|text| side.schema_named(text));
                                target.is_none_or(|target| !listed.contains(&address(target)))
                            })
                            .map(|(value, _)| value.as_str())
                            .collect()
                    };
                let (x, y) = (values(&self.old, old, a), values(&self.new, new, b));
                if x != y {
                    let (m, n) = (a.get("mapping"), b.get("mapping"));
                    self.differ(
                        pair,
                        &rules::DISCRIMINATOR_CHANGED,
                        Mark::within(m, a),
                        Mark::within(n, b),
                        || changed("mapping", m, n),
                    );
                }
                for (key, value) in a.as_object().into_iter().flatten() {
                    if !matches!(key.as_str(), "propertyName" | "mapping")
                        && b.get(key) != Some(value)
                    {
                        let other = b.get(key);
                        self.differ(
                            pair,
                            &rules::UNHANDLED,
                            Mark::within(Some(value), a),
                            Mark::within(other, b),
                            || changed(key, Some(value), other),
                        );
                    }
                }
                for (key, value) in b.as_object().into_iter().flatten() {
                    if !matches!(key.as_str(), "propertyName" | "mapping") && a.get(key).is_none() {
                        self.differ(
                            pair,
                            &rules::UNHANDLED,
                            Mark::within(None, a),
                            Mark::within(Some(value), b),
                            || changed(key, None, Some(value)),
                        );
                    }
                }
                return;
            }
        };
        self.differ(
            pair,
            rule,
            Mark::within(a, old.home),
            Mark::within(b, new.home),
            || changed("discriminator", a, b),
        );
    }
}
