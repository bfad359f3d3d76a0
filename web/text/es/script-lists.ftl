# Lists that pages keep up to date.

script-lists-nobody-waits = Ahora mismo no espera nadie.
script-lists-new-so-far = { $games ->
    [one] nuevo, 1 partida hasta ahora
   *[other] nuevo, { $games } partidas hasta ahora
}
script-lists-edition-playing = Se está jugando la edición { $edition }: { $played } de { $total } partidas.
script-lists-games-played = Partidas jugadas: { $played } de { $total }.
script-lists-all-played = Se han jugado todas las partidas: { $total }.
