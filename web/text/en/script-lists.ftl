# Lists that pages keep up to date.

script-lists-nobody-waits = Nobody is waiting right now.
script-lists-new-so-far = { $games ->
    [one] new, 1 game so far
   *[other] new, { $games } games so far
}
script-lists-edition-playing = Edition { $edition } is being played: { $played } of { $total } games.
script-lists-games-played = Games played: { $played } of { $total }.
script-lists-all-played = All games have been played: { $total }.
