# Why games end, and why seats cannot go on, by their codes.

script-reason-extinction = nobody else has a living cell
script-reason-mutual-extinction = nobody has a living cell left
script-reason-majority = that was the last turn
script-reason-exhausted = the last move has been made
script-reason-stalemate = there is no move left to make
script-reason-agreed = both agreed
script-forfeit-fuel-exhausted = ran out of fuel
script-forfeit-stack-overflow = overflowed its stack
script-forfeit-trap = crashed
script-forfeit-bad-pointer = pointed outside its memory
script-forfeit-bad-output = gave bytes that are no action
script-forfeit-illegal-move = played what is not legal
script-forfeit-resigned = gave up
script-forfeit-out-of-time = ran out of time
