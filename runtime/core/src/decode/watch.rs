//! Notices one member of the body's outermost object while it is read; a separate pass would take as long as skipping the body.

/// The member to watch, and what was seen of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    /// `None` if no member is watched.
    name: Option<&'static str>,
    seen: Seen,
}

#[derive(Clone, Copy, Debug, Default)]
enum Seen {
    /// No object, or one that was read in several ways, or several members of this name.
    #[default]
    Doubtful,
    Absent,
    /// The index of its value.
    At(usize),
}

impl Watch {
    pub(crate) fn new(name: Option<&'static str>) -> Self {
        let seen = Seen::Doubtful;
        Self { name, seen }
    }

    /// Begins the outermost object.
    pub(super) fn begin(&mut self) {
        self.seen = Seen::Absent;
    }

    /// Notes that a value was read in part, and is read again in another way.
    pub(super) fn doubt(&mut self) {
        self.seen = Seen::Doubtful;
    }

    /// Compares the name of a member of the outermost object, whose value is at this index.
    pub(super) fn compare(&mut self, name: &str, at: usize) {
        if self.name == Some(name) {
            self.seen = match self.seen {
                Seen::Absent => Seen::At(at),
                Seen::At(_) | Seen::Doubtful => Seen::Doubtful,
            };
        }
    }

    /// Returns the index of the member's value in the body, or `Some(None)` if it is absent; `None` if neither is certain.
    pub(crate) fn seen(&self) -> Option<Option<usize>> {
        self.name?;
        match self.seen {
            Seen::Doubtful => None,
            Seen::Absent => Some(None),
            Seen::At(at) => Some(Some(at)),
        }
    }
}
