//! Code that reads the records of a page, its totals, and the keys of its lists.

use openapi_model::{Branch, Model, Pages, PathMember, Presence, names};
use proc_macro2::TokenStream;
use quote::quote;

/// Code that reads the records of a page.
pub(super) struct RecordPath<'m> {
    pub(super) model: &'m Model,
    pub(super) pages: &'m Pages,
}

impl RecordPath<'_> {
    /// A number that a member of a page has.
    pub(super) fn number(&self, member: &PathMember) -> TokenStream {
        self.value(quote!(page), std::slice::from_ref(member), number_at)
    }

    /// The methods about the lists of a page: each by reference, with its total and its key, and the records of each by value.
    pub(super) fn lists(&self, page: &TokenStream, item: &TokenStream) -> TokenStream {
        if let Some(records) = self.only() {
            let total = match &self.pages.total {
                Some(total) => {
                    let leads = self.pages.items.iter().take(total.after);
                    let members: Vec<PathMember> = leads.chain(&total.members).cloned().collect();
                    self.value(quote!(page), &members, number_at)
                }
                None => quote!(None),
            };
            return quote!(::generated_client::page_list!(page, #records, #total););
        }
        let (lists, records) = (self.collected(true), self.collected(false));
        quote! {
            fn lists(page: &#page) -> Vec<::generated_client::paging::List<'_, #item>> {
                #lists
            }

            #[inline]
            fn into_records(page: #page) -> Vec<::generated_client::Records<#item>> {
                #records
            }
        }
    }

    /// Returns whether a page may have no list, although the path to it passes through no array. Its total is then read apart.
    pub(super) fn may_lack_its_list(&self) -> bool {
        self.only().is_none() && !self.pages.items.iter().rev().skip(1).any(|one| one.is_list)
    }

    /// The records of a page that always has one list.
    fn only(&self) -> Option<TokenStream> {
        let members = &self.pages.items;
        let leads = members
            .split_last()
            .map(|(_, leads)| leads)
            .unwrap_or_default();
        let is_one = leads
            .iter()
            .all(|member| !member.is_list && self.model.presence_at(member).is_plain());
        (is_one && self.pages.key.is_none()).then(|| {
            members.iter().fold(quote!(page), |at, member| {
                let field = names::ident(&self.model.field(member));
                quote!(#at.#field)
            })
        })
    }

    fn collected(&self, by_reference: bool) -> TokenStream {
        let pushes = self.walk(quote!(page), 0, by_reference);
        quote! {
            let mut lists = Vec::new();
            #pushes
            lists
        }
    }

    fn walk(&self, at: TokenStream, depth: usize, by_reference: bool) -> TokenStream {
        let Some((member, rest)) = self.pages.items.get(depth..).and_then(<[_]>::split_first)
        else {
            return TokenStream::new();
        };
        let field = names::ident(&self.model.field(member));
        let borrow = by_reference.then(|| quote!(&));
        let branches = by_reference.then(|| {
            let total = self.branch(&self.pages.total, depth, &at, "total", number_at);
            let key = self.branch(&self.pages.key, depth, &at, "key", text_at);
            quote!(#total #key)
        });
        let onward = if rest.is_empty() {
            if by_reference {
                let total = branch_member(&self.pages.total, "total");
                let key = match &self.pages.key {
                    // One name for the lists of several elements.
                    Some(key) if self.goes_through_lists_after(key) => quote!(key: key.clone()),
                    key => branch_member(key, "key"),
                };
                quote!(lists.push(::generated_client::paging::List { #key, records: &#at.#field, #total });)
            } else {
                quote!(lists.push(#at.#field);)
            }
        } else {
            let next = names::ident(&format!("at_{}", depth + 1));
            let inner = self.walk(quote!(#next), depth + 1, by_reference);
            if member.is_list {
                quote!(for #next in #borrow #at.#field { #inner })
            } else if self.model.presence_at(member).is_plain() {
                quote!(let #next = #borrow #at.#field; #inner)
            } else {
                quote!(if let Some(#next) = #borrow #at.#field { #inner })
            }
        };
        quote!(#branches #onward)
    }

    /// A `let` for what leaves the path to the records here.
    fn branch(
        &self,
        branch: &Option<Branch>,
        depth: usize,
        at: &TokenStream,
        name: &str,
        read: Read,
    ) -> Option<TokenStream> {
        let branch = branch.as_ref().filter(|branch| branch.after == depth)?;
        let value = self.value(at.clone(), &branch.members, read);
        let name = names::ident(name);
        Some(quote!(let #name = #value;))
    }

    /// The value at the end of a path through objects.
    fn value(&self, at: TokenStream, members: &[PathMember], read: Read) -> TokenStream {
        let Some((member, rest)) = members.split_first() else {
            return quote!(None);
        };
        let field = names::ident(&self.model.field(member));
        let is_last = rest.is_empty();
        let presence = self.model.presence_at(member);
        match (presence.is_plain(), is_last) {
            (_, true) => read(quote!(#at.#field), presence),
            (true, false) => self.value(quote!(#at.#field), rest, read),
            (false, false) => {
                let inner = self.value(quote!(value), rest, read);
                quote!(#at.#field.as_ref().and_then(|value| #inner))
            }
        }
    }

    fn goes_through_lists_after(&self, branch: &Branch) -> bool {
        let after = self.pages.items.get(branch.after..).unwrap_or_default();
        after.iter().any(|member| member.is_list)
    }
}

/// Code that reads a place as an option, from a present value or from an option.
type Read = fn(place: TokenStream, presence: Presence) -> TokenStream;

fn number_at(place: TokenStream, presence: Presence) -> TokenStream {
    match presence {
        Presence::Certain | Presence::Promised => quote!(u64::try_from(#place).ok()),
        Presence::Optional => quote!(#place.and_then(|value| u64::try_from(value).ok())),
    }
}

fn text_at(place: TokenStream, presence: Presence) -> TokenStream {
    match presence {
        Presence::Certain | Presence::Promised => quote!(Some(#place.to_string())),
        Presence::Optional => quote!(#place.as_ref().map(ToString::to_string)),
    }
}

/// A member of a literal, from the variable of that name if it exists.
fn branch_member(branch: &Option<Branch>, name: &str) -> TokenStream {
    let name = names::ident(name);
    match branch {
        None => quote!(#name: None),
        Some(_) => quote!(#name),
    }
}
