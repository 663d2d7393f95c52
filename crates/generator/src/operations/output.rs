//! The part of a builder that reads its response: as JSON, text, bytes or nothing, or by status code.

use openapi_model::{Content, EventForm, Model, Operation, Output, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::builder::{Builder, table_name};
use super::paths::{content_type, output_name, own_output, place};
use crate::types::docs::{attributes, text};
use crate::types::is_collection;

/// The row about the response in the table of a builder.
pub(super) fn row(operation: &Operation) -> TokenStream {
    let output = own_output(operation);
    match &operation.output {
        Output::One(content) => {
            let method = method(content);
            match content {
                Content::Json(_) if method == "collection" => quote!(send #method -> #output,),
                Content::Json(_) | Content::Records(_) => quote!(send -> #output,),
                _ => quote!(send #method,),
            }
        }
        Output::ByStatus(_) => quote!(send by_status -> #output,),
    }
}

/// Emits the method that sends the request and returns a stream; nothing for a response that is only JSON.
pub(super) fn send_stream(builder: &Builder<'_>) -> Option<TokenStream> {
    let (operation, client) = (builder.operation, &builder.client);
    let streamed = operation.streamed.as_ref()?;
    let request = if operation.accept.as_ref() == Some(streamed) {
        quote!(let request = self.request();)
    } else {
        quote! {
            let mut request = self.request();
            request.accept(#streamed);
        }
    };
    let size = if builder.model.is_metered {
        " size. [`ResponseStream`](crate::stream::ResponseStream) explains the price of streams."
    } else {
        " size: a [`ResponseStream`](crate::stream::ResponseStream)."
    };
    let mut item = None;
    let mut call = quote!(self.#client.send_stream(request).await);
    let mut asks = vec![format!("It requests `{streamed}`.")];
    if let Some(items) = &operation.stream_items {
        let ty = place(&items.schema);
        let form = form(&items.form);
        item = Some(quote!(<#ty>));
        call = quote! {
            let stream = self.#client.send_stream(request).await?;
            Ok(stream.of(#form))
        };
        let items =
            "[`items`](crate::stream::ResponseStream::items) decodes its items as documented,";
        let events = "and [`events`](crate::stream::ResponseStream::events) also has the other fields of each event.";
        asks.extend([items.to_owned(), events.to_owned()]);
    }
    let asks = attributes(&text(&asks.join(" ")));
    Some(quote! {
        /// Makes the call, and returns when the head of a success has arrived. Its body follows as a stream, of any
        #[doc = #size]
        ///
        #(#asks)*
        ///
        /// # Errors
        ///
        /// Those of [`send`](Self::send), up to the head. After it, errors are items of the stream.
        pub async fn send_stream(self) -> Result<::generated_client::stream::ResponseStream #item, ::generated_client::Error> {
            #request
            #call
        }
    })
}

/// Returns the source of a stream's items.
fn form(form: &EventForm) -> TokenStream {
    let form = match form {
        EventForm::Data => quote!(Data),
        EventForm::Event(texts) => quote!(Event { texts: &[#(#texts),*] }),
        EventForm::Text => quote!(Text),
        EventForm::TextData => quote!(TextData),
    };
    quote!(::generated_client::stream::EventForm::#form)
}

/// Returns the code that reads stored bytes as the response of an operation; nothing for a response without a type, or for the second
/// operation of a type.
pub(super) fn documented(model: &Model, operation: &Operation) -> Option<TokenStream> {
    fn name(operation: &Operation) -> Option<&str> {
        match &operation.output {
            Output::One(Content::Json(place)) if !place.nullable => place.reference(),
            _ => None,
        }
    }
    let type_name = name(operation)?;
    let mut operations = model.operations.iter();
    let first = operations.find(|one| name(one) == Some(type_name))?;
    if first.id != operation.id {
        return None;
    }
    let type_name = names::ident(type_name);
    let table = table_name(operation);
    Some(quote!(::generated_client::documented!(types::#type_name, #table);))
}

/// The enum of success responses that differ by status code; nothing for any other operation.
pub(super) fn by_status(operation: &Operation) -> Option<TokenStream> {
    let Output::ByStatus(contents) = &operation.output else {
        return None;
    };
    let name = output_name(operation);
    let docs = format!(
        " The success responses of `{}`, by status code.",
        operation.id
    );
    let variants = contents.iter().map(|(status, content)| {
        let docs = format!(" Status {status}.");
        let variant = variant(status);
        let content = match content {
            Content::Nothing => None,
            content => {
                let content = content_type(content);
                Some(quote!((#content)))
            }
        };
        quote! {
            #[doc = #docs]
            #variant #content,
        }
    });
    // A range has all success codes that are not listed.
    let mut statuses = contents.iter().map(|(status, _)| status);
    let has_range = statuses.any(|status| status.parse::<u16>().is_err());
    let other = (!has_range).then(|| {
        quote! {
            /// A status code that the document does not have. `raw` of the response has the body.
            Undocumented,
        }
    });
    let arms = contents.iter().map(|(status, content)| {
        let (pattern, method, variant) = (pattern(status), method(content), variant(status));
        match content {
            Content::Nothing => quote!(#pattern => response.#method().map(|()| Self::#variant),),
            _ => quote!(#pattern => response.#method().map(Self::#variant),),
        }
    });
    let other_arm = other.as_ref().map(|_| quote!(_ => Ok(Self::Undocumented),));
    Some(quote! {
        #[doc = #docs]
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            #other
        }

        impl #name {
            fn read(
                response: &::generated_client::response::Undecoded,
            ) -> Result<Self, ::generated_client::response::Unreadable> {
                match response.status() {
                    #(#arms)*
                    #other_arm
                }
            }
        }
    })
}

fn method(content: &Content) -> syn::Ident {
    names::ident(match content {
        Content::Json(place) if !place.nullable && is_collection(place) => "collection",
        Content::Json(_) | Content::Records(_) => "json",
        Content::Text => "text",
        Content::Bytes => "bytes",
        Content::Nothing => "nothing",
    })
}

fn pattern(status: &str) -> TokenStream {
    match status.parse::<u16>() {
        Ok(code) => {
            let code = proc_macro2::Literal::u16_unsuffixed(code);
            quote!(#code)
        }
        Err(_) => quote!(_),
    }
}

fn variant(status: &str) -> syn::Ident {
    let name = match status {
        "200" => "Ok",
        "201" => "Created",
        "202" => "Accepted",
        "203" => "NonAuthoritative",
        "204" => "NoContent",
        "205" => "ResetContent",
        "206" => "PartialContent",
        "207" => "MultiStatus",
        "208" => "AlreadyReported",
        "226" => "ImUsed",
        other => return names::ident(&names::pascal(&format!("status {other}"))),
    };
    names::ident(name)
}
