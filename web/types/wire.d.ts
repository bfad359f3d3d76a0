// predicted
export type RoomMessage =
  | { type: 'hello'; names: string[]; pages: (string | null)[]; you: number[] }
  | (RoomState & { type: 'state' })
  | { type: 'applied'; what: string; ply: number; client_seq: number | null }
  | { type: 'rejected'; what: string; ply: number; client_seq: number | null; code: string; message: string }
  | { type: 'chat'; lines: ChatMessage[] }
  | { type: 'beat'; watching: number; here: number[] }
  | { type: 'error'; code: string; message: string };
export interface ChatMessage { number: number; seat: number | null; mine: boolean; text: string }
export interface RoomState {
  room: string; events: number; ruleset: string; options: string; seats: (string | null)[]; ply: number; first?: number | null;
  turns: Play[][]; awaiting: number[]; forfeits: Forfeit[]; outcome: Outcome | null; digest: string; trouble: string | null;
  people?: RoomPeople | null;
}
export interface Play { seat: number; action: string; fuel: number | null }
export interface Forfeit { seat: number; turn: number | null; code: string; detail: string }
export interface Outcome { winner: number | null; reason: string; tally: number[] }
export interface RoomPeople {
  started: boolean; finished: boolean; door: string; rated: boolean; chat: boolean; programs: number[]; offers: number[]; clock?: { [k: string]: unknown } | null;
  left_ms: (number | null)[]; running: number[]; rematch: number[]; next: string | null;
}
export type RoomCommand =
  | { type: 'turn'; ply: number; client_seq: number; action: string }
  | { type: 'resign'; ply: number }
  | { type: 'draw'; ply: number }
  | { type: 'decline'; ply: number }
  | { type: 'join'; seat?: number | null }
  | { type: 'leave' } | { type: 'rematch' } | { type: 'close' }
  | { type: 'chat'; text: string } | { type: 'report'; number: number };
export type TournamentMessage = { type: 'state'; played: number; total: number; revision: number };
export type WorldCommand =
  | { type: 'join_game'; base_x: number; base_y: number } | { type: 'place_cells'; cells: number[][] } | { type: 'faucet' }
  | { type: 'seat_bot'; bot?: string | null } | { type: 'get_state' } | { type: 'get_slots_info' } | { type: 'get_base_info'; slot: number }
  | { type: 'get_territory_info'; slot: number } | { type: 'get_next_wipe' } | { type: 'get_balance' };
export type WorldMessage =
  | { type: 'hello'; account: number | null; slot: number | null }
  | { type: 'world'; generation: number; next: number; lines?: WorldLine[] | null; behind?: boolean | null }
  | { type: 'answer'; what: string; client_seq: number | null; generation: number; answer: unknown }
  | { type: 'rejected'; what: string; client_seq: number | null; code: string; message: string }
  | { type: 'beat' }
  | { type: 'error'; code: string; message: string };
export interface WorldLine { event: string; generation: number; call?: unknown }
export interface WorldState { generation: number; next: number; slots: (WorldHolder | null)[]; next_wipe: unknown; opened: unknown }
export interface WorldHolder { slot: number; account: number; name: string; bot: string | null }
export interface StandingsView { edition?: EditionView | null; playing?: PlayingView | null }
export interface EditionView { number: number }
export interface PlayingView { edition: number; played: number; total: number }
