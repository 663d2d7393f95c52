//! The command line: a table of the operations, and for each the function that makes its call from the given arguments.

use openapi_document::readable;
use openapi_model::{Model, Operation, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::command_argument::{CommandArgument, kebab, unique};
use super::command_body::CommandBody;
use super::paths::{response_shape, shape};
use super::{docs, value};
use crate::types::docs::{attributes, condition, text};
use crate::types::rust_type::{TypeLocation, rust_type};

pub(super) fn emit(model: &Model) -> TokenStream {
    let about = readable::line(&format!("A client of the {}", model.title));
    let (mut groups, mut left_out) = (Vec::<(Option<&str>, Vec<TokenStream>)>::new(), Vec::new());
    for operation in &model.operations {
        let feature = model.feature(operation);
        match command(model, operation) {
            Some(command) => match groups.iter_mut().find(|(of, _)| *of == feature) {
                Some((_, commands)) => commands.push(command),
                None => groups.push((feature, vec![command])),
            },
            None => left_out.push(format!("`{}`", operation.rust_name)),
        }
    }
    let tables = groups
        .iter()
        .map(|(feature, commands)| table(*feature, commands));
    let (listed, tables): (Vec<_>, Vec<_>) = tables.unzip();
    let mut docs = vec![format!(
        "Runs the command line `{}` with these arguments; the first is the name of the program.",
        model.package.name
    )];
    if !left_out.is_empty() {
        let line = format!(
            "Operations whose body cannot be given on a command line are left out: {}.",
            left_out.join(", ")
        );
        docs.push(String::new());
        docs.extend(text(&line));
    }
    let docs = attributes(&docs);
    let import = (!tables.is_empty()).then(|| {
        quote! {
            use crate::operations;
        }
    });
    quote! {
        #import

        static PROGRAM: ::generated_cli::Program = ::generated_cli::Program {
            api: &crate::client::API,
            about: #about,
            commands: &[#(#listed),*],
        };

        #(#docs)*
        pub fn run<I>(arguments: I) -> ::std::process::ExitCode
        where
            I: IntoIterator,
            I::Item: Into<::std::ffi::OsString>,
        {
            ::generated_cli::main(&PROGRAM, arguments)
        }

        #(#tables)*
    }
}

/// The commands of a feature, or those that are always there: their place in the list of all, and their table.
fn table(feature: Option<&str>, commands: &[TokenStream]) -> (TokenStream, TokenStream) {
    let name = names::ident(&match feature {
        Some(feature) => format!("{}_COMMANDS", names::snake(feature).to_uppercase()),
        None => "COMMANDS".to_owned(),
    });
    let condition = condition(feature);
    let table = quote! {
        #condition
        static #name: &[::generated_cli::Command] = &[#(#commands),*];
    };
    (quote!(#condition #name), table)
}

/// The command of an operation; `None` for one with a required body that cannot be given there.
fn command(model: &Model, operation: &Operation) -> Option<TokenStream> {
    let arguments = value::arguments(model, operation);
    let mut given: Vec<CommandArgument<'_>> = Vec::new();
    for argument in arguments.iter().filter(|one| one.parameter.is_some()) {
        let name = unique(&argument.name.to_string(), &[given.as_slice()]);
        given.push(CommandArgument::of(model, argument, name, true));
    }
    let body = CommandBody::of(model, operation, &given);
    let needs_body = operation.bodies.iter().any(|body| body.required);
    if needs_body && body.is_none() {
        return None;
    }
    let call = call(model, operation, &given, body.as_ref());
    let pages = model.pages_of(operation);
    let does = match pages {
        Some(_) => quote!(Pages),
        None if model.waits_of(operation).is_some() || submits(model, operation).is_some() => {
            quote!(Waits)
        }
        None => quote!(Once),
    };
    let record = match pages {
        Some(pages) => shape(&rust_type(&pages.item, TypeLocation::Operations)),
        None => response_shape(operation),
    };
    let handle = operation.handle.as_deref().map(kebab).unwrap_or_default();
    let name = kebab(&operation.rust_name);
    let about = readable::lines(&docs::about(operation).join("\n"));
    let note = docs::price(model, operation).unwrap_or_default();
    let bodies = body.iter().flat_map(|body| &body.arguments);
    let arguments = given.iter().chain(bodies).map(CommandArgument::argument);
    let method = &operation.method;
    Some(quote! {
        ::generated_cli::Command {
            handle: #handle,
            name: #name,
            about: #about,
            note: #note,
            method: #method,
            arguments: &[#(#arguments),*],
            record: #record,
            does: ::generated_cli::Does::#does,
            call: #call,
        }
    })
}

/// Returns the code that builds the call of an operation.
fn call(
    model: &Model,
    operation: &Operation,
    given: &[CommandArgument<'_>],
    body: Option<&CommandBody<'_>>,
) -> TokenStream {
    let builder = names::ident(&operation.type_name);
    let (required, optional): (Vec<_>, Vec<_>) = given.iter().partition(|one| one.is_required);
    let mut values: Vec<TokenStream> = required.iter().map(|one| one.value()).collect();
    let mut setters: Vec<TokenStream> = optional.iter().map(|one| one.set(&quote!(call))).collect();
    if let Some(CommandBody {
        value, is_given, ..
    }) = body
    {
        if operation.bodies.iter().any(|body| body.required) {
            values.push(value.clone());
        } else {
            let setter = names::ident(&operation.body_name);
            setters.push(quote!(if #is_given { call = call.#setter(#value); }));
        }
    }
    let mutable = (!setters.is_empty()).then(|| quote!(mut));
    let call = quote! {
        let call = operations::#builder::new(client.clone(), #(#values),*);
        let #mutable call = arguments.with_extras(call);
    };
    let made = if model.pages_of(operation).is_some() {
        quote!(Ok(::generated_cli::Call::pages(call)))
    } else {
        made(model, operation)
    };
    quote! {
        |client, arguments| {
            #call
            #(#setters)*
            #made
        }
    }
}

/// The call of an operation without pages, with what it can wait for.
fn made(model: &Model, operation: &Operation) -> TokenStream {
    let once = quote!(::generated_cli::Call::once(client, call.request()));
    if model.waits_of(operation).is_some() {
        return quote!(Ok(#once.polls(move || call.clone().wait())));
    }
    let Some((response, status)) = submits(model, operation) else {
        return quote!(Ok(#once));
    };
    let response = names::ident(response);
    let submits = quote! {
        call.submits(|body: &types::#response, client| {
            body.wait(&::generated_client::ApiClient::wrap(client.clone()))
        })
    };
    // In a crate that is split by features, the status operation may be missing.
    match model
        .feature(status)
        .filter(|_| status.group != operation.group)
    {
        None => quote! {
            let call = #once;
            Ok(#submits)
        },
        Some(feature) => quote! {
            let call = #once;
            #[cfg(feature = #feature)]
            let call = #submits;
            Ok(call)
        },
    }
}

/// Returns the response of an operation that starts a job, and the operation that reports its progress.
fn submits<'m>(model: &'m Model, operation: &Operation) -> Option<(&'m str, &'m Operation)> {
    model.waits.iter().find_map(|waits| {
        let mut submissions = waits.submissions.iter();
        let submission = submissions.find(|one| one.operation == operation.id)?;
        let status = model
            .operations
            .iter()
            .find(|one| one.id == waits.operation)?;
        Some((submission.response.as_str(), status))
    })
}
