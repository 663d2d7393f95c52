//! The parts of builders and answers that wait: for an operation that tells how far something is, and for those that start it.

use proc_macro2::TokenStream;
use quote::quote;

use super::paths::{builder_path, output};
use crate::names;
use crate::openapi::{Hop, Model, Operation};
use crate::types::docs::{attributes, text};

/// `wait()` of the operation that tells; nothing for any other.
pub(super) fn wait(model: &Model, operation: &Operation) -> Option<TokenStream> {
    let waits = model
        .waits
        .iter()
        .find(|waits| waits.operation == operation.id)?;
    let output = output(operation);
    let (done, failed) = (&waits.done, &waits.failed);
    let docs = text(&format!(
        "It is done once there is a value at {}, and has failed once there is one at {}, whatever else the answer says.",
        places(done),
        places(failed),
    ));
    let docs = attributes(&docs);
    Some(quote! {
        /// Asks again and again until it is done: await it for the last answer, or take its `polls()` for all of them.
        ///
        #(#docs)*
        /// A failure is an error that has the reason and the last answer.
        pub fn wait(self) -> ::metered_client::Wait<#output> {
            static WAITER: ::metered_client::Waiter = ::metered_client::Waiter {
                done: &[#(#done),*],
                failed: &[#(#failed),*],
            };
            ::metered_client::Wait::new(self.client.clone(), self.request(), &WAITER)
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

/// `wait()` of the answers that name what can be waited for.
pub(super) fn submitted(model: &Model, operation: &Operation) -> TokenStream {
    let submissions = model.waits.iter().flat_map(|waits| {
        let submissions = waits.submissions.iter();
        submissions.map(|submission| (submission, &waits.operation))
    });
    // A type can have one method of the name: the first link to an answer gives it, with the operation that it is of.
    let mut seen = Vec::new();
    let mut first = submissions.filter(|(submission, _)| {
        let is_first = !seen.contains(&&submission.answer);
        seen.push(&submission.answer);
        is_first && submission.operation == operation.id
    });
    let Some((submission, told_by)) = first.next() else {
        return TokenStream::new();
    };
    let Some(told_by) = model.operations.iter().find(|one| one.id == *told_by) else {
        return TokenStream::new();
    };
    let answer = names::ident(&submission.answer);
    let hop = Hop::to(&submission.answer, &submission.property);
    let field = names::ident(&model.field(&hop));
    let named = match model.insists_on(&hop) {
        true => quote!(&self.#field),
        false => quote!(self.#field.as_ref()?),
    };
    let method = names::ident(&told_by.rust_name);
    let output = output(told_by);
    let docs = text(&format!(
        "Waits until what was asked for is done, by [`{0}`]({1}); `None` when the answer has no `{2}`, so that there is nothing to wait for.",
        told_by.rust_name,
        builder_path(told_by),
        submission.property,
    ));
    let docs = attributes(&docs);
    quote! {
        impl types::#answer {
            #(#docs)*
            pub fn wait(&self, client: &crate::Client) -> Option<::metered_client::Wait<#output>> {
                let named = #named;
                Some(client.#method(named.as_str()).wait())
            }
        }
    }
}
