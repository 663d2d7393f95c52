//! One schema has one Rust type in every place: as a field, an element, a body, a parameter, an alternative, or a named type.

use std::collections::BTreeMap;

use client_generator::emit::Code;
use client_generator::generate;
use openapi_document::source::Source;
use openapi_model::{Content, Integer, Output, ParameterType, Place, Shape, Usage};
use openapi_overrides::OverrideReport;
use quote::ToTokens;

use crate::support::{Inputs, Workspace, repository};

/// Schemas by content, each with its Rust types and the locations of each.
#[derive(Default)]
struct Types(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl Types {
    fn note(&mut self, place: &Place, usage: Usage, ty: &syn::Type, at: &str) {
        let types = self.0.entry(said(place, usage)).or_default();
        types.entry(plain(ty)).or_default().push(at.to_owned());
    }

    /// Records the types of all locations in a crate.
    fn note_all(&mut self, code: &Code) {
        let mut structs = BTreeMap::new();
        for item in &code.types.items {
            if let syn::Item::Struct(item) = item {
                structs.insert(item.ident.to_string(), &item.fields);
            }
        }
        for schema in &code.model.schemas {
            let Some(fields) = structs.get(&schema.name) else {
                continue;
            };
            match &schema.place.shape {
                Shape::Object(object) => {
                    // Fields are in the order of the properties.
                    for (property, field) in object.properties.iter().zip(fields.iter()) {
                        self.note(&property.place, schema.usage, &field.ty, &property.pointer);
                    }
                }
                Shape::Tuple(elements) => {
                    for (element, field) in elements.iter().zip(fields.iter()) {
                        self.note(element, schema.usage, &field.ty, &schema.pointer);
                    }
                }
                Shape::List(_) | Shape::Map(_) => {
                    for field in *fields {
                        self.note(&schema.place, schema.usage, &field.ty, &schema.pointer);
                    }
                }
                _ => {}
            }
        }
        for operation in &code.model.operations {
            let mut builder = Builder::default();
            let items = code.operations.iter().flat_map(|module| &module.file.items);
            items.for_each(|item| builder.read(item, &operation.type_name));
            if let (Output::One(Content::Json(place)), Some(ty)) =
                (&operation.output, &builder.response)
            {
                self.note(place, BOTH, ty, &operation.success_pointer);
            }
            for parameter in &operation.parameters {
                // A number is accepted within the documented bounds, and a list is one of such numbers.
                let is_taken = matches!(parameter.kind, ParameterType::Typed(_));
                if let (true, Some(ty)) = (is_taken, builder.fields.get(&parameter.rust_name)) {
                    self.note(&parameter.schema, BOTH, ty, &parameter.pointer);
                }
            }
        }
    }
}

/// Usage of the parts of an operation.
const BOTH: Usage = Usage {
    request: true,
    response: true,
};

/// Returns the parts of a schema on which its type depends, for this direction.
fn said(place: &Place, usage: Usage) -> String {
    let mut said = Place {
        shape: place.shape.clone(),
        rust_type: place.rust_type.clone(),
        format: place.format.clone(),
        constant: place.constant.clone(),
        ..Place::default()
    };
    match &mut said.shape {
        Shape::List(items) => {
            return format!("list of {} {:?}", self::said(items, usage), said.rust_type);
        }
        Shape::Map(openapi_model::Others::Of(others)) => {
            return format!("map of {} {:?}", self::said(others, usage), said.rust_type);
        }
        _ => {}
    }
    // Bounds decide in requests.
    format!("{said:?} {:?}", Integer::of(place, usage))
}

/// Removes from a type the parts for optional, paged or large values.
fn plain(ty: &syn::Type) -> String {
    let syn::Type::Path(path) = ty else {
        return ty.to_token_stream().to_string();
    };
    let last = path.path.segments.last().unwrap();
    let mut arguments = Vec::new();
    if let syn::PathArguments::AngleBracketed(given) = &last.arguments {
        for argument in &given.args {
            if let syn::GenericArgument::Type(inner) = argument {
                arguments.push(plain(inner));
            }
        }
    }
    let name = last.ident.to_string();
    match (name.as_str(), arguments.as_slice()) {
        ("Option" | "Nullable" | "Box", [inner]) => inner.clone(),
        ("Records", [inner]) => format!("Vec<{inner}>"),
        (name, []) => name.to_owned(),
        (name, several) => format!("{name}<{}>", several.join(", ")),
    }
}

/// The fields of a builder, and the type of its response.
#[derive(Default)]
struct Builder {
    fields: BTreeMap<String, syn::Type>,
    response: Option<syn::Type>,
}

impl Builder {
    /// Reads what an item says of the builder of this name: its struct, or the rows of its macro.
    fn read(&mut self, item: &syn::Item, name: &str) {
        match item {
            syn::Item::Struct(item) if item.ident == name => {
                let named = item.fields.iter().filter_map(|field| {
                    let name = field.ident.as_ref()?.to_string();
                    Some((name, field.ty.clone()))
                });
                self.fields.extend(named);
            }
            syn::Item::Macro(item) if item.mac.path.segments.last().unwrap().ident == "builder" => {
                let tokens = item.mac.tokens.to_string();
                let rows = tokens
                    .strip_prefix(name)
                    .filter(|rows| rows.starts_with(" {"));
                let send = rows.and_then(|rows| {
                    rows.split_once("send ->")
                        .or_else(|| rows.split_once("send collection ->"))
                });
                let output =
                    send.and_then(|(_, rest)| rest.trim_end_matches(['}', ' ']).strip_suffix(','));
                self.response = output
                    .and_then(|ty| syn::parse_str(ty).ok())
                    .or(self.response.take());
            }
            _ => {}
        }
    }
}

fn check(code: &Code, name: &str) -> usize {
    let mut types = Types::default();
    types.note_all(code);
    for (said, types) in &types.0 {
        assert_eq!(types.len(), 1, "{name}: {said} is {types:?}");
    }
    types.0.len()
}

fn code(document: String) -> Code {
    let source = Source::parse("openapi.yaml", document).unwrap();
    generate::code(&source, &OverrideReport::default()).unwrap()
}

#[test]
fn in_the_documents_of_the_repository_each_schema_has_one_type() {
    let mut count = 0;
    let reconciled = Inputs::committed().reconciled();
    let own = generate::code(&reconciled.source, &reconciled.report).unwrap();
    count += check(&own, "the document");
    for layout in xtask::test_documents(&crate::support::tool::layout(repository())).unwrap() {
        let text = std::fs::read_to_string(layout.root.join(&layout.document)).unwrap();
        count += check(&code(text), &layout.document);
    }
    for fixture in ["bookshop", "oddities", "zoo"] {
        let workspace = Workspace::fixture(fixture);
        let layout = workspace.layout();
        count += check(&code(workspace.read(&layout.document)), fixture);
    }
    assert!(count > 150, "{count}");
}

#[test]
fn a_schema_that_stands_everywhere_has_one_type() {
    let scalars = [
        "{}",
        "{type: string}",
        "{type: string, format: date-time}",
        "{type: string, format: password}",
        "{type: string, format: uuid}",
        "{type: string, format: decimal}",
        "{type: string, format: byte}",
        "{type: string, x-rust-type: TextDate}",
        "{type: number, x-rust-type: Credits}",
        "{type: integer}",
        "{type: integer, format: uint64}",
        "{type: number}",
        "{type: boolean}",
        "{type: object}",
        "{type: object, additionalProperties: true}",
        "{type: object, additionalProperties: {}}",
        "{$ref: '#/components/schemas/Own'}",
        "{$ref: '#/components/schemas/Names'}",
    ];
    let mut all: Vec<String> = Vec::new();
    for scalar in scalars {
        all.push(scalar.to_owned());
        all.push(format!("{{type: array, items: {scalar}}}"));
        all.push(format!("{{type: object, additionalProperties: {scalar}}}"));
        all.push(format!(
            "{{type: array, items: {{type: array, items: {scalar}}}}}"
        ));
    }
    for schema in all {
        let code = code(everywhere(&schema));
        let mut types = Types::default();
        types.note_all(&code);
        let things = code.model.schema("Things").unwrap();
        let said = said(things.property("received").unwrap(), things.usage);
        let types = &types.0[&said];
        assert_eq!(types.len(), 1, "{schema}: {types:?}");
        let places: usize = types.values().map(Vec::len).sum();
        assert!(places >= 6, "{schema}: {types:?}");
    }
}

/// Returns a document with one schema as a body, as a field in responses, requests and both, under a name, in a tuple and in a list.
fn everywhere(schema: &str) -> String {
    format!(
        "openapi: 3.1.0
info: {{title: Places, version: '1'}}
paths:
  /body:
    get:
      operationId: body
      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {schema}}}}}}}}}
  /things:
    get:
      operationId: things
      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Things'}}}}}}}}}}
    post:
      operationId: send
      requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Sent'}}}}}}}}
      responses: {{'200': {{description: ok, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Sent'}}}}}}}}}}
components:
  schemas:
    Things:
      type: object
      required: [named]
      properties:
        received: {schema}
        list: {{type: array, items: {schema}}}
        map: {{type: object, additionalProperties: {schema}}}
        pair: {{$ref: '#/components/schemas/Pair'}}
    Sent:
      type: object
      required: [demanded]
      properties:
        demanded: {schema}
        free: {schema}
        listed: {{type: array, items: {schema}}}
    Pair:
      type: array
      prefixItems: [{schema}, {schema}]
      minItems: 2
      maxItems: 2
    Own: {{type: object, properties: {{a: {{type: string}}}}}}
    Names: {{type: array, items: {{type: string}}}}
    Listed: {{type: object, properties: {{own: {{$ref: '#/components/schemas/Own'}}, names: {{$ref: '#/components/schemas/Names'}}}}}}
"
    )
}
