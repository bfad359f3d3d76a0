// A live room as seen by a program: one WebSocket, its last state, and the answers to commands.

import { EventEmitter } from 'node:events';
import WebSocket from 'ws';
import { Unanswered } from './api.mjs';
import { fromSomewhere } from './networks.mjs';
import { LIMIT_MS, within } from './until.mjs';

/**
 * Emits `state` (the state, and the time of its arrival in ms) and `closed`.
 */
export class RoomSocket extends EventEmitter {
  /** @type {WebSocket} */
  #socket;
  /** @type {Map<string, {resolve(answer: any): void, reject(error: Error): void}>} */
  #asked = new Map();
  /** @type {any} */
  hello = null;
  /** @type {any} the last state */
  state = null;

  /** @param {string} url of the server @param {string} room @param {string} [token] omitted for a spectator */
  constructor(url, room, token) {
    super();
    const headers = { ...fromSomewhere(), ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const address = `${url.replace(/^http/, 'ws')}/api/v1/rooms/${room}/socket`;
    this.#socket = new WebSocket(address, { headers, origin: url, perMessageDeflate: false });
    this.#socket.on('message', (data) => this.#hear(String(data)));
    this.#socket.on('close', () => this.#closed('it was closed'));
    this.#socket.on('error', (error) => this.#closed(String(error)));
  }

  /**
   * A socket that has its first state.
   * @param {string} url
   * @param {string} room
   * @param {string} [token]
   */
  static async open(url, room, token) {
    const socket = new RoomSocket(url, room, token);
    await socket.stateWhere('its first state', () => true);
    return socket;
  }

  /**
   * The first state that satisfies a condition, starting with the last one received.
   * @param {string} what
   * @param {(state: any) => boolean} is
   * @returns {Promise<any>}
   */
  stateWhere(what, is) {
    if (this.state && is(this.state)) return Promise.resolve(this.state);
    const found = new Promise((resolve, reject) => {
      const look = (/** @type {any} */ state) => {
        if (!is(state)) return;
        stop();
        resolve(state);
      };
      const closed = (/** @type {string} */ why) => {
        stop();
        reject(new Unanswered(`${what}: ${why}`));
      };
      const stop = () => this.off('state', look).off('closed', closed);
      this.on('state', look).on('closed', closed);
    });
    return within(what, found);
  }

  /**
   * Sends a turn; returns its `applied` or `rejected` answer.
   * @param {number} ply
   * @param {number} clientSeq
   * @param {string} action in hex
   * @returns {Promise<any>}
   */
  turn(ply, clientSeq, action) {
    const answer = new Promise((resolve, reject) => this.#asked.set(`${ply} ${clientSeq}`, { resolve, reject }));
    this.send({ type: 'turn', ply, client_seq: clientSeq, action });
    return within(`an answer to ply ${ply}`, answer);
  }

  /** @param {object} message */
  send(message) {
    this.#socket.send(JSON.stringify(message), () => {});
  }

  close() {
    this.removeAllListeners();
    this.#socket.terminate();
  }

  /** @param {string} text */
  #hear(text) {
    const message = JSON.parse(text);
    if (message.type === 'hello') this.hello = message;
    else if (message.type === 'state') {
      this.state = message;
      this.emit('state', message, performance.now());
    } else if (message.type === 'applied' || message.type === 'rejected') {
      const key = `${message.ply} ${message.client_seq}`;
      this.#asked.get(key)?.resolve(message);
      this.#asked.delete(key);
    } else if (message.type === 'error') {
      this.#fail(new Error(`the room says ${message.code}: ${message.message}`));
    }
  }

  /** @param {string} why */
  #closed(why) {
    this.#fail(new Unanswered(`the room's socket: ${why}`));
    this.emit('closed', why);
  }

  /** @param {Error} error */
  #fail(error) {
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }
}
