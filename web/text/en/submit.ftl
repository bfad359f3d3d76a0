submit-one-wasm-file-of-at-most = One <code>.wasm</code> file of at most { $module-kib } KiB, or a script in JavaScript or Python, <code>.js</code> or <code>.py</code>, of at most { $script-kib } KiB. It is checked and plays a game in each seat against the weakest built-in opponent of its game; the verdict comes while you wait. <a href="/guide">The guide</a> takes you from nothing to a bot that wins, in seven languages.
submit-standing-tournaments-here = Games with a standing tournament here: { $games }. An accepted bot plays there from the next edition on, with at most { $places ->
        [one] { $places } bot
       *[other] { $places } bots
    } of an account in an edition.
submit-no-standing-tournaments = This site holds no standing tournaments: an accepted bot plays in rooms and in the tournaments that it enters.
submit-write-it-in-the-workshop = Write it in the workshop
submit-no-compiler-is-needed = No compiler is needed: the bot is written, tried and submitted in the page.
submit-name-of-the-bot = Name of the bot
submit-letters-digits-dots-dashes-and-underscores = Letters, digits, dots, dashes and underscores. The name of one of your bots submits a new version of it; a new name makes a new bot.
submit-the-bots-own-game = the bot’s own game
submit-a-bot-plays-one-game = A bot plays one game, chosen with its first version: without a choice, { $title }.
submit-the-site-puts-arena-wat = The site puts <a href="/guide/files/sdk/wat/arena.wat"><code>arena.wat</code></a> in front of it and assembles both; a complete <code>(module …)</code> is assembled as it is. The guide has a chapter on <a href="/guide/wat">WebAssembly text</a>.
submit-module = Module or script
submit-a-script-is-in-its-module = A script is kept inside the module that the site makes of it, comments included: once the bot is accepted, anyone can download the module and read it.
submit-show-its-source-under = Show its source on its page, to read and to fork, under
submit-licence = Licence
submit-submit = Submit
submit-your-bots = Your bots:
submit-claim-a-name-button = Claim a name
submit-anyone-can-download-an-accepted = Anyone can download an accepted bot, so that anyone can recompute its games.
submit-what-a-bot-may-use = What a bot may use
submit-million-units-of-fuel-a-turn = { $fuel-millions } million units of fuel a turn in { $title }, counted by the arena’s own meter, the same on every machine.
submit-how-budgets-work = How budgets work
submit-all-limits = All limits
