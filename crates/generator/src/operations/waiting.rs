//! The parts of builders and responses that wait: for an operation that reports progress, and for those that start it.

use openapi_model::{Model, Operation, PathMember, Presence, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::builder::Builder;
use super::paths::{builder_path, output, own_output};
use crate::types::docs::{attributes, condition, text};

/// Emits `wait()` of a status operation; nothing for any other.
pub(super) fn wait(builder: &Builder<'_>) -> Option<TokenStream> {
    let waits = builder.model.waits_of(builder.operation)?;
    let output = own_output(builder.operation);
    let client = &builder.client;
    let (done, failed) = (&waits.done, &waits.failed);
    let docs = text(&format!(
        "The operation is complete if the response has a value at {}, and has failed if it has one at {}.",
        places(done),
        places(failed),
    ));
    let docs = attributes(&docs);
    Some(quote! {
        /// Polls until it is done. Await it for the last response, or take its `polls()` for all of them.
        ///
        #(#docs)*
        /// A failure is an error with the reason and the last response.
        pub fn wait(self) -> ::generated_client::waiting::Wait<#output> {
            static WAITER: ::generated_client::waiting::Waiter = ::generated_client::waiting::Waiter {
                done: &[#(#done),*],
                failed: &[#(#failed),*],
            };
            ::generated_client::waiting::Wait::new(self.#client.clone(), self.request(), &WAITER)
        }
    })
}

fn places(pointers: &[String]) -> String {
    let places: Vec<String> = pointers
        .iter()
        .map(|pointer| format!("`{pointer}`"))
        .collect();
    places.join(" or ")
}

/// `wait()` of the responses that name what can be waited for.
pub(super) fn submitted(model: &Model, operation: &Operation) -> TokenStream {
    let submissions = model.waits.iter().flat_map(|waits| {
        let submissions = waits.submissions.iter();
        submissions.map(|submission| (submission, &waits.operation))
    });
    // A type can have one method of the name: the first link to a response gives it, with the operation that it is of.
    let mut seen = Vec::new();
    let mut first = submissions.filter(|(submission, _)| {
        let is_first = !seen.contains(&&submission.response);
        seen.push(&submission.response);
        is_first && submission.operation == operation.id
    });
    let Some((submission, told_by)) = first.next() else {
        return TokenStream::new();
    };
    let Some(told_by) = model.operations.iter().find(|one| one.id == *told_by) else {
        return TokenStream::new();
    };
    let response = names::ident(&submission.response);
    let member = PathMember::to(&submission.response, &submission.property);
    let field = names::ident(&model.field(&member));
    let named = match model.presence_at(&member) {
        Presence::Optional => quote!(self.#field.as_ref()?),
        Presence::Certain | Presence::Promised => quote!(self.#field),
    };
    let method = names::ident(&told_by.rust_name);
    let handle = told_by.handle.as_deref().map(names::ident);
    let handle = handle.map(|name| quote!(.#name()));
    let output = output(told_by);
    let docs = text(&format!(
        "Polls [`{0}`]({1}) until the operation completes. Returns `None` if the response has no `{2}`, so that there is nothing to poll.",
        told_by.call(),
        builder_path(told_by),
        submission.property,
    ));
    let docs = attributes(&docs);
    let other = model.feature(told_by);
    let condition = condition(other.filter(|_| told_by.group != operation.group));
    quote! {
        #condition
        impl types::#response {
            #(#docs)*
            pub fn wait(&self, client: &crate::Client) -> Option<::generated_client::waiting::Wait<#output>> {
                let named = #named.as_str();
                (!named.is_empty()).then(|| client #handle.#method(named).wait())
            }
        }
    }
}
