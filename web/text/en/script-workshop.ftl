# The workshop, where bots are written.

script-workshop-loading = Loading the rules …
script-workshop-turn = Turn { $turn } …
script-workshop-flaw = Line { $line }, column { $column }: { $message }
script-workshop-flaw-elsewhere = { $text }, line { $line }: { $message }
script-workshop-refused = The judge would refuse it: { $why }
script-workshop-judging = The judge is examining it …
script-workshop-accepted = The judge accepts it: { $games } sample games against { $opponent }, none forfeited. Most fuel of a turn: { $fuel } of { $budget }.
script-workshop-refused-by-judge = The judge refuses it. { $why }
script-workshop-unjudged = There is no verdict. { $why }
script-workshop-silent = It was ended: nothing was heard of it for too long.
script-workshop-stopped = Stopped.
script-workshop-failed = It could not be run: { $why }.
script-workshop-too-long = The text has { $bytes } bytes; { $max } are allowed.
script-workshop-you = your bot
script-workshop-versus = { $one } – { $other }
script-workshop-fuel = Fuel of the turn: { $fuel } of { $budget }, { $percent } %
script-workshop-line-of-turn = turn { $turn }
script-workshop-line-of-start = start
script-workshop-lines-dropped = { $lines ->
    [one] 1 more line was dropped: the limits of a log were reached.
   *[other] { $lines } more lines were dropped: the limits of a log were reached.
}
script-workshop-kept = Kept in this browser.
script-workshop-replaced = Kept in this browser, and so is the text of another tab, which it replaced.
script-workshop-full = Not kept: the store of this browser is full. Copy the text before you leave.
script-workshop-no-room = The store of this browser has no room for another text: this one stays.
script-workshop-no-template = The template did not come: { $why }.
script-workshop-failures = { $games ->
    [one] In 1 game your bot failed; open it to see why.
   *[other] In { $games } games your bot failed; open one to see why.
}
script-workshop-denied = Not kept: this browser stores nothing for this site. Copy the text before you leave.
script-workshop-elsewhere = Another tab has changed this bot.
script-workshop-game = Game { $game } of { $games } …
script-workshop-points = { $points } of { $games } points
script-workshop-points-of-lost = { $points } of { $games } points in the games that were lost.
script-workshop-none-lost = No game was lost to this opponent.
script-workshop-no-connection = There is no connection. The text stays in this browser: try again when it is back.
script-workshop-too-few = Too few games to tell who is stronger.
script-workshop-level = No significant difference: { $by }.
script-workshop-stronger = Your bot is stronger: { $by }.
script-workshop-weaker = Your bot is weaker: { $by }.
script-workshop-between = { $elo } Elo (95 %: { $low } to { $high })
script-workshop-above = { $elo } Elo (95 %: above { $low })
script-workshop-below = { $elo } Elo (95 %: below { $high })
script-workshop-estimate = { $elo } Elo
script-workshop-won-all = more than { $low } Elo, every game won
script-workshop-lost-all = less than { $high } Elo, every game lost
script-workshop-watch = Watch game { $game }, { $result }
script-workshop-won = won
script-workshop-lost = lost
script-workshop-drew = drew
script-workshop-try-from-here = Change the text, then run it from turn { $turn }.
