//! Many games of scripts, those of the gallery among them, in the compiled engine.

use arena_runner::InProcess;
use arena_sandbox::Sandbox;
use arena_scripts::Language::{JavaScript, Python};

use crate::slow::scripts::{Games, SMALL, Written};

const TEMPLATE: Written = (JavaScript, include_str!("../../../../../sdk/templates/javascript/bot.js"));
const GUIDE: Written = (JavaScript, include_str!("../../../../../guide/bots/javascript/bot.js"));
const SERGEANT: Written = (JavaScript, include_str!("../../../../../bots/gallery/sergeant/bot.js"));
const TILLER: Written = (JavaScript, include_str!("../../../../../bots/gallery/tiller/bot.js"));
const IN_PYTHON: Written = (Python, include_str!("../../../../../sdk/templates/python/bot.py"));
const CORPORAL: Written = (Python, include_str!("../../../../../bots/gallery/corporal/bot.py"));
const PLOUGHER: Written = (Python, include_str!("../../../../../bots/gallery/plougher/bot.py"));

#[test]
fn two_hundred_games_of_scripts_are_the_same_on_any_number_of_threads_in_any_order() {
    let host = InProcess::new(Sandbox::new().unwrap());
    let fields: [(&str, &[Written], usize); 3] = [
        ("conquerors@2", &[SMALL[1], SMALL[2], SMALL[4], TEMPLATE, GUIDE], 140),
        ("war-of-life@1", &[SERGEANT, CORPORAL, TEMPLATE, IN_PYTHON], 50),
        ("game-of-game-of-life@1", &[TILLER, PLOUGHER, TEMPLATE], 10),
    ];
    for (ruleset, scripts, games) in fields {
        Games::between(&host, ruleset, scripts, games).are_the_same(&host);
    }
    assert_eq!(fields.iter().map(|(_, _, games)| games).sum::<usize>(), 200);
}
