// A client of the JSON API that tells an answer from none: only what was answered counts as acknowledged.

import { fromSomewhere } from './networks.mjs';

/** How long an answer may take; a qualification game is among what is waited for. */
const ANSWER_LIMIT_MS = 30_000;

/** No answer came, or not to its end: the request may have been carried out or not. */
export class Unanswered extends Error {}

/** The server answered, with something else than was expected. */
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
      const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
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
