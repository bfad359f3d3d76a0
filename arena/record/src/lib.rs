//! The canonical file of one game: header, actions, digests, outcome
