people-time = Time
people-you-are-number-of-with-points =
    { $points ->
        [one] You are number { $rank } of { $people }, with 1 point.
       *[other] You are number { $rank } of { $people }, with { $points } points.
    }
people-more-are-held-back-at-most = { $held-back ->
        [one] { $held-back } more is held back
       *[other] { $held-back } more are held back
    }: at most a tenth can come from one person.
people-none-of-your-games-counts = None of your games counts here yet.
people-nobody-has-a-game-that-counts = Nobody has a game that counts here yet.
people-points = Points
people-won = Won
people-drawn = Drawn
people-lost = Lost
people-people-with-accounts-score-in-games = People with accounts score in games of two seats: against a built-in opponent, or in rated games against each other. For a rated game both players need { $practice-games } finished games against built-in opponents, and must never have been seen in the same browser.
people-the-first-games-of-a-day = The first { $games-a-day } games of a day (UTC) between the same two players count; a repeat of an earlier game, action for action, does not. Guests, submitted bots and programs never count.
people-a-win-is-worth-100 = A win is worth 100 points against a person, and 30, 70 or 120 against a built-in opponent; 40 more for an extinction, up to 25 for an early one, up to 50 for a short game, and up to 45 for the lead at the end. Draws and defeats are games without points. At most a tenth of your points can come from one person.
people-the-rating-is-glicko-2 = The rating is Glicko-2, from rated games between people; a day is one period. The interval contains the true strength 95 times in 100.
people-one-person-with-several-accounts = One person with several accounts can lose on purpose to one of them. Simulated gain in a month among thirty daily players:
people-what-several-accounts-gain = What several accounts gain
people-accounts = Accounts
people-points-that-count = Points that count
people-times-one-account = Times one account
people-place-of-31 = Place of 31
people-rules-and-start = Rules and start
people-start-number = Start number
people-how-others-find-it = How others find it
people-by-its-code-and-link = by its code and link
people-by-anyone-in-the-lobby = by anyone, in the lobby
people-only-for = Only for
people-a-players-name-empty-anyone = a player’s name; empty: anyone
people-with-a-chat = With a chat
people-rated-it-counts-for-both = Rated: it counts for both on the leaderboard of people, and the lobby lists it
people-open-a-room = Open a room
people-this-month = This month
people-last-month = Last month
people-all-time = All time
