// A client of the JSON API that distinguishes an answer from a lost one: only answered requests count as acknowledged.

import { fromSomewhere } from './networks.mjs';
import { LIMIT_MS } from './until.mjs';

/** There was no complete answer: the request may or may not have been carried out. */
export class Unanswered extends Error {}

/** The server gave an unexpected answer. */
export class Refused extends Error {
  /** @param {string} what @param {number} status @param {any} body */
  constructor(what, status, body) {
    super(`${what} was answered ${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

export class Api {
  /** @param {string} url of the server @param {string} [token] a player code */
  constructor(url, token) {
    this.url = url;
    this.token = token;
    this.from = fromSomewhere();
  }

  /**
   * A new account and a client that is signed in to it.
   * @param {string} url
   * @param {string} name
   * @returns {Promise<Api>}
   */
  static async claim(url, name) {
    const { body } = await new Api(url).post('accounts', { name }, [201]);
    return new Api(url, body.code);
  }

  /** @param {string} path under /api/v1 @param {number[]} [expected] statuses */
  get(path, expected = [200]) {
    return this.#ask('GET', path, {}, expected);
  }

  /** @param {string} path @param {object} json @param {number[]} expected */
  post(path, json, expected) {
    return this.#ask('POST', path, { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }, expected);
  }

  /** @param {string} bot @param {Uint8Array} bytes @param {number[]} expected */
  upload(bot, bytes, expected) {
    const headers = { 'content-type': 'application/wasm' };
    return this.#ask('POST', `bots/${bot}/versions`, { body: bytes, headers }, expected);
  }

  /** @param {string} path @returns {Promise<string>} as it was sent */
  async text(path) {
    const { body } = await this.#ask('GET', path, { raw: true }, [200]);
    return body;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{body?: any, headers?: Record<string, string>, raw?: boolean}} request
   * @param {number[]} expected
   * @returns {Promise<{status: number, body: any}>}
   */
  async #ask(method, path, { body, headers = {}, raw = false }, expected) {
    const what = `${method} ${path}`;
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    let response, text;
    try {
      const signal = AbortSignal.timeout(LIMIT_MS);
      response = await fetch(`${this.url}/api/v1/${path}`, { method, headers: { ...this.from, ...headers }, body, signal });
      text = await response.text();
    } catch (error) {
      throw new Unanswered(`${what}: ${error}`, { cause: error });
    }
    const { status } = response;
    const answer = raw ? text : json(text);
    if (!expected.includes(status)) throw new Refused(what, status, answer);
    return { status, body: answer };
  }
}

/** @param {string} text */
function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
