//! Tokens of accounts.

use arena_store::{
    AccessToken, AccountId, Credential, Limits, NewToken, NotASecret, Scope, Token, TokenError, TokenId,
};

use super::{Fixture, NOW, display, fixture, fixture_with, later};

impl Fixture {
    async fn token(&self, account: AccountId, name: &str, seconds: i64) -> (Token, AccessToken) {
        let new = NewToken { name: display(name), scope: Scope::Submit, expires_at: later(seconds) };
        self.store.create_token(account, &new, NOW).await.expect("a token")
    }
}

#[tokio::test]
async fn a_token_opens_its_account_until_it_expires() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (made, secret) = fixture.token(ada.id, "laptop", 100).await;
    assert_eq!((made.name.as_str(), made.scope, made.created_at), ("laptop", Scope::Submit, NOW));
    assert_eq!((made.expires_at, made.used_at), (later(100), None));
    let typed = AccessToken::parse(&format!(" {}\n", secret.expose())).expect("its own text");
    for (at, open) in [(0, true), (99, true), (100, false), (101, false)] {
        let found = fixture.store.account_by_token(&typed, later(at)).await.expect("read");
        assert_eq!(found, open.then(|| (ada.clone(), made.clone())), "after {at} s");
    }
    assert_eq!(fixture.store.tokens_of(ada.id).await.expect("read"), [made], "over, and still listed");
    let (_, foreign) = super::fixture().await.account_with_token().await;
    assert_eq!(fixture.store.account_by_token(&foreign, NOW).await.expect("read"), None);
}

impl Fixture {
    async fn account_with_token(&self) -> (AccountId, AccessToken) {
        let (account, _) = self.account("Eve").await;
        (account.id, self.token(account.id, "phone", 100).await.1)
    }
}

#[tokio::test]
async fn the_last_use_is_noted_and_never_goes_back() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (first, _) = fixture.token(ada.id, "laptop", 100).await;
    let (second, _) = fixture.token(ada.id, "laptop", 100).await;
    for (at, noted) in [(5, 5), (9, 9), (7, 9)] {
        fixture.store.note_use(first.id, later(at)).await.expect("noted");
        let used: Vec<_> =
            fixture.store.tokens_of(ada.id).await.expect("read").into_iter().map(|t| t.used_at).collect();
        assert_eq!(used, [Some(later(noted)), None]);
    }
    assert!(second.id > first.id);
    fixture.store.note_use(TokenId(99_999), NOW).await.expect("nothing happens");
}

#[tokio::test]
async fn only_its_account_revokes_a_token_and_numbers_are_not_given_again() {
    let fixture = fixture().await;
    let (ada, _) = fixture.account("Ada").await;
    let (bob, _) = fixture.account("Bob").await;
    let (token, secret) = fixture.token(ada.id, "laptop", 100).await;
    assert!(!fixture.store.revoke_token(bob.id, token.id).await.expect("written"));
    assert!(fixture.store.account_by_token(&secret, NOW).await.expect("read").is_some());
    for there in [true, false] {
        assert_eq!(fixture.store.revoke_token(ada.id, token.id).await.expect("written"), there);
    }
    assert_eq!(fixture.store.account_by_token(&secret, NOW).await.expect("read"), None);
    let (next, _) = fixture.token(ada.id, "laptop", 100).await;
    assert!(next.id > token.id, "{next:?}");
}

#[tokio::test]
async fn tokens_end_with_the_code() {
    let fixture = fixture().await;
    let (ada, secret) = fixture.account_with_token().await;
    let (bob, _) = fixture.account("Bob").await;
    let (_, kept) = fixture.token(bob.id, "phone", 100).await;
    fixture.store.replace_code(ada).await.expect("a code");
    assert_eq!(fixture.store.account_by_token(&secret, NOW).await.expect("read"), None);
    assert!(fixture.store.tokens_of(ada).await.expect("read").is_empty());
    assert!(fixture.store.account_by_token(&kept, NOW).await.expect("read").is_some());
}

#[tokio::test]
async fn an_account_has_tokens_up_to_the_limit_and_those_that_are_over_make_way() {
    let fixture = fixture_with(Limits { tokens_per_account_max: 2, ..Limits::DEFAULT }).await;
    let (ada, _) = fixture.account("Ada").await;
    fixture.token(ada.id, "one", 10).await;
    fixture.token(ada.id, "two", 20).await;
    let new = NewToken { name: display("three"), scope: Scope::All, expires_at: later(99) };
    let refused = fixture.store.create_token(ada.id, &new, later(9)).await;
    assert!(matches!(refused, Err(TokenError::TooMany(2))), "{refused:?}");
    fixture.store.create_token(ada.id, &new, later(10)).await.expect("the first is over");
    let names: Vec<_> = fixture.store.tokens_of(ada.id).await.expect("read").into_iter().map(|t| t.name).collect();
    assert_eq!(names, [display("two"), display("three")]);
    let nobody = fixture.store.create_token(AccountId(99_999), &new, NOW).await;
    assert!(matches!(nobody, Err(TokenError::NoSuchAccount)));
}

#[tokio::test]
async fn a_token_is_never_taken_for_a_code_nor_a_code_for_a_token() {
    let fixture = fixture().await;
    let (ada, code) = fixture.account("Ada").await;
    let (_, secret) = fixture.token(ada.id, "laptop", 100).await;
    let (code, token) = (code.expose(), secret.expose());
    assert!(token.starts_with("arena_token_") && token.len() == 12 + 64 + 8, "{}", token.len());
    assert_eq!(format!("{secret:?}"), "AccessToken(..)");
    assert!(matches!(Credential::parse(&code), Ok(Credential::Code(_))));
    assert!(matches!(Credential::parse(&format!(" {token}")), Ok(Credential::Token(_))));
    assert_eq!(AccessToken::parse(&code).err(), Some(NotASecret::AccessToken));
    assert_eq!(arena_store::PlayerCode::parse(&token).err(), Some(NotASecret::Form));
    let renamed = token.replace("arena_token_", "arena_");
    assert_eq!(Credential::parse(&renamed).err(), Some(NotASecret::Checksum), "the checksums differ by kind");
    for wrong in ["", "arena_token_", &token[..80], &token.to_uppercase()] {
        assert!(Credential::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn scopes_have_names_and_cover_what_they_say() {
    for scope in Scope::EVERY {
        assert_eq!(scope.to_string().parse(), Ok(scope));
        assert!(scope.covers(scope) && Scope::All.covers(scope));
        assert_eq!(scope.covers(Scope::Read), scope != Scope::Work, "a worker reads nothing of its account");
    }
    assert_eq!("Read".parse::<Scope>().ok(), None);
    assert!(!Scope::Submit.covers(Scope::Play) && !Scope::Play.covers(Scope::Submit));
    assert!(!Scope::Read.covers(Scope::Submit) && !Scope::Submit.covers(Scope::All));
}
