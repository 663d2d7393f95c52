//! One operation: parameters, body, responses, and what is said about it.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::diff::http::paths::{Item, Scope};
use crate::diff::schemas::comparison::{Comparison, Form, Mark, way};
use crate::diff::schemas::flat::flatten::Site;
use crate::diff::schemas::side::Side;
use crate::diff::verdicts::rules;
use crate::diff::verdicts::say::changed;

/// Where a parameter travels and which one of those it is.
type ParameterKey = (String, String);

impl<'d> Comparison<'d> {
    pub(in crate::diff) fn operations_of(
        &mut self,
        scope: Scope,
        old: (&Item<'d>, &'d Value),
        new: (&Item<'d>, &'d Value),
    ) {
        let (a, b) = (old.1, new.1);
        self.parameters(scope, old, new);
        self.body(scope, a, b);
        self.responses(scope, a, b);
        self.callbacks(scope, a, b);
        self.security(scope, a, b);
        self.servers(scope, (old.0.value, a), (new.0.value, b));
        self.deprecation(scope, a, b);
        let (x, y) = (a.get("operationId"), b.get("operationId"));
        if x != y {
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::OPERATION_ID,
                Mark::within(x, a),
                Mark::within(y, b),
                || changed("operationId", x, y),
            );
        }
        let (x, y) = (a.get("tags"), b.get("tags"));
        if !same_set(x, y) {
            self.direct(
                scope.operation,
                way::BOTH,
                &rules::DOCS_CHANGED,
                Mark::within(x, a),
                Mark::within(y, b),
                || changed("tags", x, y),
            );
        }
        let known = [
            "parameters",
            "requestBody",
            "responses",
            "callbacks",
            "security",
            "servers",
            "deprecated",
            "operationId",
            "tags",
        ];
        self.leftovers(&[scope.operation], way::BOTH, (a, b), &known);
    }

    fn deprecation(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let on = |value: &Value| value.get("deprecated") == Some(&Value::Bool(true));
        let rule = match (on(a), on(b)) {
            (false, true) => &rules::DEPRECATED,
            (true, false) => &rules::UNDEPRECATED,
            _ => return,
        };
        let (x, y) = (a.get("deprecated"), b.get("deprecated"));
        self.direct(
            scope.operation,
            way::BOTH,
            rule,
            Mark::within(x, a),
            Mark::within(y, b),
            || changed("deprecated", x, y),
        );
    }

    fn parameters(
        &mut self,
        scope: Scope,
        old: (&Item<'d>, &'d Value),
        new: (&Item<'d>, &'d Value),
    ) {
        let before = parameters(&mut self.old, old);
        let after = parameters(&mut self.new, new);
        for (key, a) in &before {
            match after.get(key) {
                Some(b) => self.parameter(scope, a, b),
                None => self.direct(
                    scope.operation,
                    scope.request,
                    &rules::PARAMETER_REMOVED,
                    Mark::at(a),
                    Mark::NONE,
                    || format!("the {} parameter `{}` is gone", key.0, name(a)),
                ),
            }
        }
        for (key, b) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
            let (rule, optional) = if is_required(b) {
                (&rules::PARAMETER_ADDED_REQUIRED, "required")
            } else {
                (&rules::PARAMETER_ADDED, "optional")
            };
            self.direct(
                scope.operation,
                scope.request,
                rule,
                Mark::NONE,
                Mark::at(b),
                || format!("the {optional} {} parameter `{}` is new", key.0, name(b)),
            );
        }
    }

    fn parameter(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let operation = scope.operation;
        let place = |value: &'d Value| value.get("in").and_then(Value::as_str).unwrap_or("query");
        if is_required(a) != is_required(b) {
            let (rule, now) = if is_required(b) {
                (&rules::PARAMETER_BECAME_REQUIRED, "required")
            } else {
                (&rules::PARAMETER_BECAME_OPTIONAL, "optional")
            };
            let marks = (Mark::at(a), Mark::at(b));
            self.direct(operation, scope.request, rule, marks.0, marks.1, || {
                format!("the parameter `{}` became {now}", name(b))
            });
        }
        self.deprecation(scope, a, b);
        let (x, y) = (a.get("allowEmptyValue"), b.get("allowEmptyValue"));
        let on = |value: Option<&Value>| value == Some(&Value::Bool(true));
        if on(x) != on(y) {
            let rule = if on(y) {
                &rules::NULL_ADDED
            } else {
                &rules::NULL_REMOVED
            };
            self.direct(
                operation,
                scope.request,
                rule,
                Mark::within(x, a),
                Mark::within(y, b),
                || changed("allowEmptyValue", x, y),
            );
        }
        self.written(scope, scope.request, (a, place(a)), (b, place(b)));
        let known = [
            "name",
            "in",
            "required",
            "deprecated",
            "allowEmptyValue",
            "schema",
            "content",
            "style",
            "explode",
            "allowReserved",
        ];
        self.leftovers(&[operation], scope.request, (a, b), &known);
    }

    /// The value of a parameter or header, and how it is written.
    fn written(
        &mut self,
        scope: Scope,
        ways: u8,
        old: (&'d Value, &'d str),
        new: (&'d Value, &'d str),
    ) {
        let (a, b) = (old.0, new.0);
        let content = |value: &'d Value| value.get("content");
        if content(a).is_some() && content(b).is_some() {
            return self.content(scope, ways, (a, b));
        }
        if content(a).is_some() || content(b).is_some() {
            return self.direct(
                scope.operation,
                ways,
                &rules::PARAMETER_STYLE,
                Mark::at(a),
                Mark::at(b),
                || "it is written by `content` on one side and by `schema` on the other".to_owned(),
            );
        }
        let (x, y) = (style(old), style(new));
        if x != y {
            // Where only plain values are allowed, a style that differs in lists writes the same.
            let say = |(style, explode, reserved): (&str, bool, bool)| {
                format!(
                    "`{style}`{}{}",
                    if explode { ", exploded" } else { "" },
                    if reserved { ", unescaped" } else { "" }
                )
            };
            self.direct(
                scope.operation,
                ways,
                &rules::PARAMETER_STYLE,
                style_mark(a),
                style_mark(b),
                || format!("the style changed from {} to {}", say(x), say(y)),
            );
        }
        let form = match y {
            ("form", true, _) => Form::Repeated,
            ("deepObject", ..) => Form::Text,
            _ => Form::Text,
        };
        let site = |value: &'d Value| Site::new(value.get("schema"), value);
        self.root(scope.operation, site(a), site(b), form, ways);
    }

    fn body(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let (x, y) = (a.get("requestBody"), b.get("requestBody"));
        let (x, y) = match (x, y) {
            (None, None) => return,
            (Some(x), None) => {
                return self.direct(
                    scope.operation,
                    scope.request,
                    &rules::BODY_REMOVED,
                    Mark::at(x),
                    Mark::NONE,
                    || "the body is gone".to_owned(),
                );
            }
            (None, Some(y)) => {
                let required = self.new.object(y).is_some_and(is_required);
                let (rule, optional) = if required {
                    (&rules::BODY_ADDED_REQUIRED, "required")
                } else {
                    (&rules::BODY_ADDED, "optional")
                };
                return self.direct(
                    scope.operation,
                    scope.request,
                    rule,
                    Mark::NONE,
                    Mark::at(y),
                    || format!("a body is new and {optional}"),
                );
            }
            (Some(x), Some(y)) => (x, y),
        };
        let Some((x, y)) = self.objects_of(scope, scope.request, x, y) else {
            return;
        };
        if is_required(x) != is_required(y) {
            let (rule, now) = if is_required(y) {
                (&rules::BODY_BECAME_REQUIRED, "required")
            } else {
                (&rules::BODY_BECAME_OPTIONAL, "optional")
            };
            self.direct(
                scope.operation,
                scope.request,
                rule,
                Mark::at(x),
                Mark::at(y),
                || format!("the body became {now}"),
            );
        }
        self.content(scope, scope.request, (x, y));
        self.leftovers(
            &[scope.operation],
            scope.request,
            (x, y),
            &["required", "content"],
        );
    }

    fn responses(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        let all = |operation: &'d Value| -> BTreeMap<String, &'d Value> {
            let map = operation.get("responses").and_then(Value::as_object);
            let listed = map
                .into_iter()
                .flatten()
                .filter(|(status, _)| !status.starts_with("x-"));
            listed
                .map(|(status, response)| (status.to_uppercase(), response))
                .collect()
        };
        let (before, after) = (all(a), all(b));
        let mut taken: Vec<&str> = Vec::new();
        for (status, x) in &before {
            let range = format!("{}XX", status.get(..1).unwrap_or_default());
            let found = after.get_key_value(status).or_else(|| {
                after
                    .get_key_value(&range)
                    .filter(|(range, _)| !before.contains_key(*range))
            });
            match found {
                Some((key, y)) => {
                    taken.push(key);
                    if let Some((x, y)) = self.objects_of(scope, scope.response, x, y) {
                        self.response(scope, x, y);
                    }
                }
                None => {
                    let rule = if is_success(status) {
                        &rules::RESPONSE_REMOVED
                    } else {
                        &rules::RESPONSE_ERROR_REMOVED
                    };
                    self.direct(
                        scope.operation,
                        scope.response,
                        rule,
                        Mark::at(x),
                        Mark::NONE,
                        || format!("the response {status} is gone"),
                    );
                }
            }
        }
        for (status, y) in after
            .iter()
            .filter(|(status, _)| !taken.contains(&status.as_str()))
        {
            let rule = if is_success(status) {
                &rules::RESPONSE_ADDED
            } else {
                &rules::RESPONSE_ERROR_ADDED
            };
            self.direct(
                scope.operation,
                scope.response,
                rule,
                Mark::NONE,
                Mark::at(y),
                || format!("the response {status} is new"),
            );
        }
        if let (Some(a), Some(b)) = (a.get("responses"), b.get("responses")) {
            let known: Vec<&str> = [a, b]
                .into_iter()
                .filter_map(Value::as_object)
                .flat_map(|map| map.keys())
                .map(String::as_str)
                .filter(|key| !key.starts_with("x-"))
                .collect();
            self.leftovers(&[scope.operation], scope.response, (a, b), &known);
        }
    }

    fn response(&mut self, scope: Scope, a: &'d Value, b: &'d Value) {
        self.content(scope, scope.response, (a, b));
        let all = |response: &'d Value| -> BTreeMap<String, &'d Value> {
            let map = response.get("headers").and_then(Value::as_object);
            // Said by the key of `content`.
            let listed = map
                .into_iter()
                .flatten()
                .filter(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
            listed
                .map(|(name, header)| (name.to_lowercase(), header))
                .collect()
        };
        let (before, after) = (all(a), all(b));
        for (name, x) in &before {
            match after.get(name) {
                Some(y) => {
                    if let Some((x, y)) = self.objects_of(scope, scope.response, x, y) {
                        self.header(scope, name, x, y);
                    }
                }
                None => {
                    let required = self.old.object(x).is_some_and(is_required);
                    let rule = if required {
                        &rules::HEADER_REMOVED_REQUIRED
                    } else {
                        &rules::HEADER_REMOVED
                    };
                    self.direct(
                        scope.operation,
                        scope.response,
                        rule,
                        Mark::at(x),
                        Mark::NONE,
                        || format!("the header `{name}` is gone"),
                    );
                }
            }
        }
        for (name, y) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            self.direct(
                scope.operation,
                scope.response,
                &rules::HEADER_ADDED,
                Mark::NONE,
                Mark::at(y),
                || format!("the header `{name}` is new"),
            );
        }
        let links = |response: &'d Value| response.get("links").and_then(Value::as_object);
        let (before, after) = (links(a), links(b));
        for name in before.into_iter().chain(after).flat_map(|map| map.keys()) {
            let get =
                |map: Option<&'d serde_json::Map<String, Value>>| map.and_then(|map| map.get(name));
            let (x, y) = (get(before), get(after));
            let same = match (x, y) {
                (Some(x), Some(y)) => self.old.object(x) == self.new.object(y),
                _ => false,
            };
            if !same {
                self.direct(
                    scope.operation,
                    scope.response,
                    &rules::LINK_CHANGED,
                    Mark::within(x, a),
                    Mark::within(y, b),
                    || changed(name, x, y),
                );
            }
        }
        self.leftovers(
            &[scope.operation],
            scope.response,
            (a, b),
            &["content", "headers", "links"],
        );
    }

    fn header(&mut self, scope: Scope, name: &str, a: &'d Value, b: &'d Value) {
        if is_required(a) != is_required(b) {
            let (rule, now) = if is_required(b) {
                (&rules::HEADER_BECAME_REQUIRED, "required")
            } else {
                (&rules::HEADER_BECAME_OPTIONAL, "optional")
            };
            self.direct(
                scope.operation,
                scope.response,
                rule,
                Mark::at(a),
                Mark::at(b),
                || format!("the header `{name}` became {now}"),
            );
        }
        self.deprecation(scope, a, b);
        self.written(scope, scope.response, (a, "header"), (b, "header"));
        let known = [
            "required",
            "deprecated",
            "schema",
            "content",
            "style",
            "explode",
            "allowReserved",
            "name",
            "in",
        ];
        self.leftovers(&[scope.operation], scope.response, (a, b), &known);
    }

    /// The two objects that are meant, or a note that one of them cannot be found.
    pub(in crate::diff) fn objects_of(
        &mut self,
        scope: Scope,
        ways: u8,
        x: &'d Value,
        y: &'d Value,
    ) -> Option<(&'d Value, &'d Value)> {
        let (a, b) = (self.old.object(x), self.new.object(y));
        let rule = match (a, b) {
            (Some(a), Some(b)) => {
                // In 3.1 a reference may have words beside it.
                if (x.get("$ref").is_some() || y.get("$ref").is_some())
                    && !(std::ptr::eq(a, x) || std::ptr::eq(b, y))
                {
                    self.leftovers(&[scope.operation], ways, (x, y), &["$ref"]);
                }
                return Some((a, b));
            }
            (None, None) if x == y => return None,
            (None, None) => &rules::UNHANDLED,
            (Some(_), None) => &rules::REFERENCE_BROKEN,
            (None, Some(_)) => &rules::REFERENCE_MENDED,
        };
        self.direct(
            scope.operation,
            ways,
            rule,
            Mark::at(x),
            Mark::at(y),
            || "the reference leads nowhere in this document".to_owned(),
        );
        None
    }
}

fn is_required(value: &Value) -> bool {
    value.get("required") == Some(&Value::Bool(true))
}

fn is_success(status: &str) -> bool {
    status.starts_with(['1', '2', '3'])
}

fn name(parameter: &Value) -> &str {
    parameter.get("name").and_then(Value::as_str).unwrap_or("?")
}

/// Style, explode and allowReserved as they are when nothing is said.
fn style<'d>((value, place): (&'d Value, &'d str)) -> (&'d str, bool, bool) {
    let default = if matches!(place, "query" | "cookie") {
        "form"
    } else {
        "simple"
    };
    let style = value
        .get("style")
        .and_then(Value::as_str)
        .unwrap_or(default);
    let explode = value
        .get("explode")
        .and_then(Value::as_bool)
        .unwrap_or(style == "form");
    let reserved = value
        .get("allowReserved")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    (style, explode, reserved)
}

fn style_mark(value: &Value) -> Mark<'_> {
    let said = ["style", "explode", "allowReserved"]
        .iter()
        .find_map(|keyword| value.get(keyword));
    Mark::within(said, value)
}

/// The parameters of an operation with those of its path; one of a path by its position in the template.
fn parameters<'d>(
    side: &mut Side<'d>,
    (item, operation): (&Item<'d>, &'d Value),
) -> BTreeMap<ParameterKey, &'d Value> {
    let mut all = BTreeMap::new();
    for holder in [item.value, operation] {
        for one in holder
            .get("parameters")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let Some(parameter) = side.object(one) else {
                let text = one.get("$ref").and_then(Value::as_str).unwrap_or_default();
                all.insert(("unresolved".to_owned(), text.to_owned()), one);
                continue;
            };
            let place = parameter
                .get("in")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let name = name(parameter);
            let name = match place {
                "header" => name.to_lowercase(),
                "path" => match item.names.iter().position(|other| *other == name) {
                    Some(position) => format!("{{{position}}}"),
                    None => name.to_owned(),
                },
                _ => name.to_owned(),
            };
            all.insert((place.to_owned(), name), parameter);
        }
    }
    all
}

/// Whether two lists have the same elements in any order.
pub(in crate::diff) fn same_set(a: Option<&Value>, b: Option<&Value>) -> bool {
    let items = |value: Option<&'_ Value>| -> HashSet<String> {
        value
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(Value::to_string)
            .collect()
    };
    a == b || items(a) == items(b)
}
