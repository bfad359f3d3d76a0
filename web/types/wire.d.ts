// Generated from arena/server/openapi.json: `npm run types --prefix web/tests`.

export type Wire = RoomCommand | RoomMessage | StandingsView | TournamentMessage | WorldCommand | WorldMessage | WorldState;
/**
 * A command of a page or a program. It may also have `room`, the id of the room that it is meant for.
 */
export type RoomCommand =
  | {
      /**
       * The action's bytes in hex.
       */
      action: string;
      client_seq: number;
      ply: number;
      type: 'turn';
    }
  | {
      ply: number;
      type: 'resign';
    }
  | {
      ply: number;
      type: 'draw';
    }
  | {
      ply: number;
      type: 'decline';
    }
  | {
      seat?: number | null;
      type: 'join';
    }
  | {
      type: 'leave';
    }
  | {
      type: 'rematch';
    }
  | {
      type: 'close';
    }
  | {
      text: string;
      type: 'chat';
    }
  | {
      number: number;
      type: 'report';
    };
/**
 * A message of a room.
 */
export type RoomMessage =
  | {
      names: string[];
      pages: (string | null)[];
      type: 'hello';
      you: number[];
    }
  | (RoomState & {
      type: 'state';
    })
  | {
      client_seq: number | null;
      ply: number;
      type: 'applied';
      what: string;
    }
  | {
      client_seq: number | null;
      code: string;
      message: string;
      ply: number;
      /**
       * The same in the language that the request prefers, if that is not English.
       */
      translated?: string | null;
      type: 'rejected';
      what: string;
    }
  | {
      lines: ChatMessage[];
      type: 'chat';
    }
  | {
      here: number[];
      type: 'beat';
      watching: number;
    }
  | {
      code: string;
      message: string;
      type: 'error';
    };
/**
 * The value of a column, or a total.
 */
export type ValueView =
  | number
  | {
      /**
       * The upper end.
       */
      high?: number | null;
      /**
       * The lower end of its 95 % interval.
       */
      low?: number | null;
      /**
       * The estimated value.
       */
      value?: number | null;
    }
  | {
      /**
       * The best rank.
       */
      best: number;
      /**
       * The worst rank.
       */
      worst: number;
    }
  | string
  | number[]
  | TallyView
  | {
      first: TallyView;
      second: TallyView;
    }
  | {
      [k: string]: number;
    };
/**
 * A message of a tournament's socket; `beat` is that of a world, `error` that of a room.
 */
export type TournamentMessage = {
  played: number;
  revision: number;
  total: number;
  type: 'state';
};
/**
 * A message of a page or a program. It may also have `client_seq`, a number that the answer repeats.
 */
export type WorldCommand =
  | {
      base_x: number;
      base_y: number;
      type: 'join_game';
    }
  | {
      cells: number[][];
      type: 'place_cells';
    }
  | {
      type: 'faucet';
    }
  | {
      bot?: string | null;
      type: 'seat_bot';
    }
  | {
      type: 'get_state';
    }
  | {
      type: 'get_slots_info';
    }
  | {
      slot: number;
      type: 'get_base_info';
    }
  | {
      slot: number;
      type: 'get_territory_info';
    }
  | {
      type: 'get_next_wipe';
    }
  | {
      type: 'get_balance';
    };
/**
 * A message of a world.
 */
export type WorldMessage =
  | {
      account: number | null;
      slot: number | null;
      type: 'hello';
    }
  | {
      behind?: boolean | null;
      generation: number;
      lines?: WorldLine[] | null;
      next: number;
      type: 'world';
    }
  | {
      answer: unknown;
      client_seq: number | null;
      generation: number;
      type: 'answer';
      what: string;
    }
  | {
      client_seq: number | null;
      code: string;
      message: string;
      type: 'rejected';
      what: string;
    }
  | {
      type: 'beat';
    }
  | {
      code: string;
      message: string;
      type: 'error';
    };

/**
 * A room at a moment, without its position, which `web/engine` computes from ruleset, options and turns.
 */
export interface RoomState {
  /**
   * The seats that have yet to answer.
   */
  awaiting: number[];
  /**
   * The digest of the game so far.
   */
  digest: string;
  /**
   * The number of events so far; it grows with each state.
   */
  events: number;
  /**
   * The number of the first turn below; left out if it is 0.
   */
  first?: number | null;
  forfeits: Forfeit[];
  options: string;
  outcome: Outcome | null;
  people?: RoomPeople | null;
  ply: number;
  room: string;
  ruleset: string;
  /**
   * The players' ids as in records; `null` is an open seat.
   */
  seats: (string | null)[];
  /**
   * Why the game cannot continue, if it cannot.
   */
  trouble: string | null;
  /**
   * The plays of each completed turn, in seat order.
   */
  turns: Play[][];
}
/**
 * A seat that dropped out, and why.
 */
export interface Forfeit {
  /**
   * The kind of fault.
   */
  code: string;
  detail: string;
  seat: number;
  /**
   * The turn, from 0; `null` before the first.
   */
  turn: number | null;
}
/**
 * How a game ended.
 */
export interface Outcome {
  /**
   * The code of its reason.
   */
  reason: string;
  /**
   * The numbers that the ruleset ranks by, by seat.
   */
  tally: number[];
  /**
   * The winning seat; `null` is a draw.
   */
  winner: number | null;
}
/**
 * The parts of the state for a room that people find and join.
 */
export interface RoomPeople {
  chat: boolean;
  clock?: {} | null;
  door: string;
  /**
   * Whether nothing can happen in it any more.
   */
  finished: boolean;
  /**
   * The remaining time of each clock when this is sent, in milliseconds.
   */
  left_ms: (number | null)[];
  next: string | null;
  /**
   * The seats that offer a draw.
   */
  offers: number[];
  /**
   * The seats of accounts' programs.
   */
  programs: number[];
  rated: boolean;
  /**
   * The seats that want a rematch, and the rematch's room.
   */
  rematch: number[];
  /**
   * The seats whose clocks run.
   */
  running: number[];
  /**
   * Whether the site takes no turns at the moment, and clocks stand still until it does; left out if not.
   */
  stands_still?: boolean | null;
  /**
   * Whether every seat is taken.
   */
  started: boolean;
}
/**
 * The answer of a seat.
 */
export interface Play {
  /**
   * The action's bytes in hex.
   */
  action: string;
  /**
   * Fuel of the answer; `null` for players that are not metered.
   */
  fuel: number | null;
  seat: number;
}
/**
 * A message of a room's chat.
 */
export interface ChatMessage {
  mine: boolean;
  number: number;
  /**
   * The seat of who wrote it; `null` if that person left it.
   */
  seat: number | null;
  text: string;
}
/**
 * The standings of a game.
 */
export interface StandingsView {
  earlier?: EarlierView | null;
  edition?: EditionView | null;
  /**
   * The name and version of the ruleset.
   */
  game: string;
  /**
   * The number of bots without a place in the field.
   */
  left_out: number;
  playing?: PlayingView | null;
  /**
   * The newcomers' results in the qualifying games for the field of the latest edition, the best 100; empty if there
   * was a place for each.
   */
  qualifying: QualifiedView[];
  /**
   * The game's title.
   */
  title: string;
  /**
   * The oldest 100 bots without a place, each with the reason.
   */
  without_place: LeftOutView[];
}
/**
 * A finished edition that another release played. Its results are not comparable with this release's.
 */
export interface EarlierView {
  /**
   * The build that played it.
   */
  build: string;
  /**
   * Its number, from 1.
   */
  number: number;
  /**
   * Its standings as that release wrote them for people, in plain text.
   */
  table: string;
}
/**
 * A finished edition of the standing tournament.
 */
export interface EditionView {
  annulled?: Annulled | null;
  /**
   * The build that played it.
   */
  build: string;
  draw?: DrawView | null;
  /**
   * The number of games in its schedule.
   */
  games: number;
  /**
   * Notes on the standings, in sentences: what the columns mean, what the games came to, void games, quarantined
   * bots.
   */
  notes: string[];
  /**
   * Its number, from 1.
   */
  number: number;
  /**
   * The id of its semantics, on which its verdicts depend.
   */
  semantics: string;
  standings: TableView;
  /**
   * The tournament's id, as in the ids of its games.
   */
  tournament: string;
  /**
   * The number of its void games.
   */
  void: number;
}
/**
 * That a tournament is void: its standings say nothing about its bots. It stays as it is, so that everybody may
 * recompute it.
 */
export interface Annulled {
  /**
   * When it was annulled, in seconds since 1970.
   */
  at: number;
  /**
   * The operator's reason.
   */
  reason: string;
}
/**
 * What a seed was drawn from. It is a hash of a secret and of all entrants, so that nobody could choose it.
 */
export interface DrawView {
  /**
   * The SHA-256 of the secret for the next edition's seed.
   */
  next?: string | null;
  /**
   * The secret, 32 bytes in hex, revealed when the field was frozen. The previous edition has its SHA-256.
   */
  secret: string;
}
/**
 * Standings, by columns.
 */
export interface TableView {
  /**
   * The columns, in reading order.
   */
  columns: ColumnView[];
  /**
   * The counted games of each row against each row, where games are played in pairings; `null` elsewhere.
   */
  crosstable?: TallyView[][] | null;
  /**
   * All rows, best first.
   */
  rows: RowView[];
  /**
   * Totals over all games, by name.
   */
  totals: {
    [k: string]: ValueView;
  };
}
/**
 * A column.
 */
export interface ColumnView {
  /**
   * The key of its values in each row.
   */
  name: string;
  /**
   * Its title for people.
   */
  title: string;
}
/**
 * Wins, draws and losses.
 */
export interface TallyView {
  draws: number;
  losses: number;
  wins: number;
}
/**
 * A row of the standings.
 */
export interface RowView {
  /**
   * Its id in records.
   */
  id: string;
  /**
   * Its name.
   */
  name: string;
  /**
   * Whether it was removed from the tournament; it then stands below all that were not.
   */
  quarantined: boolean;
  /**
   * The rank, from 1. Those that nothing tells apart may share one; `null` for one that withdrew after less than
   * half of its games.
   */
  rank?: number | null;
  /**
   * The value of each column, by the column's name. A column without a value is absent.
   */
  values: {
    [k: string]: ValueView;
  };
  /**
   * Its void games.
   */
  void: number;
}
/**
 * The progress of an edition.
 */
export interface PlayingView {
  draw?: DrawView | null;
  edition: number;
  /**
   * Bots that were not in the edition before, the first 100.
   */
  newcomers: NewcomerView[];
  played: number;
  total: number;
}
/**
 * A bot that is new in an edition.
 */
export interface NewcomerView {
  /**
   * The hash of its bytes.
   */
  entrant: string;
  /**
   * Its games so far.
   */
  games: number;
}
/**
 * A newcomer that played for a place.
 */
export interface QualifiedView {
  /**
   * Its name.
   */
  bot: string;
  /**
   * The hash of its bytes. Anyone who has the bytes can replay the games.
   */
  entrant: string;
  /**
   * Whether it got a place.
   */
  plays: boolean;
  /**
   * Its score against the built-in opponents, from 0 to 1.
   */
  score: number;
}
/**
 * A bot without a place in the field.
 */
export interface LeftOutView {
  /**
   * Its name.
   */
  bot: string;
  /**
   * The bot of which it is a copy.
   */
  copy_of?: string | null;
  /**
   * The reason: `copy` (it does what another bot does, whose owner had it first), `owner` (its owner has as many
   * other bots in the field as allowed), `newcomer` (it is new, and others come first) or `beaten` (it has played,
   * and there are better ones).
   */
  why: string;
}
/**
 * A line of a world's log; `arena/world/FORMAT.md` has all fields.
 */
export interface WorldLine {
  call?: unknown;
  event: string;
  generation: number;
}
/**
 * A world at a moment.
 */
export interface WorldState {
  generation: number;
  /**
   * The number of the first line after the snapshot.
   */
  next: number;
  next_wipe: unknown;
  /**
   * A snapshot: the first line of a log.
   */
  opened: {
    [k: string]: unknown;
  };
  /**
   * The holders of slots, in the order of the slots.
   */
  slots: (WorldHolder | null)[];
}
/**
 * The holder of a slot.
 */
export interface WorldHolder {
  account: number;
  /**
   * The bot that plays for the holder, if any.
   */
  bot: string | null;
  name: string;
  slot: number;
}
