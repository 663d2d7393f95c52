//! Methods of generated clients whose calls cost credits.

/// Gives the client of a generated crate the methods about its budget and its prices, from its field `core`.
#[doc(hidden)]
#[macro_export]
macro_rules! metered_client {
    ($name:ident) => {
        impl $name {
            /// Returns the budget: what this client's calls have cost, and their limit.
            #[must_use]
            pub fn budget(&self) -> &$crate::Budget {
                self.core.budget()
            }

            /// Returns a client whose calls spend at most this much of the budget. It shares everything else, and its spending counts here too.
            /// Without a limit, its budget only counts.
            #[must_use]
            pub fn scoped(
                &self,
                limit: impl ::std::convert::Into<::std::option::Option<$crate::Credits>>,
            ) -> Self {
                $crate::ApiClient::wrap(self.core.scoped(limit))
            }

            /// Returns the observed prices, by operation and by the arguments that may affect the price. Clones and scoped clients share them.
            #[must_use]
            pub fn prices(&self) -> ::std::vec::Vec<$crate::money::SeenPrice> {
                self.core.prices()
            }
        }
    };
}
