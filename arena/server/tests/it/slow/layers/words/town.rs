//! A site in a state that is drawn by lot.

use std::time::Duration;

use arena_record::Objection;
use arena_rules::{Rng, Seat};
use arena_store::{BotName, Verdict};
use serde_json::{Value, json};

use super::page::Page;
use crate::client::{get, post, post_json};
use crate::eventually::{eventually, eventually_shown};
use crate::fixture::{Fixture, NOW, OPERATOR, fixture};

/// Names of people, of both directions, short and as long as they may be, in small letters where a script has two
/// kinds.
const PEOPLE: [&str; 6] =
    ["ann neill", "مريم بنت عبد الرحمن", "zoë", "ωμέγα", "a person with the longest name x", "quentin"];
/// Names of bots, also in small letters.
const BOTS: [&str; 6] = ["quillon", "q7x9", "strategist-with-a-very-long-name", "a.b_c", "dorothea-2", "zz-top"];
/// How long the site then rests, in seconds.
const RESTS: [u64; 7] = [0, 1, 59, 60, 61, 3_600, 86_400];
/// A turn of Conquerors: a block in the home of the first seat.
const BLOCK: &str = "0101040a020a030b020b03";

/// A site, and what was done there.
pub(super) struct Town {
    pub(super) fixture: Fixture,
    /// Names that people chose.
    pub(super) names: Vec<String>,
    /// People with their codes.
    pub(super) codes: Vec<(String, String)>,
    rng: Rng,
    tournaments: Vec<String>,
}

impl Town {
    pub(super) async fn built(seed: u64) -> Town {
        Town::built_on(fixture().await, seed).await
    }

    /// Builds one on an empty site.
    pub(super) async fn built_on(fixture: Fixture, seed: u64) -> Town {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut town =
            Town { fixture, names: Vec::new(), codes: Vec::new(), rng: Rng::new(&key, 0), tournaments: Vec::new() };
        for number in town.drawn(&PEOPLE) {
            let code = town.fixture.account(PEOPLE[number]).await;
            town.codes.push((PEOPLE[number].into(), code));
            town.names.push(PEOPLE[number].into());
        }
        for number in town.drawn(&BOTS) {
            town.bot(BOTS[number]).await;
        }
        for person in 0..town.codes.len() {
            for _ in 0..town.rng.below(3) {
                town.against_a_bot(person).await;
            }
            town.among_people(person).await;
            for _ in 0..town.rng.below(3) {
                town.tournament(person).await;
            }
            let token = json!({ "name": "laptop", "scope": "read", "days": 1 + town.rng.below(2) });
            for _ in 0..town.rng.below(3) {
                town.say("/api/v1/account/tokens", token.clone(), person).await;
            }
        }
        town.worlds().await;
        town.operate().await;
        let rest = RESTS[town.rng.below(RESTS.len() as u32) as usize];
        town.fixture.clock.advance(Duration::from_secs(rest));
        town
    }

    /// Some of these, by their numbers; at least one.
    fn drawn(&mut self, of: &[&str]) -> Vec<usize> {
        let mut all: Vec<usize> = (0..of.len()).collect();
        self.rng.shuffle(&mut all);
        let count = 1 + self.rng.below(of.len() as u32) as usize;
        all.truncate(count.min(4));
        all
    }

    fn often(&mut self) -> bool {
        self.rng.below(3) > 0
    }

    /// Sends something as a person, and returns what is said. It may be refused.
    async fn say(&self, path: &str, what: Value, person: usize) -> Value {
        let answer = self.fixture.ask(post_json(path, what).bearer(&self.codes[person].1)).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.text);
        serde_json::from_str(&answer.text).unwrap_or_default()
    }

    /// A bot with some versions, of which one may play, or none any more.
    async fn bot(&mut self, name: &str) {
        let person = self.rng.below(self.codes.len() as u32) as usize;
        let code = self.codes[person].1.clone();
        let (owner, parsed) = (self.fixture.owner(&code).await, BotName::parse(name).expect("a name"));
        let store = self.fixture.service.store();
        for version in 0..=self.rng.below(3) {
            let module = format!("module {version} of {name}").into_bytes();
            let submitted = store.submit(owner, &parsed, "conquerors@2", module.into(), NOW).await.expect("taken");
            let verdict = match self.rng.below(4) {
                0 => continue,
                1 => Verdict::Refused(Objection {
                    code: "no_turn".into(),
                    message: "it exports no function `arena_turn`".into(),
                    hint: "export it".into(),
                    offset: None,
                }),
                _ => Verdict::Accepted,
            };
            store.set_verdict(submitted.version().id, verdict).await.expect("judged");
        }
        self.names.push(name.into());
        if self.rng.below(3) == 0 {
            let none = post(&format!("/bots/{name}/active"), "version=").form().bearer(&code);
            assert!(!self.fixture.ask(none).await.status.is_server_error(), "{name}");
        }
    }

    /// A room against a built-in opponent: given up before the first turn or after it, or open.
    async fn against_a_bot(&mut self, person: usize) {
        let opened = self.say("/api/v1/rooms", json!({ "opponent": "easy", "seat": 0 }), person).await;
        let Some(room) = opened["room"].as_str().map(str::to_owned) else { return };
        let path = format!("/api/v1/rooms/{room}");
        let mut ply = 0;
        if self.rng.below(2) == 0 {
            let turn = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
            self.say(&format!("{path}/turns"), turn, person).await;
            let shown = self.fixture.room(&room).await.watch();
            ply = eventually_shown("the bot's turn", shown, |shown| shown.view.awaiting == [Seat(0)]).await.view.ply;
        }
        if self.often() {
            self.say(&format!("{path}/resignation"), json!({ "ply": ply }), person).await;
        }
    }

    /// A room of people: waiting, or joined by another, and then given up or not.
    async fn among_people(&mut self, person: usize) {
        const CLOCKS: [&str; 4] = ["none", "turn-60", "turn-3600", "game-60-1"];
        let clock = CLOCKS[self.rng.below(4) as usize];
        let mut wanted = json!({ "seat": 0, "clock": clock, "public": self.rng.below(2) == 0 });
        if self.rng.below(3) == 0 {
            let seats = 2 + self.rng.below(3);
            wanted =
                json!({ "game": "game-of-game-of-life", "seats": seats, "turns": 50, "clock": "none", "public": true });
        }
        let opened = self.say("/api/v1/lobby", wanted, person).await;
        let (Some(room), Some(code)) = (opened["room"].as_str(), opened["code"].as_str()) else { return };
        let other = (person + 1) % self.codes.len();
        if self.often() && other != person {
            self.say("/api/v1/lobby/joins", json!({ "code": code }), other).await;
            if self.rng.below(2) == 0 {
                self.say(&format!("/api/v1/rooms/{room}/resignation"), json!({ "ply": 0 }), person).await;
            }
        }
    }

    /// A tournament with no, one, two or many places taken; one of two built-in opponents may be played to its end.
    async fn tournament(&mut self, person: usize) {
        const FORMATS: [&str; 4] = ["round-robin", "swiss", "knockout", "ladder"];
        const SEATED: [&str; 3] = ["easy", "normal", "hard"];
        let format = FORMATS[self.rng.below(4) as usize];
        let seat = |bot: &&str| format!("[[entrants]]\nname = \"{bot}\"\nbaseline = \"{bot}\"\n");
        let taken = self.rng.below(4) as usize;
        let entrants: String = SEATED[..taken].iter().map(seat).collect();
        // Two pairs: a page with "pairs = 1" before "rounds" would seem to say "1 rounds".
        let pairs = if matches!(format, "swiss" | "ladder") { "pairs = 2\nrounds = 1" } else { "pairs = 1" };
        let definition = format!("name = \"spring cup\"\nformat = \"{format}\"\n{pairs}\n{entrants}");
        let begins = taken == 2 && format == "round-robin";
        let (entry, places) = if begins { ("named", 2) } else { ("open", taken + 1 + self.rng.below(3) as usize) };
        let wanted = json!({ "definition": definition, "entry": entry, "places": places });
        let opened = self.say("/api/v1/tournaments", wanted, person).await;
        let Some(id) = opened["id"].as_str().map(str::to_owned) else { return };
        if begins {
            let path = format!("/api/v1/tournaments/{id}");
            let stage = async || self.fixture.ask(get(&path)).await.json()["stage"] == "finished";
            eventually("the tournament's end", stage).await;
        } else if self.rng.below(4) == 0 {
            self.say(&format!("/api/v1/tournaments/{id}/cancellation"), json!({ "reason": "no time" }), person).await;
        }
        self.tournaments.push(id);
    }

    /// No world, an empty one, or one with a kingdom, with cells or without.
    async fn worlds(&mut self) {
        if self.rng.below(4) == 0 {
            return;
        }
        self.fixture.meadow().await;
        let path = "/api/v1/worlds/meadow/commands";
        for person in 0..self.codes.len().min(2) {
            if self.often() {
                let at = 64 + 128 * person;
                for call in [json!({ "type": "faucet" }), json!({ "type": "join_game", "base_x": at, "base_y": at })] {
                    self.say(path, call, person).await;
                }
                if self.rng.below(2) == 0 {
                    let cells = json!([[at + 2, at + 2], [at + 3, at + 2], [at + 2, at + 3], [at + 3, at + 3]]);
                    self.say(path, json!({ "type": "place_cells", "cells": cells }), person).await;
                }
            }
        }
    }

    async fn operate(&mut self) {
        let acts = [
            json!({ "act": "post_notice", "new_name": "back at 1", "reason": "a test" }),
            json!({ "act": "ban", "name": "192.0.2.0/24", "new_name": "1", "reason": "a test" }),
            json!({ "act": "close_rooms", "reason": "a test" }),
            json!({ "act": "close_tournaments", "reason": "a test" }),
            json!({ "act": "close_changes", "reason": "a test" }),
        ];
        for act in acts {
            if self.rng.below(4) == 0 {
                let done = self.fixture.ask(post_json("/api/v1/operator/acts", act).bearer(OPERATOR)).await;
                assert_eq!(done.status, 200, "{}", done.text);
            }
        }
    }

    /// What pages and the API say differently of one thing.
    pub(super) async fn numbers(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let page = async |path: &str| Page::of(&self.fixture.ask(get(path).with("accept", "text/html")).await.text);
        let api = async |path: &str| self.fixture.ask(get(&format!("/api/v1{path}"))).await.json();
        let has = |page: &Page, text: &str| page.lines.iter().any(|line| line.contains(text));
        for id in &self.tournaments {
            let (shown, said) = (page(&format!("/tournaments/{id}")).await, api(&format!("/tournaments/{id}")).await);
            let stays = |entrant: &&Value| entrant["withdrawn"].is_null();
            let entered = said["entrants"].as_array().map_or(0, |all| all.iter().filter(stays).count());
            let taken = entered + said["reserved"].as_array().map_or(0, Vec::len);
            let sentence = format!("{taken} of {} places", said["places"]);
            if said["stage"] == "entry" && said["closed"] != true && !has(&shown, &sentence) {
                wrong.push(format!("/tournaments/{id} does not say \"{sentence}\": {:?}", shown.lines));
            }
        }
        let worlds = page("/worlds").await;
        for world in self.fixture.service.worlds().all() {
            let slots = api(&format!("/worlds/{}", world.name())).await["slots"].clone();
            let held = slots.as_array().map_or(0, |slots| slots.iter().filter(|slot| !slot.is_null()).count());
            if !has(&worlds, &format!("{held} of 9 slots held")) {
                wrong.push(format!("/worlds does not say that {held} slots are held: {:?}", worlds.lines));
            }
        }
        let (front, standings) = (page("/").await, api("/standings").await);
        let said = format!("Edition {}; games: {}.", standings["edition"]["number"], standings["edition"]["games"]);
        if !has(&front, &said) {
            wrong.push(format!("/ does not say \"{said}\": {:?}", front.lines));
        }
        // Everybody's number of versions and games.
        for name in self.names.iter().filter(|name| BOTS.contains(&name.as_str())) {
            let versions = api(&format!("/bots/{name}/versions")).await.as_array().map_or(0, Vec::len);
            let shown = page(&format!("/bots/{name}")).await;
            let listed = shown.links.iter().filter(|link| link.contains("/versions/")).count();
            if listed > 0 && listed != versions {
                wrong.push(format!("/bots/{name} lists {listed} versions of {versions}"));
            }
        }
        wrong
    }
}
