# Replays, tournaments that are opened, and recomputing.

script-replays-column-number = number
script-replays-column-seats = seats
script-replays-column-ids = ids
script-replays-column-winner = winner
script-replays-column-reason = reason
script-replays-column-turns = turns
script-replays-column-score = score
script-replays-column-marks = marks
script-replays-archive-too-large = This archive is larger than a page opens; unpack it, and open the folder.
script-replays-archive-not-unpacked = This archive cannot be unpacked.
script-replays-file-too-large = This file is larger than a page opens.
script-replays-game-title = Game { $number }: { $seats }
script-replays-watch = Watch
script-replays-games-left-out = Games that are not listed, but in the folder: { $games }.
script-replays-cannot-be-opened = It cannot be opened: { $why }
script-replays-not-checkable = { $games } are not checkable here: use arena verify.
script-replays-game-differs = ✗ Game { $game } is different. { $finding } { $others } others have the same actions and result.{ $more }
script-replays-done = Done: { $games ->
        [one] 1 game
       *[other] { $games } games
    }.
script-replays-all-games-again =
    { $games ->
        [one] ✓ The game was played again.
       *[other] ✓ All { $games } games were played again.
    }
script-replays-games-so-far =
    { $done } of { $games ->
        [one] 1 game
       *[other] { $games } games
    } …
script-replays-stopped-after = Stopped after { $done } of { $games ->
        [one] 1 game
       *[other] { $games } games
    }.
script-replays-games-identical = { $games } have the same actions and result; fuel is counted by arena verify.
script-replays-turn-too-long = a turn took too long
script-replays-stop = Stop
script-replays-not-recomputed = It could not be recomputed: { $why }.
script-replays-not-metered = { $seat } is not metered.
script-replays-fuel-of-turn = Fuel of the turn: { $fuel }
script-replays-loading-record = Loading the record …
script-replays-checking-record = Checking the record against the rules …
script-replays-the-board = The board
script-replays-turn-and-score = turn { $turn } of { $turns }, { $score }
script-replays-rules-agree = The rules agree with every turn.
script-replays-not-by-the-rules = Not a game by the rules: { $why }
script-replays-turn = Turn { $turn } of { $turns }
script-replays-pause = Pause
script-replays-play = Play
script-replays-verified = Verified: the rules on this page agree with every turn, every digest and the outcome.
script-replays-not-verified-because = Not verified: { $why }.
script-replays-record-not-shown = This record cannot be shown.
script-replays-not-verified = Not verified.
script-replays-identical = ✓ Identical.
script-replays-different = ✗ Different.
script-replays-not-all = Not all of it:
script-replays-fetching-bots = Fetching the bots …
script-replays-stopped-turn = Stopped: a turn took more than { $seconds } s. It is not checkable here, use arena verify.
script-replays-no-worker-here = The worker could not be started in this browser.
script-replays-answers-so-far = { $checked } of { $answers } answers are the same …
script-replays-archive-cut-short = This is no whole archive.
script-replays-no-manifest = This is no folder of a tournament: it has no manifest.json.
script-replays-no-results-yet = This tournament has no results yet: it was not played to its end.
script-replays-a-tournament = A tournament
script-replays-all-identical =
    { $answers ->
        [one] The only answer is the same, and so are all digests and the outcome; fuel is counted by arena verify.
       *[other] All { $answers } answers are the same, and so are all digests and the outcome; fuel is counted by arena verify.
    }
script-replays-end-not-checkable =
    { $answers ->
        [one] The only answer is the same. The end, a forfeit ({ $code }), is not checkable here, use arena verify.
       *[other] All { $answers } answers are the same. The end, a forfeit ({ $code }), is not checkable here, use arena verify.
    }
script-replays-answer-differs = Answer { $answer } differs: the record says { $recorded }, this page finds { $found }.
script-replays-answer-not-checkable = Answer { $answer } is not checkable here, use arena verify: { $why }.
script-replays-rules-disagree = The rules do not agree: { $why }.
