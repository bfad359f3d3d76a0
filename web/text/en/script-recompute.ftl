# Games that are played again in the page.

script-recompute-all-identical = Played again with the bots’ own bytes: every action, the fuel of every call, every forfeit, every digest and the outcome are the same.
script-recompute-all-but-traps = Played again with the bots’ own bytes: every action, the fuel of every call, every digest and the outcome are the same. This browser says the same of several kinds of traps, so the detail of a forfeit was not compared: use arena verify.
script-recompute-left = Seat { $seat }: { $bytes } bytes of memory at the end, { $lines ->
        [one] 1 line of log
       *[other] { $lines } lines of log
    }, { $dropped } more dropped.
script-recompute-not-checked = Not checked, and no verdict:
script-recompute-engine-failed = the engine of this browser failed ({ $detail }). Use arena verify.
script-recompute-bot-missing = the bytes of { $detail } are not here.
script-recompute-too-long = a call of { $detail } took longer than this page waits. Use arena verify.
script-recompute-worker-failed = the worker failed, or could not be started in this browser { $detail }.
script-recompute-no-record = this is no record of a game that this page knows { $detail }.
script-recompute-other-release = it was played under other rules, limits or prices, by { $detail }.
script-recompute-rules-disagree = The rules do not agree: { $why }.
script-recompute-bot-refused = The static check refuses a bot of this record: { $why }
script-recompute-differs = { $what } is { $recorded } in the record, and { $played } when it is played again.
script-recompute-differs-at-start = Seat { $seat }: { $what } is { $recorded } in the record, and { $played } when it is played again.
script-recompute-differs-in-turn = Turn { $turn }: { $what } is { $recorded } in the record, and { $played } when it is played again.
script-recompute-differs-for-seat = Turn { $turn }, seat { $seat }: { $what } is { $recorded } in the record, and { $played } when it is played again.
script-recompute-turns-so-far = { $turns ->
        [one] 1 turn of the bots
       *[other] { $turns } turns of the bots
    } …
script-recompute-stop = Stop
script-recompute-continue = Continue: { $done } of { $games } are done
script-recompute-games-so-far = { $done } of { $games ->
        [one] 1 game
       *[other] { $games } games
    } …
script-recompute-stopped-after = Stopped after { $done } of { $games ->
        [one] 1 game
       *[other] { $games } games
    }.
script-recompute-all-again =
    { $games ->
        [one] ✓ The game was played again.
       *[other] ✓ All { $games } games were played again.
    }
script-recompute-sample-again = A sample of { $games } of { $all } games was played again.
script-recompute-done = Done: { $games ->
        [one] 1 game
       *[other] { $games } games
    }.
script-recompute-games-by-rules = { $games } more were replayed by the rules alone.
script-recompute-chance-missed = One forged game would have been missed with a chance of { $missed }/{ $of } = { $percent } %.
script-recompute-games-untold = { $games ->
        [one] In 1 game
       *[other] In { $games } games
    } this browser says the same of several kinds of traps, so the detail of a forfeit was not compared: use arena verify.
script-recompute-games-void = { $games ->
        [one] 1 game is void, since a bot’s process died, and counts for nobody.
       *[other] { $games } games are void, since a bot’s process died, and count for nobody.
    }
script-recompute-games-ended = Of these, { $games ->
        [one] 1 comes to its end here, and is not confirmed: use arena verify.
       *[other] { $games } come to their end here, and are not confirmed: use arena verify.
    }
script-recompute-unfinished = The tournament is not finished, so there are no standings to compare.
script-recompute-no-results = The folder has no results, so no standings were compared.
script-recompute-lack = Not everything in the folder was looked at: { $why }.
script-recompute-games-identical = { $games } are identical, with fuel, forfeits and digests.
script-recompute-games-not-checked = { $games } are not checked here, which is no verdict: use arena verify.
script-recompute-game-differs = ✗ Game { $game } is different. { $finding }
script-recompute-standings-identical = The standings that follow from all records were folded here: they are the served ones, byte for byte.
script-recompute-folder-wrong = ✗ The folder contradicts itself. { $file }: { $why }
script-recompute-fetching-folder = Fetching the folder …
