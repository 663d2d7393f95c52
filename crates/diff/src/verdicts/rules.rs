//! Every kind of change that the comparison distinguishes, with its effect on a client that was written for the old document.
//! The verdict depends on who writes the value: narrowing what a client may send breaks it, and so does widening what it receives.

use Wire::{Breaking, Risky, Safe};
use serde::Serialize;

use super::wire::Wire;

/// One kind of change.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Stable id: the changed thing, a dot, the kind of change.
    pub id: &'static str,
    /// Verdict if a client sends the value.
    pub request: Wire,
    /// Verdict if a client receives the value.
    pub response: Wire,
    /// Reason of the verdict, in one sentence.
    pub reason: &'static str,
    /// Part of a document that the rule is about.
    #[serde(skip)]
    pub part: Part,
}

/// Part of a document that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Content of messages.
    Message,
    /// Credentials that operations require.
    Security,
    /// Descriptions, examples and titles.
    Docs,
    /// Extensions.
    Extension,
    /// Notation alone.
    Spelling,
    /// Ids of operations, and links, which are in no message.
    Hint,
    /// Components that no operation uses.
    Unused,
    /// Version of the document.
    Version,
    /// Anything that no rule covers.
    Unknown,
}

impl Rule {
    /// Returns whether a change is about documentation for people, and nothing else.
    pub fn is_docs(&self) -> bool {
        self.part == Part::Docs
    }

    /// Returns whether a change is about the credentials that operations require.
    pub fn is_security(&self) -> bool {
        self.part == Part::Security
    }

    /// Returns whether a change matters to no reader of a report, unless it breaks a caller's build.
    pub fn is_quiet(&self) -> bool {
        matches!(self.part, Part::Docs | Part::Extension | Part::Spelling)
    }

    /// Returns whether a change leaves the meaning of every schema and operation as it was: documentation, hints, and unused components.
    pub fn keeps_meaning(&self) -> bool {
        matches!(
            self.part,
            Part::Docs | Part::Hint | Part::Unused | Part::Version
        )
    }

    /// Returns the rule for a change of a member of an object: for an extension, that of extensions.
    pub(crate) fn of_member(name: &str, otherwise: &'static Self) -> &'static Self {
        if name.starts_with("x-") {
            &EXTENSION_CHANGED
        } else {
            otherwise
        }
    }
}

macro_rules! rules {
    (@part) => { Part::Message };
    (@part $part:ident) => { Part::$part };
    ($($name:ident $id:literal $request:ident $response:ident $reason:literal $(of $part:ident)?;)*) => {
        $(pub(in crate) static $name: Rule = Rule {
            id: $id,
            request: $request,
            response: $response,
            reason: $reason,
            part: rules!(@part $($part)?),
        };)*

        /// All rules. In those of operations and their parts, "request" is the message of a client;
        /// in webhooks and callbacks it is the other way round, because there the client sends the response.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    TYPE_CHANGED "schema.type-changed" Breaking Breaking "Neither type contains the other, so a value of one is refused or misread as the other.";
    TYPE_NARROWED "schema.type-narrowed" Breaking Safe "A client may send less than before; it can already read all that it receives.";
    TYPE_WIDENED "schema.type-widened" Safe Breaking "A client receives a kind of value that it was not written for.";
    NULL_ADDED "schema.null-added" Safe Breaking "A client receives null where it was promised a value.";
    NULL_REMOVED "schema.null-removed" Breaking Safe "A null that was allowed is refused.";
    CONST_CHANGED "schema.const-changed" Breaking Breaking "The only allowed value is no longer allowed.";
    ENUM_INTRODUCED "schema.enum-introduced" Breaking Safe "Any other value of the type is refused.";
    ENUM_LIFTED "schema.enum-lifted" Safe Breaking "A client that knows the enum values receives any value of the type.";
    ENUM_VALUE_ADDED "schema.enum-value-added" Safe Risky "A client that switches over the enum values without a default fails; one that keeps unknown values does not.";
    ENUM_VALUE_REMOVED "schema.enum-value-removed" Breaking Safe "An enum value that a client may be sending is refused.";
    BOUND_ADDED "schema.bound-added" Breaking Safe "Values beyond the bound are refused.";
    BOUND_REMOVED "schema.bound-removed" Safe Breaking "A client receives values beyond the bounds that it expects.";
    BOUND_TIGHTENED "schema.bound-tightened" Breaking Safe "Values between the two bounds are refused.";
    BOUND_LOOSENED "schema.bound-loosened" Safe Breaking "A client receives values beyond the bounds that it expects.";
    PATTERN_ADDED "schema.pattern-added" Breaking Safe "Strings that do not match are refused.";
    PATTERN_REMOVED "schema.pattern-removed" Safe Risky "A client that parses the string by the pattern may receive another one.";
    PATTERN_CHANGED "schema.pattern-changed" Risky Risky "Whether one pattern contains the other is unknown.";
    FORMAT_NARROWED "schema.format-narrowed" Breaking Safe "Values that lack the format are refused.";
    FORMAT_WIDENED "schema.format-widened" Safe Breaking "A client that parses the format receives values that lack it.";
    FORMAT_CHANGED "schema.format-changed" Breaking Breaking "A value of one format is not a value of the other.";
    ENCODING_CHANGED "schema.content-encoding-changed" Breaking Breaking "The same bytes mean something else.";
    STEP_ADDED "schema.multiple-of-added" Breaking Safe "Numbers between the steps are refused.";
    STEP_REMOVED "schema.multiple-of-removed" Safe Breaking "A client receives numbers between the steps.";
    STEP_CHANGED "schema.multiple-of-changed" Breaking Breaking "Neither set of steps contains the other.";
    UNIQUE_ADDED "schema.unique-items-added" Breaking Safe "Lists with a repeated element are refused.";
    UNIQUE_REMOVED "schema.unique-items-removed" Safe Breaking "A client that keeps a set loses elements.";
    CLOSED "schema.closed" Breaking Safe "Properties that the schema does not name are refused.";
    OPENED "schema.opened" Safe Breaking "A client may receive properties that the schema does not name.";
    NAMES_ADDED "schema.pattern-properties-added" Breaking Safe "Values under the names that match are constrained.";
    NAMES_REMOVED "schema.pattern-properties-removed" Safe Breaking "Values under the names that match may be anything.";
    DEPENDENT_ADDED "schema.dependency-added" Breaking Safe "Objects that have the one property and lack the other are refused.";
    DEPENDENT_REMOVED "schema.dependency-removed" Safe Breaking "A client receives the one property without the other.";
    CONDITION_ADDED "schema.condition-added" Breaking Safe "Values that do not meet it are refused.";
    CONDITION_REMOVED "schema.condition-removed" Safe Breaking "A client receives values that do not meet it.";
    ALTERNATIVE_ADDED "schema.alternative-added" Safe Breaking "A client receives a shape that it was not written for.";
    ALTERNATIVE_REMOVED "schema.alternative-removed" Breaking Safe "A shape that a client may be sending is refused.";
    ALTERNATIVES_INTRODUCED "schema.alternatives-introduced" Breaking Safe "Besides the earlier conditions, a value must fit an alternative.";
    ALTERNATIVES_LIFTED "schema.alternatives-lifted" Safe Breaking "A client receives values that fit none of the alternatives.";
    ALTERNATIVES_OVERLAP "schema.alternatives-overlap" Breaking Safe "A `oneOf` refuses a value that fits two of its alternatives.";
    ALTERNATIVES_KIND "schema.alternatives-kind-changed" Risky Risky "Values that fit several alternatives are allowed by one document and refused by the other.";
    DISCRIMINATOR_ADDED "schema.discriminator-added" Safe Safe "It repeats what the alternatives say.";
    DISCRIMINATOR_REMOVED "schema.discriminator-removed" Safe Risky "A client that chooses by the property has to choose by shape.";
    DISCRIMINATOR_CHANGED "schema.discriminator-changed" Risky Risky "A client chooses by another property.";
    DISCRIMINATOR_VALUE_CHANGED "schema.discriminator-value-changed" Breaking Breaking "The value selects another alternative, and the alternative has another value.";
    DISCRIMINATOR_VALUE_ADDED "schema.discriminator-value-added" Safe Risky "A client that switches over the values without a default fails.";
    DISCRIMINATOR_VALUE_REMOVED "schema.discriminator-value-removed" Breaking Safe "A value that a client may be sending is refused.";
    DEFAULT_CHANGED "schema.default-changed" Risky Risky "A client that leaves the value out gets another one, without any error.";
    DEFAULT_ADDED "schema.default-added" Safe Safe "It states what was left open before.";
    XML_CHANGED "schema.xml-changed" Risky Risky "In XML the names of elements change; in JSON nothing does.";
    READ_ONLY_ADDED "schema.read-only-added" Risky Safe "A client that sends the value is ignored or refused.";
    READ_ONLY_REMOVED "schema.read-only-removed" Safe Safe "A client may send what it could only receive.";
    WRITE_ONLY_ADDED "schema.write-only-added" Safe Breaking "A client no longer receives the value.";
    WRITE_ONLY_REMOVED "schema.write-only-removed" Safe Safe "A client receives what it could only send.";
    PROPERTY_ADDED "property.added" Safe Safe "A client may leave it out, and objects may have more properties than a client reads.";
    PROPERTY_ADDED_REQUIRED "property.added-required" Breaking Safe "Requests without it are refused.";
    PROPERTY_REMOVED "property.removed" Risky Risky "A sent value is no longer read; a client may miss the received one, although it was optional.";
    PROPERTY_REMOVED_REQUIRED "property.removed-required" Risky Breaking "A client no longer receives what it was promised; a sent value is no longer read.";
    PROPERTY_REFUSED "property.removed-and-refused" Breaking Risky "The schema is closed, so a request with the property is refused; a client may miss the received value.";
    PROPERTY_REFUSED_REQUIRED "property.removed-required-and-refused" Breaking Breaking "The schema is closed, so a request with the property is refused; a client no longer receives what it was promised.";
    PROPERTY_RENAMED "property.renamed" Risky Risky "A value sent under the old name is no longer read; a client may miss the received one.";
    PROPERTY_RENAMED_REFUSED "property.renamed-and-refused" Breaking Risky "The schema is closed, so a request with the old name is refused; a client may miss the received value.";
    PROPERTY_RENAMED_REQUIRED "property.renamed-required" Breaking Breaking "Requests without the new name are refused; a client no longer receives what it was promised.";
    BECAME_REQUIRED "property.became-required" Breaking Safe "Requests without it are refused.";
    BECAME_OPTIONAL "property.became-optional" Safe Breaking "A client no longer receives it every time.";

    OPERATION_ADDED "operation.added" Safe Safe "No client calls it yet.";
    OPERATION_REMOVED "operation.removed" Breaking Breaking "Calls of it fail.";
    OPERATION_ID "operation.id-changed" Safe Safe "The id is not sent; generated names follow it." of Hint;
    PARAMETER_ADDED "parameter.added" Safe Safe "It may be left out.";
    PARAMETER_ADDED_REQUIRED "parameter.added-required" Breaking Safe "Requests without it are refused.";
    PARAMETER_REMOVED "parameter.removed" Risky Breaking "Most services ignore what they do not know, so the call succeeds and does something else; some refuse it.";
    PARAMETER_BECAME_REQUIRED "parameter.became-required" Breaking Safe "Requests without it are refused.";
    PARAMETER_BECAME_OPTIONAL "parameter.became-optional" Safe Breaking "A receiver no longer gets it every time.";
    PARAMETER_DEFAULT "parameter.default-changed" Breaking Risky "A request that leaves it out, as most do, gets another response without an error.";
    PARAMETER_LIST "parameter.became-list" Safe Breaking "A single value is written like a list of one.";
    PARAMETER_RESPELLED "parameter.type-respelled" Safe Safe "As plain strings, the values are the same.";
    PARAMETER_STYLE "parameter.style-changed" Breaking Breaking "The same value is written another way.";
    BODY_ADDED "body.added" Safe Safe "It may be left out.";
    BODY_ADDED_REQUIRED "body.added-required" Breaking Safe "Requests without it are refused.";
    BODY_REMOVED "body.removed" Breaking Breaking "The content of the body is no longer sent.";
    BODY_BECAME_REQUIRED "body.became-required" Breaking Safe "Requests without it are refused.";
    BODY_BECAME_OPTIONAL "body.became-optional" Safe Breaking "A receiver no longer gets it every time.";
    MEDIA_TYPE_ADDED "media-type.added" Safe Safe "A client receives it only on request.";
    MEDIA_TYPE_REMOVED "media-type.removed" Breaking Breaking "A client that sends or reads only this one no longer works.";
    MEDIA_TYPE_WIDENED "media-type.widened" Safe Breaking "A client that reads only this one receives others.";
    MEDIA_TYPE_RESTRICTED "media-type.narrowed" Breaking Safe "Other media types of the range are refused.";
    MEDIA_TYPE_NARROWED "media-type.specialised" Risky Safe "A more special name of the same syntax: readers of the old one can read it.";
    MEDIA_ENCODING "media-type.encoding-changed" Breaking Breaking "The parts of the body are written another way.";
    RESPONSE_ADDED "response.success-added" Safe Risky "A client meets a success that it was not written for.";
    RESPONSE_REMOVED "response.success-removed" Safe Breaking "The success that a client waits for does not come.";
    RESPONSE_WIDENED "response.widened" Safe Risky "A client meets a status code that it was not written for.";
    RESPONSE_NARROWED "response.narrowed" Breaking Safe "Fewer status codes come than a client was written for.";
    RESPONSE_SINGLED_OUT "response.singled-out" Safe Safe "The status code was documented before, together with others.";
    RESPONSE_ERROR_ADDED "response.error-added" Safe Safe "Any call can fail, whether documented or not.";
    RESPONSE_ERROR_REMOVED "response.error-removed" Safe Safe "A client that handles it never receives it; nothing else changes.";
    HEADER_ADDED "header.added" Safe Safe "A client ignores headers that it does not know.";
    HEADER_ADDED_REQUIRED "header.added-required" Breaking Safe "A message without it is refused.";
    HEADER_REMOVED "header.removed" Safe Risky "It was optional, but a client may miss it.";
    HEADER_REMOVED_REQUIRED "header.removed-required" Safe Breaking "A client no longer receives what it was promised.";
    HEADER_BECAME_REQUIRED "header.became-required" Breaking Safe "A client receives it every time.";
    HEADER_BECAME_OPTIONAL "header.became-optional" Safe Breaking "A client no longer receives it every time.";
    CALLBACK_ADDED "callback.added" Safe Safe "It is sent to clients that request it.";
    CALLBACK_REMOVED "callback.removed" Breaking Breaking "A client never receives it.";
    LINK_CHANGED "link.changed" Safe Safe "A link is a hint: the messages stay the same." of Hint;
    SECURITY_TIGHTENED "security.tightened" Breaking Breaking "Credentials that were enough no longer are." of Security;
    SECURITY_LOOSENED "security.loosened" Safe Safe "More credentials are accepted." of Security;
    SECURITY_SCHEME "security.scheme-changed" Breaking Breaking "The credential is written another way, or in another place." of Security;
    SECURITY_FLOW "security.flow-changed" Risky Risky "A client gets its tokens elsewhere, or with other scopes." of Security;
    SERVER_ADDED "server.added" Safe Safe "The other servers are still there.";
    SERVER_HOST_ADDED "server.host-added" Risky Risky "A client that takes this server sends its credentials to another host.";
    SERVER_HOST_CHANGED "server.host-changed" Breaking Breaking "Calls of the operation and their credentials go to another host, or a client that has only one host fails.";
    SERVER_REMOVED "server.removed" Risky Risky "Calls to its address may fail; many documents list servers that callers never use.";
    DEPRECATED "deprecated" Safe Safe "It works as before, for now.";
    UNDEPRECATED "deprecation-withdrawn" Safe Safe "It is going to stay.";
    DOCS_CHANGED "docs.changed" Safe Safe "Descriptions for people: the messages stay the same." of Docs;
    EXTENSION_CHANGED "extension.changed" Safe Safe "An extension concerns one tool, and the messages stay the same." of Extension;
    COMPONENT_ADDED "component.added" Safe Safe "No operation uses it." of Unused;
    COMPONENT_REMOVED "component.removed" Safe Safe "No operation used it." of Unused;
    COMPONENT_CHANGED "component.changed" Safe Safe "No operation uses it." of Unused;
    VERSION_SAME "version.unchanged" Safe Safe "The version tells clients that there is something new." of Version;
    VERSION_COMPATIBLE "version.not-breaking" Safe Safe "By semver, a breaking change raises the first number of the version, and before 1.0.0 the second." of Version;
    NO_EFFECT "no-effect" Safe Safe "The messages stay the same." of Spelling;
    REFERENCE_UNKNOWN "reference.unknown" Risky Risky "Content outside of the document may have changed.";
    REFERENCE_BROKEN "reference.broken" Risky Risky "The content of the place is no longer known.";
    REFERENCE_MENDED "reference.mended" Risky Risky "The earlier content of the place is unknown.";
    UNHANDLED "unhandled" Risky Risky "No rule knows what this does." of Unknown;
}
