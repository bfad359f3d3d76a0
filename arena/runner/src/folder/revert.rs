//! Taking back games that a machine reported wrongly.

use arena_record::Header;

use super::Folder;
use super::error::FolderError;

impl Folder {
    /// Removes the first game of the journal for which `is_wrong`, given its header and the text of its result, returns
    /// true and everything after it, since later games may follow from it, including changes. Returns the number of
    /// games removed; they are played again when the folder is resumed.
    ///
    /// # Errors
    /// When the folder cannot be read or written.
    pub fn take_back(mut self, mut is_wrong: impl FnMut(&Header, &str) -> bool) -> Result<usize, FolderError> {
        // First, so that a kill in between leaves a folder that can be resumed.
        self.remove_derived()?;
        let (plan, settled) = (&self.plan, &self.course.settled);
        let cut = self
            .journal
            .cut(|number, text| settled.game(number).is_some_and(|game| is_wrong(&plan.header(&game), text)));
        cut.map_err(|source| FolderError::Journal { path: self.path.clone(), source })
    }

    /// Every game of the journal with its header and the text of its result, whether it counts or not, in no particular
    /// order.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn texts(&self) -> impl Iterator<Item = Result<(Header, String), FolderError>> {
        (0..self.course.settled.len()).filter_map(|number| {
            let header = self.plan.header(&self.course.settled.game(number)?);
            match self.journal.text(number) {
                Ok(text) => text.map(|text| Ok((header, text))),
                Err(source) => Some(Err(FolderError::Journal { path: self.path.clone(), source })),
            }
        })
    }
}
