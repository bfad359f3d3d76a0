//! What the baselines see and choose, with all noise at 0.

use arena_oracle::{
    BOMB_COOLDOWN, Impact, Options, POINT, Params, Scored, Tier, View, blast, block, bomb_target, cell_scores, counts,
    evaluation, impact, pick, plan, to_text,
};

use super::vectors::{board, cell, cells, for_each_line, integer, list, number, numbers, same};

/// Noise 0 wherever noise is drawn.
fn silence() -> u32 {
    0
}

#[test]
fn impacts() {
    for_each_line("impact.jsonl", 100, |line| {
        for wanted in list(line.get("cells")) {
            let ours = impact(&line.board(), line.player(), cell(wanted));
            let wanted_impact = Impact { own: integer(&wanted[2]), enemy: integer(&wanted[3]) };
            same(&format!("{:?}", cell(wanted)), ours, wanted_impact)?;
        }
        Ok(())
    });
}

#[test]
fn cpuscores() {
    for_each_line("cpuscore.jsonl", 450, |line| {
        let view = line.view();
        let placed: Vec<_> = cells(line.get("placed")).into_iter().map(|cell| view.translate(cell)).collect();
        let scored = cell_scores(&view, line.tier(), &Params::SHIPPED, &placed, &mut silence);
        for wanted in list(line.get("cells")) {
            let at = view.translate(cell(wanted));
            let ours = scored.iter().find(|scored| scored.cell == at).ok_or(format!("{at:?} is not legal"))?;
            same(&format!("{at:?}"), ours.score, integer(&wanted[2]) * POINT)?;
        }
        Ok(())
    });
}

#[test]
fn picks() {
    for_each_line("pick.jsonl", 200, |line| {
        let view = line.view();
        let legal = view.legal_cells().len();
        same("legal cells", legal, number(line.get("legal")) as usize)?;
        for wanted in list(line.get("picks")) {
            let fraction = wanted[0].as_f64().expect("a draw");
            let last = (fraction * 4_294_967_296.0) as u32;
            let mut drawn = 0;
            let mut draws = || {
                drawn += 1;
                if drawn > legal { last } else { 0 }
            };
            let ours = pick(&view, line.tier(), &Params::SHIPPED, &[], &mut draws);
            same(&format!("pool draw {fraction}"), ours.map(|at| view.translate(at)), Some(cell(&wanted[1])))?;
            same("draws", drawn, number(line.get("draws_per_pick")) as usize)?;
        }
        Ok(())
    });
}

#[test]
fn blocks() {
    for_each_line("block.jsonl", 67, |line| {
        let view = line.view();
        let wanted = line.get("block").as_array().map(|block| block.iter().map(cell).collect::<Vec<_>>());
        for tier in Tier::ALL {
            let ours = block(&view, tier, &mut silence).map(|cells| cells.map(|at| view.translate(at)).to_vec());
            same("block", ours, wanted.clone())?;
        }
        Ok(())
    });
}

#[test]
fn bombs() {
    for_each_line("bomb.jsonl", 300, |line| {
        let mut cooldown = numbers(line.get("cd"));
        let ready_in = *cooldown.of(line.player());
        let view = View::new(&line.board(), line.player(), line.round(), ready_in, Options::V2);
        let ours = bomb_target(&view, line.tier()).map(|at| view.translate(at));
        let target = line.get("target");
        same("target", ours, (!target.is_null()).then(|| cell(target)))?;
        if let Some(target) = ours {
            let after = to_text(&blast(&line.board(), target));
            same("board after", after, to_text(&board(line.get("board_after_blast"))))?;
            *cooldown.of_mut(line.player()) = BOMB_COOLDOWN;
        }
        same("cooldowns after", cooldown, numbers(line.get("cd_after_blast")))
    });
}

#[test]
fn plans() {
    for_each_line("plan.jsonl", 138, |line| {
        let view = line.view();
        same("legal cells", view.legal_cells().len(), number(line.get("legal")) as usize)?;
        same("red cells", counts(&view.board).red, number(line.get("red_count")))?;
        same("evaluation before", evaluation(&view.board), integer(line.get("eval_before")))?;
        let ours = plan(&view, &Params::SHIPPED, &mut silence);
        let scored = |wanted| Scored { cell: cell(wanted), score: integer(&wanted[2]) * POINT };
        let shortlist: Vec<Scored> = list(line.get("shortlist")).iter().map(scored).collect();
        same("shortlist", &ours.shortlist, &shortlist)?;
        same("plan", ours.cells, cells(line.get("plan")))?;
        match line.get("eval_after_each").as_array() {
            Some(wanted) => same("evaluations", ours.evaluations, wanted.iter().map(integer).collect()),
            None => Ok(()),
        }
    });
}
