// The page of a finished game: replays its record by the rules in this page.

/** @import { Film, Replay } from './rules/engine.js' */

import { Board } from './board/board.js';
import { ScoreChart } from './board/chart.js';
import { loadEngine } from './rules/engine.js';
import { loadFont } from './page/font.js';
import { blockOfBoard, byId, layBoard, moduleUrl, write, writeParagraphs } from './page/page.js';
import { frameAt, turnChanges } from './board/picture.js';
import { markedScene, marksOf } from './board/play-turn.js';
import { Playback, fetchRecord, showFailure, showFinding } from './replays/playback.js';
import { offerRecompute } from './replays/recompute-button.js';
import { animateTurn, turnOf } from './replays/replayed.js';
import { Scoreboard } from './board/scoreboard.js';
import { SharesChart } from './board/shares.js';
import {
  capital,
  describeChanges,
  describeForfeit,
  describeOutcome,
  describePlays,
  describePosition,
  describeStart,
  seatLabel,
} from './board/words.js';
import * as replays from './text/en/script-replays.js';

const speed = /** @type {HTMLSelectElement} */ (byId('speed'));
const before = /** @type {HTMLInputElement} */ (byId('before'));
const words = /** @type {HTMLDetailsElement} */ (byId('words'));

class ReplayPage {
  /**
   * @param {Replay} replay
   * @param {Film} film
   * @param {Scoreboard} scoreboard
   */
  constructor(replay, film, scoreboard) {
    this.replay = replay;
    this.film = film;
    this.scoreboard = scoreboard;
    this.names = { players: scoreboard.players(), seats: film.seat_names };
    layBoard(film);
    this.board = new Board(/** @type {HTMLCanvasElement} */ (byId('board')), film);
    const chart = /** @type {HTMLCanvasElement} */ (byId('chart'));
    // A line chart is readable for two seats, but not for sixteen.
    this.chart = film.seat_names.length === 2 ? new ScoreChart(chart, film.tallies) : new SharesChart(chart, film.tallies, film.seat_names);
    byId('before-line').hidden = film.stages.length === 0;
    const playback = new Playback({
      turns: replay.turns.length,
      show: (turn) => this.#show(turn),
      step: (turn, signal) => animateTurn(this.board, replay, film, { turn, perSecond: Number(speed.value), signal }),
    });
    // Pointing at the chart shows that turn; on the keyboard, the slider does the same.
    const seek = (/** @type {PointerEvent} */ { clientX }) => {
      const { left, width } = chart.getBoundingClientRect();
      playback.go(Math.round(((clientX - left) / width) * replay.turns.length));
    };
    chart.addEventListener('pointerdown', (event) => (chart.setPointerCapture(event.pointerId), seek(event)));
    chart.addEventListener('pointermove', (event) => chart.hasPointerCapture(event.pointerId) && seek(event));
    before.addEventListener('change', () => playback.again());
    // Thousands of cells are described only if the text is open.
    words.addEventListener('toggle', () => playback.again());
    speed.disabled = false;
  }

  /** @param {number} turn */
  #show(turn) {
    const { rows, cols, frames, tallies, notes, seat_names: seats } = this.film;
    const { turns, forfeits } = this.replay;
    const [cells, tally] = [frameAt(frames, turn), tallies[turn]];
    const out = forfeits.filter((forfeit) => forfeit.turn === null || forfeit.turn < turn || turn === turns.length);
    this.scoreboard.show({ cells, tally }, notes[turn], new Set(out.map(({ seat }) => seat)));
    this.chart.show(turn);
    if (words.open)
      writeParagraphs('description', describePosition({ rows, cols, cells, tally, block: blockOfBoard() }, notes[turn], this.names));
    if (turn === 0) {
      this.board.show({ cells });
      write('words-of-turn', describeStart(cells, notes[0], seats));
      write('fuel', '');
      return;
    }
    const { plays } = turns[turn - 1];
    const { now, stage, after, calls } = turnOf(this.replay, this.film, turn);
    const changes = turnChanges(now, stage, after, cols);
    if (before.checked && stage !== null) {
      const { births, deaths, cleared } = changes;
      this.board.show({ cells: stage, ...markedScene(calls[0], this.film.tools), births, deaths: [...(cleared ?? []), ...deaths] });
    } else {
      this.board.show({ cells: after, last: marksOf(calls, this.film.tools) });
    }
    write('words-of-turn', `${describePlays(plays, this.film)} ${describeChanges(changes, seats, tally)}`);
    write('fuel', plays.length === 1 ? fuelText(plays[0], seats) : '');
  }
}

/** @param {{seat: number, fuel: number | null}} play @param {readonly string[]} seats */
const fuelText = ({ seat, fuel }, seats) =>
  fuel === null
    ? replays.scriptReplaysNotMetered({ seat: capital(seatLabel(seat, seats)) })
    : replays.scriptReplaysFuelOfTurn({ fuel: fuel.toLocaleString(document.documentElement.lang) });

async function start() {
  write('turn', replays.scriptReplaysLoadingRecord());
  write('verified', replays.scriptReplaysCheckingRecord());
  const [engine, record] = await Promise.all([loadEngine(moduleUrl('engine')), fetchRecord()]);
  loadFont();
  const replay = engine.replay(record.text);
  const { film } = replay;
  const scoreboard = new Scoreboard(film ?? { seat_names: [], tools: [] });
  const names = { players: scoreboard.players(), seats: film?.seat_names ?? [] };
  showFinding(
    replay,
    replay.forfeits.map((forfeit) => describeForfeit(forfeit, names)),
  );
  if (film === null) return;
  // The server's outcome again, with the seats' names as they stand beside the board.
  write('outcome', describeOutcome(replay.outcome, names));
  new ReplayPage(replay, film, scoreboard);
  offerRecompute(record.url);
}

start().catch(showFailure);
