# What every page may show.

script-page-copied = Copied
script-page-no-connection = there is no connection; load the page again when it is back
script-page-not-sent = There is no connection: nothing was sent. What you typed stays here; send it again when the connection is back.
script-page-answers = { $address } answers { $status }
script-page-no-worker = a worker could not be started
script-page-game-not-shown = This game cannot be shown.
script-page-rules-not-loaded = The rules could not be loaded: { $why }.
script-page-you = You
script-page-failure-bad-request = the rules on this page do not understand the page
script-page-failure-too-long = this is longer than the rules on this page take
script-page-failure-unknown-game = the rules on this page do not know the game or its options
script-page-failure-illegal-move = this is not legal
script-page-failure-not-a-record = this is not a record of a game
script-page-failure-differs = the rules do not agree with the record
script-page-failure-bot-failed = the bot does not answer: its code failed, or used up its fuel
script-page-bot-other-bytes = the bytes of a bot do not have the hash in the record
script-page-language = en
