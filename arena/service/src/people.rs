//! The ids under which people appear in records: one kind for accounts, one for guests.

use std::fmt;

use arena_record::Hex;
use arena_rooms::PersonId;
use arena_store::{AccountId, StoreError, random_bytes};
use sha2::{Digest, Sha256};

/// Separates the hash that makes a guest's id from all other hashes.
const GUEST_TAG: &[u8] = b"arena/guest/1";

/// Set in the first byte of guests' ids and never in those of accounts, whose numbers are positive.
const GUEST_BIT: u8 = 0x80;

/// The id of an account's player in records.
pub fn person_of_account(account: AccountId) -> PersonId {
    PersonId(Hex(account.0.to_be_bytes()))
}

/// The account with this id; `None` if it is a guest's. Only the store knows whether the account exists.
pub fn account_of_person(person: PersonId) -> Option<AccountId> {
    let PersonId(Hex(bytes)) = person;
    (bytes[0] & GUEST_BIT == 0).then(|| AccountId(i64::from_be_bytes(bytes)))
}

/// The secret in a guest's browser, which identifies the guest. It has no `Display`, so that it gets into no log by
/// accident.
#[derive(Clone)]
pub struct GuestSecret([u8; 32]);

/// A text that is not a guest's secret. Contains nothing of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the secret of a guest")]
pub struct NotAGuest;

impl GuestSecret {
    /// Draws a new one from the operating system's source of secrets.
    ///
    /// # Errors
    /// When that source fails.
    pub fn random() -> Result<GuestSecret, StoreError> {
        random_bytes().map(GuestSecret)
    }

    /// Parses the 64 hex digits of a secret.
    ///
    /// # Errors
    /// When the text is anything else.
    pub fn parse(text: &str) -> Result<GuestSecret, NotAGuest> {
        let secret: Hex<32> = text.parse().map_err(|_| NotAGuest)?;
        Ok(GuestSecret(secret.0))
    }

    /// The text, for the guest's browser and nothing else.
    pub fn expose(&self) -> String {
        Hex(self.0).to_string()
    }

    /// The guest's id in records. The secret cannot be found from it.
    pub fn person(&self) -> PersonId {
        let digest = Sha256::new().chain_update(GUEST_TAG).chain_update(self.0).finalize();
        let mut number: [u8; 8] = std::array::from_fn(|index| digest[index]);
        number[0] |= GUEST_BIT;
        PersonId(Hex(number))
    }
}

impl fmt::Debug for GuestSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuestSecret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_and_their_numbers_are_one_to_one() {
        for number in [0, 1, 255, 256, i64::MAX] {
            let account = AccountId(number);
            assert_eq!(account_of_person(person_of_account(account)), Some(account));
        }
        assert_eq!(person_of_account(AccountId(161)).to_string(), "00000000000000a1");
    }

    #[test]
    fn guests_never_have_an_accounts_number() {
        for _ in 0..1_000 {
            let guest = GuestSecret::random().expect("secrets").person();
            assert_eq!(account_of_person(guest), None, "{guest}");
        }
    }

    #[test]
    fn a_secret_is_the_same_guest_for_ever_and_shows_itself_only_when_asked() {
        let text = "0123456789abcdef".repeat(4);
        let secret = GuestSecret::parse(&text).expect("a secret");
        assert_eq!(secret.expose(), text);
        // Pinned because it is in records: computing it differently would cut guests off from their games.
        assert_eq!(secret.person().to_string(), "aec97d21565b3198");
        assert_eq!(format!("{secret:?}"), "GuestSecret(..)");
        for bad in ["", "0", &text[1..], &text.to_uppercase()] {
            assert_eq!(GuestSecret::parse(bad).map(|_| ()), Err(NotAGuest), "{bad}");
        }
    }
}
