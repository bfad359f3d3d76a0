# `python3 test_bot.py`: the bot in plain Python, in the positions of a recorded game. There `arena` is arena.py, which
# knows Conway's Conquerors alone; in other games `arena check bot.py` asks the arena.
#
# Lost a game? `arena debug bot.py GAME.json --turn TURN{{seat}} --save recorded.txt` saves what the bot saw up to a turn of
# its own, as the recording here was saved. Then say in a test what it should have done.
import pathlib
import runpy
import unittest

import arena

HERE = pathlib.Path(__file__).parent
LINES = (HERE / "recorded.txt").read_text().splitlines()
SEEN = [bytes.fromhex(line) for line in LINES if line and line[0] in "0123456789abcdef"]


@unittest.skipUnless(SEEN[0][1] == arena.CONQUERORS, "arena.py knows Conway's Conquerors alone")
class Answers(unittest.TestCase):
    def answers(self):
        """Those of one game."""
        turn = runpy.run_path(str(HERE / "bot.py"))["turn"]
        return [turn(arena.Conquerors(seen)) for seen in SEEN]

    def test_the_bot_answers_legally_in_every_position_and_the_same_in_the_same_game(self):
        answers = self.answers()
        for seen, answer in zip(SEEN, answers):
            self.assertIsNone(arena.Conquerors(seen).check(answer), answer)
        self.assertEqual(str(self.answers()), str(answers))


if __name__ == "__main__":
    unittest.main()
