volunteers-accounts-that-play-games-of-tournaments = Accounts that play games of tournaments for this site on their own machines.
volunteers-nobody-has-played-one-yet = Nobody has played one yet.
volunteers-played-again-and-equal = Played again, and equal
volunteers-banned-a-game-was-wrong = banned: a game was wrong
volunteers-why-they-can-be-trusted = Why they can be trusted
volunteers-every-record-is-checked-by-the-rules = Every record is checked by the rules. The first { $first-games } games of each volunteer are all played again by the site’s own workers, and so are { $share } of the later ones, drawn at random; which ones is kept secret. At the first difference the volunteer is banned, and every game of theirs that nobody else has played is played again in tournaments that are not finished.
volunteers-how-probable-it-is-that-games = How probable it is that games forged after the first { $first-games } stay undetected:
volunteers-forged-games = Forged games
volunteers-chance = Chance
volunteers-recomputing-a-tournament-finds-every = Recomputing a tournament finds every forged game: its folder has everything needed.
volunteers-make-a-token-for-your = Make a token for your worker on the page <a href="/account">Account</a>, then run:
