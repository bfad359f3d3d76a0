//! The numbers by which people stand in records: those of accounts, and those of guests.

use std::fmt;

use arena_record::Hex;
use arena_rooms::PersonId;
use arena_store::{AccountId, StoreError, random_bytes};
use sha2::{Digest, Sha256};

/// Sets the hash that makes a guest's number apart from all others.
const GUEST_TAG: &[u8] = b"arena/guest/1";

/// Set in the first byte of guests' numbers, never in those of accounts, which are positive.
const GUEST_BIT: u8 = 0x80;

/// The number by which the player with this account stands in records.
pub fn person_of_account(account: AccountId) -> PersonId {
    PersonId(Hex(account.0.to_be_bytes()))
}

/// The account with this number; `None` when it is a guest's. Whether there is such an account is for the store to say.
pub fn account_of_person(person: PersonId) -> Option<AccountId> {
    let PersonId(Hex(bytes)) = person;
    (bytes[0] & GUEST_BIT == 0).then(|| AccountId(i64::from_be_bytes(bytes)))
}

/// What a guest's browser keeps: the one who has it is that guest. There is no `Display`, so that it gets into no log by
/// accident.
#[derive(Clone)]
pub struct GuestSecret([u8; 32]);

/// A text that is not the secret of a guest. Says nothing of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not the secret of a guest")]
pub struct NotAGuest;

impl GuestSecret {
    /// A new one, from the operating system's source of secrets.
    ///
    /// # Errors
    /// When that source fails.
    pub fn random() -> Result<GuestSecret, StoreError> {
        random_bytes().map(GuestSecret)
    }

    /// The secret that a text of 64 hex digits stands for.
    ///
    /// # Errors
    /// When it is not such a text.
    pub fn parse(text: &str) -> Result<GuestSecret, NotAGuest> {
        let secret: Hex<32> = text.parse().map_err(|_| NotAGuest)?;
        Ok(GuestSecret(secret.0))
    }

    /// The text, for the guest's browser and nothing else.
    pub fn expose(&self) -> String {
        Hex(self.0).to_string()
    }

    /// The number by which the guest stands in records. Nobody finds the secret from it.
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
        // Stands in records: another way to make it would make guests strangers to their games.
        assert_eq!(secret.person().to_string(), "aec97d21565b3198");
        assert_eq!(format!("{secret:?}"), "GuestSecret(..)");
        for bad in ["", "0", &text[1..], &text.to_uppercase()] {
            assert_eq!(GuestSecret::parse(bad).map(|_| ()), Err(NotAGuest), "{bad}");
        }
    }
}
