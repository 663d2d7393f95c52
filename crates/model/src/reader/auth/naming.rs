//! The Rust names of credentials.

use std::collections::BTreeSet;

use crate::{Carrier, Scheme, names};

/// Names the functions and the variables of the environment, uniquely.
pub(super) fn name(schemes: &mut [Scheme]) {
    let mut functions = BTreeSet::new();
    // The address has this one.
    let mut variables = BTreeSet::from(["BASE_URL".to_owned()]);
    let is_only = schemes.len() == 1;
    for scheme in schemes {
        let given = Some(&scheme.rust_name).filter(|name| !name.is_empty());
        let base = names::snake(given.unwrap_or(&scheme.name));
        let is_basic = scheme.carrier == Carrier::Basic;
        let is_bearer = scheme.carrier == Carrier::Bearer;
        for number in 1_usize.. {
            let rust_name = match number {
                1 => base.clone(),
                number => format!("{}_{number}", base.trim_end_matches('_')),
            };
            let provider = is_bearer.then(|| format!("{rust_name}_provider"));
            let variable = if is_only && !is_basic {
                "API_KEY".to_owned()
            } else {
                rust_name.trim_end_matches('_').to_uppercase()
            };
            let read = if is_basic {
                vec![format!("{variable}_USER"), format!("{variable}_PASSWORD")]
            } else {
                vec![variable.clone()]
            };
            let made: Vec<String> = [rust_name.clone()]
                .into_iter()
                .chain(provider.clone())
                .collect();
            if made.iter().any(|one| functions.contains(one))
                || read.iter().any(|one| variables.contains(one))
            {
                continue;
            }
            functions.extend(made);
            variables.extend(read);
            scheme.rust_name = rust_name;
            scheme.provider = provider;
            scheme.variable = variable;
            break;
        }
    }
}
