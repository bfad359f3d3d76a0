# The same of worlds alone.

script-answers-refused = the rules of the world refuse this
script-answers-too-many-wallets = this world has no place for another wallet
script-answers-too-many-seated = no more bots find a place in this world
script-answers-unfit = in a world a bot starts afresh every minute, and this one's start fails or takes more fuel than a turn has
script-answers-no-such-bot = you have no bot of this name that plays Life2, and no opponent comes with the arena under it
script-answers-sign-in = this needs an account
script-answers-no-base = there is no base
script-answers-no-such-slot = slots are 1 to 9
