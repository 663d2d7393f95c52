//! Named string types.

/// Implements the conversions, comparisons and the reading of a newtype over `String`: it is made from any string.
#[doc(hidden)]
#[macro_export]
macro_rules! __string {
    ($name:ident) => {
        impl $name {
            /// The string.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl ::std::convert::From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(::std::string::String::from(text))
            }
        }

        impl ::std::convert::From<::std::string::String> for $name {
            fn from(text: ::std::string::String) -> Self {
                Self(text)
            }
        }

        impl ::std::convert::From<&::std::string::String> for $name {
            fn from(text: &::std::string::String) -> Self {
                Self(::std::clone::Clone::clone(text))
            }
        }

        impl ::std::convert::From<&$name> for $name {
            fn from(other: &$name) -> Self {
                ::std::clone::Clone::clone(other)
            }
        }

        impl ::std::convert::AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl ::std::cmp::PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl ::std::cmp::PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        $crate::__newtype!($name, value);
    };
}

#[doc(inline)]
pub use crate::__string as string;
