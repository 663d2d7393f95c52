//! What the journal says of the inputs of a run, and the notes of the records of a list.

use std::time::Duration;

use crate::call::Source;
use crate::ended::Ended;
use crate::extent::Extent;
use crate::inputs::Input;
use crate::money::{Begun, Journal};
use generated_client::paging::Position;

/// The inputs that need a call.
pub(crate) struct Left<'i> {
    pub(crate) open: Vec<&'i Input>,
    /// Those that are called on demand only.
    pub(crate) held: Vec<&'i Input>,
}

/// Returns the inputs that need a call. `is_again`: the demand is made.
pub(crate) fn left<'i>(
    journal: &Journal,
    inputs: &'i [Input],
    extent: Extent,
    window: Option<Duration>,
    is_again: bool,
) -> Left<'i> {
    let wanted = extent.wanted;
    let left = inputs
        .iter()
        .filter(|input| !journal.is_done(&input.name, wanted));
    let (open, held) = left.partition(|input| is_again || !journal.is_unsure(&input.name, window));
    Left { open, held }
}

/// Notes behind which record a run is, and whether it has all of a page.
pub(crate) fn note_record(begun: &Begun, source: &dyn Source) -> Result<(), Ended> {
    let position: Position = source.position();
    let is_within = source.is_ready() || position.delivered_of_page() > 0;
    Ok(if source.is_over() {
        // Behind the last page there is only that page to ask for again.
        begun.done()
    } else {
        begun.at(position, is_within)
    }?)
}
