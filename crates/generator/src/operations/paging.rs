//! The part of a builder that pages: the request of the next page, and the location of the records.

use openapi_document::pointer;
use openapi_model::extensions::Step;
use openapi_model::{PageSource, PageStyle, PageTarget, Pages, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::builder::Builder;
use super::option;
use super::paths::output;
use super::records::RecordPath;
use super::value::Argument;
use crate::types::rust_type::{TypeLocation, rust_type};

/// Emits `pages()`, `items()` and what the runtime needs for them; nothing for an operation without pages.
pub(super) fn emit(builder: &Builder<'_>) -> Option<TokenStream> {
    let (model, operation) = (builder.model, builder.operation);
    let pages = model.pages_of(operation)?;
    let path = RecordPath { model, pages };
    let constants = constants(&path);
    let request = request(builder, pages)?;
    let item = rust_type(&pages.item, TypeLocation::Operations);
    let page = output(operation);
    let name = names::ident(&operation.type_name);
    let echoed_offset = pages.echoed_offset.as_ref().map(|member| {
        let offset = path.number(member);
        quote! {
            fn echoed_offset(page: &#page) -> Option<u64> {
                #offset
            }
        }
    });
    let lists = path.lists(&page, &item);
    let made = if model.is_metered {
        "requested, and billed,"
    } else {
        "requested"
    };
    Some(quote! {
            ::generated_client::paged!(#name, #made);

            impl ::generated_client::paging::Paged for #name {
                #constants

                type Page = #page;
                type Item = #item;

                #request

                #echoed_offset

                #lists
            }
    })
}

/// The methods that lead to the request of a page, which has its size and its number, and the parameter that this depends on; `None` if
/// no argument has the number.
fn request(builder: &Builder<'_>, pages: &Pages) -> Option<TokenStream> {
    let client = &builder.client;
    let size = pages.limit.as_ref().map(|limit| {
        let (wire, place) = (limit.name(), page_size(builder, limit));
        quote!(, size(#wire #place))
    });
    let number = match pages.style.number() {
        Some(PageTarget::Parameter(parameter)) => {
            let field = &argument_of(&builder.arguments, parameter)?.name;
            Some(quote!(, number(#field)))
        }
        // The runtime writes what is in a body.
        _ => None,
    };
    let pagination = builder.operation.pagination.as_ref();
    let needed = pagination.and_then(|pagination| {
        let wire = pagination.requires.as_deref()?;
        let argument = argument_of(&builder.arguments, wire)?;
        let name = &argument.name;
        (!argument.required).then(|| quote!(, with(#name #wire)))
    });
    Some(quote!(::generated_client::page_request!(#client #size #number #needed);))
}

/// Returns the argument of a parameter, by its name on the wire.
fn argument_of<'a, 'm>(arguments: &'a [Argument<'m>], wire: &str) -> Option<&'a Argument<'m>> {
    let mut arguments = arguments.iter();
    arguments.find(|argument| argument.parameter.is_some_and(|one| one.name == wire))
}

/// Returns the constants for the runtime that differ from the defaults.
fn constants(path: &RecordPath<'_>) -> TokenStream {
    let pages = path.pages;
    let pointers = &pages.list;
    let list = (!pointers.is_empty())
        .then(|| quote!(const LIST: &'static [&'static str] = &[#(#pointers),*];));
    let source_type = quote!(Option<::generated_client::paging::Source>);
    let style = style(&pages.style);
    let more = pages.more.as_ref().map(|more| {
        let more = source(more);
        quote!(const MORE: #source_type = Some(#more);)
    });
    let total = match &pages.total_header {
        Some(name) => Some(PageSource::Header(name.clone())),
        None if pages.total.is_some() && path.may_lack_its_list() => {
            Some(PageSource::Body(pages.total_pointers.clone()))
        }
        None => None,
    };
    let total = total.map(|total| {
        let total = source(&total);
        quote!(const TOTAL: #source_type = Some(#total);)
    });
    let short = pages.short_is_last.then(|| {
        quote!(
            const SHORT_IS_LAST: bool = true;
        )
    });
    let in_body = match pages.style.number() {
        Some(PageTarget::Body { pointer, .. }) => {
            Some(quote!(const OFFSET_IN_BODY: Option<&'static str> = Some(#pointer);))
        }
        _ => None,
    };
    quote!(#list #style #more #total #short #in_body)
}

fn source(source: &PageSource) -> TokenStream {
    let source = match source {
        PageSource::Body(pointers) => quote!(Body(&[#(#pointers),*])),
        PageSource::Header(name) => quote!(Header(#name)),
    };
    quote!(::generated_client::paging::Source::#source)
}

fn target(target: &PageTarget) -> TokenStream {
    let target = match target {
        PageTarget::Parameter(name) => quote!(Query(#name)),
        PageTarget::Body {
            pointer,
            is_integer: true,
        } => quote!(Integer(#pointer)),
        PageTarget::Body { pointer, .. } => quote!(Text(#pointer)),
    };
    quote!(::generated_client::paging::Target::#target)
}

/// Returns the style of the next page's request; `None` for offsets, the default.
fn style(style: &PageStyle) -> Option<TokenStream> {
    let style = match style {
        PageStyle::Offset { .. } => return None,
        PageStyle::Number { first, pages, .. } => {
            let first = proc_macro2::Literal::u64_unsuffixed(*first);
            let pages = option(pages.as_ref().map(source));
            quote!(Number { first: #first, pages: #pages })
        }
        PageStyle::Cursor { target: to, next } => {
            let (target, next) = (target(to), source(next));
            quote!(Cursor { target: #target, next: #next })
        }
        PageStyle::Link { next } => {
            let next = source(next);
            quote!(Link { next: #next })
        }
        PageStyle::LinkHeader { relation } => quote!(LinkHeader { relation: #relation }),
    };
    Some(quote! {
        const STYLE: ::generated_client::paging::Style = ::generated_client::paging::Style::#style;
    })
}

/// Returns the place of the size of a page, with its documented default; nothing if no argument has it.
fn page_size(builder: &Builder<'_>, limit: &PageTarget) -> Option<TokenStream> {
    let (place, default) = match limit {
        PageTarget::Parameter(limit) => {
            let argument = argument_of(&builder.arguments, limit)?;
            let name = &argument.name;
            (quote!(#name), argument.default.as_ref())
        }
        PageTarget::Body { pointer, .. } => {
            let body = builder.operation.bodies.first();
            let steps: Vec<Step> = pointer::tokens(pointer).map(Step::Member).collect();
            let found = body.and_then(|body| builder.model.follow(&body.schema, &steps));
            let default = found.and_then(|(_, place)| place.default.as_ref());
            (quote!(#pointer), default)
        }
    };
    let default = default.and_then(serde_json::Value::as_u64).map(|default| {
        let default = proc_macro2::Literal::u64_unsuffixed(default);
        quote!(or #default)
    });
    Some(quote!(#place #default))
}
