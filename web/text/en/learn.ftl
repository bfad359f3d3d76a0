learn-learn-the-games = Learn the games
learn-each-lesson-is-one-turn = Each lesson is one turn on a real board; Life2’s is a few minutes in a world of your own. Nothing is saved and nothing counts.
