//! Readers for Conway's Conquerors. Boards are 26 rows of 28 characters joined by `/`, cells `[row, column]`, player 1
//! is blue. Where a baseline is asked, its noise is 0.

use arena_baselines::conquerors::{Open, POINT, Params, Scored, Tier, TierParams, View};
use arena_baselines::conquerors::{block, bomb_target, cell_scores, pick, plan, value};
use arena_rules::conquerors::{
    Action, Board, Boards, ByColour, Cell, Colour, Impacts, Opponent, Options, PLACEMENTS, Plane, Position, Reach,
    Setup, Target, TurnDraft, Win, points,
};
use arena_rules::{BySeat, Reason, Ruleset};
use serde::Deserialize;
use serde_json::Value;

use crate::difference::{Difference, expect};
use crate::{Reader, parse};

/// A cell as the vectors write it.
type At = [u8; 2];

pub(crate) fn reader(file: &str) -> Option<Reader> {
    Some(match file {
        "evolve" => |line| evolve(&parse(line)?),
        "reach" => |line| reach(&parse(line)?),
        "impact" => |line| impact(&parse(line)?),
        "cpuscore" => |line| cpuscore(&parse(line)?),
        "pick" => |line| greedy(&parse(line)?),
        "block" => |line| stamp(&parse(line)?),
        "bomb" => |line| bomb(&parse(line)?),
        "plan" => |line| planner(&parse(line)?),
        "games" => |line| game(&parse(line)?),
        "illegal" => |line| illegal(&parse(line)?),
        "score" => |line| score(&parse(line)?),
        _ => return None,
    })
}

fn board(text: &str) -> Result<Board, Difference> {
    text.parse().map_err(Difference::refused)
}

fn colour(player: u8) -> Result<Colour, Difference> {
    match player {
        1 => Ok(Colour::Blue),
        2 => Ok(Colour::Red),
        other => Err(Difference::unknown("player", other)),
    }
}

fn cell([row, col]: At) -> Result<Cell, Difference> {
    Cell::new(row, col).ok_or_else(|| Difference::unknown("cell", [row, col]))
}

fn at(cell: Cell) -> At {
    [cell.row() as u8, cell.col() as u8]
}

fn pair(by_colour: ByColour<u32>) -> [u32; 2] {
    [by_colour.blue, by_colour.red]
}

fn noiseless(tier: &str) -> Result<TierParams, Difference> {
    let tier = Tier::from_name(tier).ok_or_else(|| Difference::unknown("tier", tier))?;
    Ok(Params::SHIPPED.of(tier).without_noise())
}

/// The position as `player` sees it before a turn.
fn view(text: &str, player: u8, round: u8, cooldown: [u8; 2]) -> Result<View, Difference> {
    let colour = colour(player)?;
    let setup = Setup {
        options: Options::default(),
        board: board(text)?,
        to_move: colour,
        round,
        cooldown: ByColour { blue: cooldown[0], red: cooldown[1] },
        skip_used: ByColour::default(),
    };
    let position = setup.position().map_err(Difference::refused)?;
    View::of(&position, colour.seat()).ok_or(Difference::Missing("such seat"))
}

/// A source of words for baselines without noise, where the drawn words do not matter.
fn no_noise() -> u32 {
    0
}

/// One generation.
#[derive(Deserialize)]
struct Evolve {
    board: String,
    next: String,
}

fn evolve(line: &Evolve) -> Result<(), Difference> {
    let board = board(&line.board)?;
    expect("next", line.next.clone(), board.next().to_string())?;
    let mut together = Boards::copies(&board);
    together.advance();
    (0..Boards::COUNT)
        .try_for_each(|place| expect("next together", line.next.clone(), together.board(place).to_string()))
}

/// Open zones, raw counts and weighted scores.
#[derive(Deserialize)]
struct ReachLine {
    board: String,
    player: u8,
    zones: Vec<String>,
    n: [u32; 2],
    score: [u32; 2],
}

fn reach(line: &ReachLine) -> Result<(), Difference> {
    let board = board(&line.board)?;
    let reach = Reach::of(&board, colour(line.player)?, &Options::default());
    expect("zones", line.zones.clone(), zone_names(&reach))?;
    expect("n", line.n, pair(board.counts()))?;
    expect("score", line.score, pair(board.scores()))
}

fn zone_names(reach: &Reach) -> Vec<String> {
    reach.zones().map(|zone| zone.name().into()).collect()
}

/// Changes in the window around a placement: `[row, column, own, enemy]`.
#[derive(Deserialize)]
struct ImpactLine {
    board: String,
    player: u8,
    cells: Vec<(u8, u8, i8, i8)>,
}

fn impact(line: &ImpactLine) -> Result<(), Difference> {
    let impacts = Impacts::of(&board(&line.board)?, colour(line.player)?);
    line.cells.iter().try_for_each(|(row, col, own, enemy)| {
        let cell = cell([*row, *col])?;
        expect(&format!("impact at {:?}", at(cell)), (*own, *enemy), (impacts.own(cell), impacts.enemy(cell)))
    })
}

/// Scores of single cells: `[row, column, points]`.
#[derive(Deserialize)]
struct CpuScore {
    board: String,
    diff: String,
    round: u8,
    placed: Vec<At>,
    player: u8,
    cells: Vec<(u8, u8, f64)>,
}

fn cpuscore(line: &CpuScore) -> Result<(), Difference> {
    let view = view(&line.board, line.player, line.round, [0, 0])?;
    let mut placed = Plane::EMPTY;
    for spot in &line.placed {
        placed.insert(view.cell_on_board(cell(*spot)?));
    }
    let scores = cell_scores(&view, &noiseless(&line.diff)?, &placed, &mut no_noise);
    line.cells.iter().try_for_each(|(row, col, points)| {
        let wanted = cell([*row, *col])?;
        let found = scores.iter().find(|scored| view.cell_on_board(scored.cell) == wanted);
        expect(&format!("score at {:?}", at(wanted)), Some(fixed(*points)), found.map(|scored| scored.score))
    })
}

/// Points in the fixed point of the baselines.
fn fixed(points: f64) -> i32 {
    (points * f64::from(POINT)).round() as i32
}

/// Greedy picks of red for given draws of the pool: `[u, cell]`.
#[derive(Deserialize)]
struct Pick {
    board: String,
    diff: String,
    round: u8,
    legal: u32,
    picks: Vec<(f64, At)>,
}

fn greedy(line: &Pick) -> Result<(), Difference> {
    let view = view(&line.board, 2, line.round, [0, 0])?;
    let params = noiseless(&line.diff)?;
    expect("legal", line.legal, view.placeable().count())?;
    line.picks.iter().try_for_each(|(u, wanted)| {
        let word = (u * 2_f64.powi(32)) as u32;
        let picked = pick(&view, &params, &Plane::EMPTY, &mut || word).map(at);
        expect(&format!("pick for {u}"), Some(*wanted), picked)
    })
}

/// The 2 x 2 stamp, or null.
#[derive(Deserialize)]
struct Block {
    board: String,
    player: u8,
    block: Option<[At; 4]>,
}

fn stamp(line: &Block) -> Result<(), Difference> {
    let view = view(&line.board, line.player, 1, [0, 0])?;
    // All tiers value blocks alike, apart from noise.
    let stamped = block(&view, &noiseless("hard")?, &mut no_noise);
    let on_board = stamped.map(|cells| cells.map(|cell| at(view.cell_on_board(cell))));
    expect("block", line.block, on_board)
}

/// The bomb's centre, or null, and the board after the blast.
#[derive(Deserialize)]
struct Bomb {
    board: String,
    diff: String,
    round: u8,
    cd: [u8; 2],
    player: u8,
    target: Option<At>,
    board_after_blast: Option<String>,
    cd_after_blast: [u8; 2],
}

fn bomb(line: &Bomb) -> Result<(), Difference> {
    let view = view(&line.board, line.player, line.round, line.cd)?;
    let target = bomb_target(&view, &noiseless(&line.diff)?).map(|centre| view.cell_on_board(centre));
    expect("target", line.target, target.map(at))?;
    let mut blasted = board(&line.board)?;
    let mut cooldown = line.cd;
    if let Some(centre) = target {
        blasted.clear(Plane::square(centre));
        cooldown[colour(line.player)?.seat().index()] = arena_rules::conquerors::BOMB_COOLDOWN;
    }
    expect("board_after_blast", line.board_after_blast.clone(), target.map(|_| blasted.to_string()))?;
    expect("cd_after_blast", line.cd_after_blast, cooldown)
}

/// Hard's plan for red.
#[derive(Deserialize)]
struct PlanLine {
    board: String,
    round: u8,
    player: u8,
    legal: u32,
    shortlist: Vec<(u8, u8, f64)>,
    plan: Vec<At>,
    eval_before: Option<i32>,
    eval_after_each: Option<Vec<i32>>,
}

fn planner(line: &PlanLine) -> Result<(), Difference> {
    let view = view(&line.board, line.player, line.round, [0, 0])?;
    expect("legal", line.legal, view.placeable().count())?;
    let planned = plan(&view, &noiseless("hard")?, &mut no_noise);
    let shortlist = planned.shortlist.iter().map(|Scored { cell, score }| (at(view.cell_on_board(*cell)), *score));
    let wanted = line.shortlist.iter().map(|(row, col, points)| ([*row, *col], fixed(*points)));
    expect("shortlist", wanted.collect::<Vec<_>>(), shortlist.collect())?;
    let cells = planned.cells.iter().map(|cell| at(view.cell_on_board(*cell)));
    expect("plan", line.plan.clone(), cells.collect())?;
    if let Some(before) = line.eval_before {
        let next = Boards::copies(&view.board().next());
        expect("eval_before", before, value(&next.cells_by_zone()[0], &Open::RELEASED))?;
    }
    if let Some(after) = &line.eval_after_each {
        expect("eval_after_each", after.clone(), planned.values)?;
    }
    Ok(())
}

/// A whole game: per turn the reach before and the state after it, a hash of the board after every generation (FNV-1a,
/// 64 bits, of the board's text), and the outcome.
#[derive(Deserialize)]
struct Game {
    turns: Vec<GameTurn>,
    hashes: Vec<String>,
    #[serde(default)]
    boards: Vec<String>,
    outcome: GameOutcome,
}

#[derive(Deserialize)]
struct GameTurn {
    p: u8,
    round: u8,
    reach: Vec<String>,
    a: String,
    #[serde(default)]
    cells: Vec<At>,
    at: Option<At>,
    killed: Option<u32>,
    after: State,
}

#[derive(Deserialize)]
struct State {
    round: u8,
    cd: [u8; 2],
    skip: [bool; 2],
    n: [u32; 2],
    score: [u32; 2],
    over: bool,
}

#[derive(Deserialize)]
struct GameOutcome {
    winner: u8,
    reason: String,
    n: [u32; 2],
    score: [u32; 2],
    round_counter: u8,
    turns: usize,
}

fn game(line: &Game) -> Result<(), Difference> {
    let mut position = Position::start(&Options::default().into(), &[0; 32]);
    for (number, turn) in line.turns.iter().enumerate() {
        game_turn(&mut position, turn).map_err(|difference| difference.in_turn(number + 1))?;
        let text = position.board().to_string();
        let hash = line.hashes.get(number).ok_or(Difference::Missing("hash of the turn"))?;
        expect(&format!("hash after turn {}", number + 1), hash.as_str(), &format!("{:016x}", fnv1a64(&text)))?;
        if let Some(wanted) = line.boards.get(number) {
            expect(&format!("board after turn {}", number + 1), wanted, &text)?;
        }
    }
    let outcome = position.outcome().ok_or(Difference::Missing("end after the last turn"))?;
    let wanted = &line.outcome;
    expect("winner", wanted.winner, outcome.winner.map_or(0, |seat| seat.0 + 1))?;
    expect("reason", Reason::from_code(&wanted.reason), Some(outcome.reason))?;
    expect("n", wanted.n, pair(position.board().counts()))?;
    expect("score", &wanted.score[..], outcome.tally.values())?;
    expect("round_counter", wanted.round_counter, position.round())?;
    expect("turns", wanted.turns, line.turns.len())
}

fn game_turn(position: &mut Position, turn: &GameTurn) -> Result<(), Difference> {
    let mover = colour(turn.p)?;
    expect("player", Some(mover), position.to_move())?;
    expect("round", turn.round, position.round())?;
    expect("reach", turn.reach.clone(), zone_names(&position.reach(mover)))?;
    let target = |[row, col]: At| Target { row, col };
    let action = match (turn.a.as_str(), turn.at) {
        ("place", _) => Action::Place(turn.cells.iter().map(|spot| target(*spot)).collect()),
        ("bomb", Some(centre)) => Action::Bomb(target(centre)),
        ("skip", _) => Action::Skip,
        (other, _) => return Err(Difference::unknown("action", other)),
    };
    if let (Some(killed), Some(centre)) = (turn.killed, turn.at) {
        expect("killed", killed, (position.board().living() & Plane::square(cell(centre)?)).count())?;
    }
    let checked = position.check(mover.seat(), &action).map_err(Difference::refused)?;
    let mut turns = BySeat::new(2, |_| None);
    turns[mover.seat()] = Some(checked);
    position.advance(turns);
    let after = &turn.after;
    expect("round after", after.round, position.round())?;
    expect("cd after", after.cd, [position.cooldown().blue, position.cooldown().red])?;
    expect("skip after", after.skip, [position.skip_used().blue, position.skip_used().red])?;
    expect("n after", after.n, pair(position.board().counts()))?;
    expect("score after", after.score, pair(position.board().scores()))?;
    expect("over after", after.over, position.outcome().is_some())
}

fn fnv1a64(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// One message of a player in some state of a live game, and whether the rules accept it. In a `move`, one cell is
/// placed.
#[derive(Deserialize)]
struct Illegal {
    state: LiveState,
    actor: u8,
    action: Value,
    v2_expected: String,
}

#[derive(Deserialize)]
struct LiveState {
    board: String,
    player: u8,
    /// Placements left in the turn.
    moves: u8,
    round: u8,
    cd: [u8; 2],
    skip: [bool; 2],
    started: bool,
    over: bool,
}

fn illegal(line: &Illegal) -> Result<(), Difference> {
    let accepted = match attempt(line) {
        Ok(()) => "accepted",
        Err(_) => "rejected",
    };
    // "rejected_by_report_full_turn_action" counts as a rejection; the rest of the word is its reason.
    let wanted = if line.v2_expected.starts_with("rejected") { "rejected" } else { &line.v2_expected };
    expect("verdict", wanted, accepted)
}

fn attempt(line: &Illegal) -> Result<(), Difference> {
    let state = &line.state;
    if !state.started || state.over {
        return Err(Difference::Missing("game is being played"));
    }
    let setup = Setup {
        options: Options::default(),
        board: board(&state.board)?,
        to_move: colour(state.player)?,
        round: state.round,
        cooldown: ByColour { blue: state.cd[0], red: state.cd[1] },
        skip_used: ByColour { blue: state.skip[0], red: state.skip[1] },
    };
    let position = setup.position().map_err(Difference::refused)?;
    let placed = PLACEMENTS.checked_sub(state.moves).ok_or(Difference::Missing("turn with so many placements"))?;
    let seat = colour(line.actor)?.seat();
    let mut draft = TurnDraft::resume(&position, seat, placed).map_err(Difference::refused)?;
    let verdict = match line.action["type"].as_str() {
        Some("move") => draft.place(target(&line.action)?),
        Some("bomb") => draft.bomb(target(&line.action)?).map(drop),
        Some("skip") => draft.skip().map(drop),
        other => return Err(Difference::unknown("action", other)),
    };
    verdict.map_err(Difference::refused)
}

/// Only whole numbers are coordinates: the original took `"10"` and `[1]` too.
fn target(action: &Value) -> Result<Target, Difference> {
    let coordinate = |name: &str| {
        let number = action[name].as_i64().ok_or_else(|| Difference::unknown("coordinate", &action[name]))?;
        u8::try_from(number).map_err(|_| Difference::unknown("coordinate", number))
    };
    Ok(Target { row: coordinate("r")?, col: coordinate("c")? })
}

/// Leaderboard points.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Score {
    mode: String,
    difficulty: Option<String>,
    by_extinction: bool,
    round: u32,
    elapsed_sec: u32,
    margin: u32,
    points: u32,
}

fn score(line: &Score) -> Result<(), Difference> {
    let opponent = match (line.mode.as_str(), line.difficulty.as_deref()) {
        ("online", _) => Opponent::Person,
        (_, Some("easy")) => Opponent::Easy,
        (_, Some("hard")) => Opponent::Hard,
        _ => Opponent::Normal,
    };
    let win = Win {
        opponent,
        by_extinction: line.by_extinction,
        round: line.round,
        elapsed_s: line.elapsed_sec,
        margin: line.margin,
    };
    expect("points", line.points, points(&win))
}
