# Rooms, lessons and practice.

script-rooms-close-message = Close the message
script-rooms-cells-will-die = { $count ->
        [one] { $cells } will die: it has fewer than two neighbours, or more than three.
       *[other] { $cells } will die: each has fewer than two neighbours, or more than three.
    }
script-rooms-last-home-cell-dies = Your last cell at home will die: everything but your home will be closed to you.
script-rooms-now-open = Now open to you: { $zones }.
script-rooms-closed-again = Closed again: { $zones }. A link of your chain has died.
script-rooms-no-home-cells = You have no cells left at home: only your home is open.
script-rooms-anchor-at-risk = Your anchor is at risk: cells at home keep the rest open, and few are left.
script-rooms-ready-now = Ready now: { $tool }. It takes a whole turn.
script-rooms-end-by-score-twice = After the last round the higher score wins. Cells in the enemy’s home count twice: { $own-cells } and { $other-cells } cells make { $own-points } and { $other-points } points.
script-rooms-end-by-score = After the last round the higher score wins.
script-rooms-end-by-extinction = A player with no living cells left loses at once, whatever the score was.
script-rooms-end-by-mutual-extinction = Both players lost their last cells in the same generation: the game is a draw.
script-rooms-end-by-stalemate = If the player to move has no legal move, the game is a draw.
script-rooms-end-by-move-limit = The move limit was reached: the game is a draw.
script-rooms-not-yet = Not yet. Take the turn back and try again.
script-rooms-take-back = Take a turn back
script-rooms-room-gone = This room is gone.
script-rooms-to-lobby = To the lobby
script-rooms-reconnecting = No connection: reconnecting …
script-rooms-try-now = Try now
script-rooms-position-differs = These turns do not lead to the server’s position. Please report this room.
script-rooms-turns-refused = The rules on this page refuse what was played: { $why }. Reload the page.
script-rooms-resign-sure = Yes, resign
script-rooms-resign = Resign
script-rooms-cannot-continue = { $player } cannot continue on this page: { $why }.
script-rooms-turn-too-long = a turn took more than { $seconds } s; in the arena fuel would have ended it
script-rooms-draw-offered = Draw offered
script-rooms-draw-accept = Accept the draw
script-rooms-draw-offer = Offer a draw
script-rooms-offers-draw = { $player } offers a draw.
script-rooms-decline = Decline
script-rooms-draw-declined = Your offer of a draw was declined.
script-rooms-their-next-game = Their next game
script-rooms-wants-rematch = { $player } wants a rematch.
script-rooms-rematch-waits = Waiting for the others to agree …
script-rooms-another-game = The players have begun another game.
script-rooms-rematch = Rematch, seats swapped
script-rooms-no-thanks = No, thanks
script-rooms-a-spectator = a spectator
script-rooms-answer = Answer
script-rooms-report = Report
script-rooms-reported = Reported
script-rooms-away = { $player } is away.
script-rooms-clocks-stand-still = The site takes no turns at the moment. The clocks stand still until it does.
script-rooms-spectators = { $spectators ->
        [one] 1 spectator.
       *[other] { $spectators } spectators.
    }
script-rooms-may-end = You can end the game without a result.
script-rooms-may-end-after = After { $minutes } minutes you can end the game without a result.
script-rooms-end-without-result = End the game without a result
script-rooms-not-sent = There is no connection; this was not sent. Try again in a moment.
script-rooms-sound-off = Sound: off
script-rooms-sound-on = Sound: on
script-rooms-played-elsewhere = This turn was ended in another window of yours; what was placed in this one is gone.
script-rooms-esc-puts-away = ; Esc puts it away
script-rooms-your-turn = ● Your turn:{" "}
script-rooms-sending = Sending your turn …
script-rooms-to-move = { $player } ({ $seat }) is to move.
script-rooms-loading = Loading …
script-rooms-is-thinking = { $player } is thinking …
script-rooms-are-thinking = { $players } are thinking …
script-rooms-use-cells = { $tool } { $cells }.
script-rooms-use-more-cells = { $cells ->
        [one] { $tool } 1 more cell.
       *[other] { $tool } { $cells } more cells.
    }
script-rooms-aimed = The { $tool } is aimed.
script-rooms-you-will = You { $tool }.
script-rooms-end-turn-or-undo = End turn{ $end-key } sends it, Undo{ $undo-key } takes it back.
script-rooms-tool-in-hand = The { $tool } { $purpose }. Choose the cell; { $button } again{ $key } puts it away.
script-rooms-turn-ready = Your turn is ready. End turn{ $end-key } sends it, Undo{ $undo-key } takes the last cell back.
script-rooms-choose-cell = Your turn: choose a cell.
script-rooms-cells-left = Your turn: { $cells } left.
script-rooms-can-only = Your turn. You can only { $tools }.
script-rooms-use-tool = Your turn: { $tool } { $cells }.
script-rooms-choose-piece = Your turn: choose a piece.
script-rooms-choose-target = Choose where it goes.
script-rooms-choose-again = Choose the same cell again to { $tool } there, or end the turn{ $key }.
script-rooms-a-program = { $seat }, a program
script-rooms-against = {" "}against{" "}
script-rooms-against-you = you
script-rooms-you-are = You are { $seat }.
script-rooms-a-draw = A draw
script-rooms-seat-wins = { $seat } wins
script-rooms-you-win = You win
script-rooms-you-lose = You lose
script-rooms-closed-early = this room was closed before its game began
script-rooms-closed = this game has ended without a result, because it had waited for somebody for long
