//! The shapes of the types of Rust that values of JSON have.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::shape::{Shape, Shaped};

macro_rules! shaped {
    ($($type:ty: $shape:ident,)*) => {$(
        impl Shaped for $type {
            const SHAPE: &'static Shape = &Shape::$shape;
        }
    )*};
}

shaped! {
    i8: Integer,
    i16: Integer,
    i32: Integer,
    i64: Integer,
    i128: Integer,
    u8: Integer,
    u16: Integer,
    u32: Integer,
    u64: Integer,
    f64: Number,
    bool: Boolean,
    String: Text,
    (): Null,
    Value: Any,
    Box<RawValue>: Any,
}

impl<T: Shaped> Shaped for Box<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    const ELEMENT: &'static Shape = T::ELEMENT;
}

impl<T: Shaped> Shaped for Option<T> {
    const SHAPE: &'static Shape = T::SHAPE;
    const ELEMENT: &'static Shape = &Shape::OneOf(&[Shape::of::<T>, Shape::of::<()>]);
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: &'static Shape = &Shape::List(Shape::of_element::<T>);
}

impl<T: Shaped> Shaped for BTreeMap<String, T> {
    const SHAPE: &'static Shape = &Shape::Object {
        properties: &[],
        others: Some(Shape::of_element::<T>),
    };
}

impl Shaped for Map<String, Value> {
    const SHAPE: &'static Shape = BTreeMap::<String, Value>::SHAPE;
}
