# The same where a record and the rules do not agree.

script-phrase-unknown-game = this page does not know the game or its options
script-phrase-entrants-differ = the record has { $entrants } entrants, which is not the game's number of seats
script-phrase-start-too-dear = the start of seat { $seat } took more fuel than it may
script-phrase-turn-refused = turn { $turn }: seat { $seat } cannot have played this
script-phrase-turn-passes = turn { $turn }: seat { $seat } cannot have played this: its bank of fuel is empty, so it passes
script-phrase-turn-lacks = turn { $turn }: the action of seat { $seat } is missing
script-phrase-forfeit-misplaced = a forfeit of seat { $seat } that cannot have happened when the record says
script-phrase-digest-differs = turn { $turn }: the digest differs
script-phrase-length-differs = the game ends after turn { $rules } by the rules, and after turn { $record } in the record
script-phrase-outcome-differs = the outcome or the final digest differs
script-what-fuel-of-the-start = the fuel of the start
script-what-seat = the seat
script-what-action = the action
script-what-fuel = the fuel
script-what-number-of-actions = the number of actions
script-what-digest = the digest
script-what-number-of-turns = the number of turns
script-what-forfeit = the forfeit
script-what-outcome = the outcome
script-what-final-digest = the final digest
script-what-record = the record
