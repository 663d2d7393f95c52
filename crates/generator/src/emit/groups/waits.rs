//! Methods of a response that call an operation of another group.

use std::borrow::Cow;

use openapi_model::names;
use openapi_model::{Model, Operation};
use quote::{ToTokens, quote};

/// The builder of an operation, with a condition on what waits by an operation of another group.
pub(super) fn gated<'f>(
    model: &Model,
    operation: &Operation,
    builder: &'f syn::File,
) -> Cow<'f, syn::File> {
    let mut file = Cow::Borrowed(builder);
    for waits in &model.waits {
        let told_by = model
            .operations
            .iter()
            .find(|one| one.id == waits.operation);
        let Some(feature) = told_by
            .filter(|told_by| told_by.group != operation.group)
            .and_then(|told_by| model.feature(told_by))
        else {
            continue;
        };
        let submissions = waits.submissions.iter();
        for submission in submissions.filter(|one| one.operation == operation.id) {
            let response = names::ident(&submission.response);
            let ty = quote!(types::#response).to_string();
            for item in &mut file.to_mut().items {
                if let syn::Item::Impl(item) = item
                    && item.trait_.is_none()
                    && item.self_ty.to_token_stream().to_string() == ty
                {
                    item.attrs
                        .insert(0, syn::parse_quote!(#[cfg(feature = #feature)]));
                }
            }
        }
    }
    file
}
