// The arena's server as a child process: started on a port that the system chooses and the server names, killed by its
// process id.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Door } from './door.mjs';
import * as setting from './setting.mjs';
import { LIMIT_MS, within } from './until.mjs';

/** The credential of a test site's operator. */
export const OPERATOR_TOKEN = 'the-token-of-the-operator-of-a-test';

/** The number of the server's last output lines that an error repeats. */
const LINES_REPEATED_MAX = 60;

/** Lines that no error repeats: pages' files were sent. */
const USUAL = /route="\/static\/.* status=(200|304)/;

export class Server {
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /**
   * Its last lines without times and ids, and how often each was said in a row.
   * @type {{said: string, times: number}[]}
   */
  #said = [];
  #data = mkdtempSync(join(tmpdir(), 'arena-web-test-'));
  /** Only if it is started again. @type {Door | null} */
  #door = null;
  #killed = false;
  #fallen = false;
  /** @type {string[]} flags: the games of its standing tournaments */
  #standing;
  #atExit = () => this.#remove();

  /** Its address, such as `http://127.0.0.1:40123`; the same after a restart, if it has a door. */
  url = '';

  /** @param {string[]} standing flags */
  constructor(standing) {
    this.#standing = standing;
  }

  /**
   * @param {string[]} [games] the games of its standing tournaments; by default all games
   * @param {{restarts?: boolean}} [options] whether it will be killed and started again
   * @returns {Promise<Server>} that listens
   */
  static async start(games, { restarts = false } = {}) {
    const server = new Server(games?.length === 0 ? ['--no-standing'] : (games ?? []).flatMap((game) => ['--standing', game]));
    if (restarts) server.#door = await Door.open();
    process.on('exit', server.#atExit);
    await server.start();
    return server;
  }

  /** Starts the process, with the same folder each time. */
  async start() {
    await this.spawn();
  }

  /**
   * Starts the process; returns a promise for its first line. The process may be killed before that.
   * @returns {Promise<void>}
   */
  spawn() {
    assert.equal(this.#child, null, 'the server runs already');
    const proxy = ['--trusted-proxy', '127.0.0.0/8'];
    const log = ['--log-level', 'debug'];
    const options = ['--data', this.#data, '--listen', '127.0.0.1:0', ...proxy, ...log, ...this.#standing, ...setting.assets()];
    const child = spawn(setting.arena(), ['serve', ...options], {
      env: { ...process.env, ARENA_OPERATOR_TOKEN: OPERATOR_TOKEN },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#killed = false;
    child.once('exit', () => {
      if (!this.#killed) this.#fallen = true;
      this.#child = null;
    });
    const hear = (/** @type {string} */ line) => {
      if (USUAL.test(line)) return;
      const said = line.replace(/^\S+T\S+Z +|\bid=\w+ | micros=\d+/g, '');
      const last = this.#said.at(-1);
      if (last?.said === said) last.times += 1;
      else this.#said.push({ said, times: 1 });
      if (this.#said.length > LINES_REPEATED_MAX) this.#said.shift();
    };
    createInterface({ input: /** @type {any} */ (child.stderr) }).on('line', hear);
    const listening = new Promise((resolve, reject) => {
      createInterface({ input: /** @type {any} */ (child.stdout) }).on('line', (line) => {
        hear(line);
        const [, url] = /^listening on (http:\/\/\S+)$/.exec(line) ?? [];
        if (url) resolve(url);
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new ServerEnded(`before it listened: ${signal ?? code}\n${this.lastWords()}`)));
    });
    return within('the server listens', listening).then((url) => {
      assert.ok(!this.url || this.#door, 'a server that is started again needs a door');
      if (this.#door) this.#door.to = Number(new URL(url).port);
      this.url = this.#door?.url ?? url;
    });
  }

  /** Sends SIGKILL, and waits for the end. */
  async kill() {
    const child = this.#child;
    if (!child) return;
    this.#killed = true;
    if (this.#door) this.#door.to = null;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Stops the server and removes its folder; it is an error if the server ended by itself. */
  async close() {
    await this.kill();
    this.#door?.close();
    process.off('exit', this.#atExit);
    this.#remove();
    assert.ok(!this.#fallen, `the server ended by itself:\n${this.lastWords()}`);
  }

  /** Does an act of the operator. @param {object} act */
  async act(act) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_TOKEN}` };
    const body = JSON.stringify({ reason: 'a test', ...act });
    const answer = await fetch(`${this.url}/api/v1/operator/acts`, { method: 'POST', headers, body });
    assert.equal(answer.status, 200, await answer.text());
  }

  /** Forgets its output so far. */
  forget() {
    this.#said = [];
  }

  /** Its last output. */
  lastWords() {
    return this.#said.map(({ said, times }) => `    | ${said}${times > 1 ? ` (${times} times)` : ''}`).join('\n');
  }

  /**
   * Checks that `arena replay` agrees with a record.
   * @param {string} record its text
   */
  replay(record) {
    const file = join(this.#data, 'replayed.json');
    writeFileSync(file, record);
    const { status, stdout, stderr } = spawnSync(setting.arena(), ['replay', file], { encoding: 'utf8', timeout: LIMIT_MS });
    rmSync(file);
    assert.equal(status, 0, `arena replay: ${stdout}${stderr}`);
  }

  #remove() {
    if (this.#child) {
      this.#killed = true;
      this.#child.kill('SIGKILL');
    }
    rmSync(this.#data, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The server ended unexpectedly. */
export class ServerEnded extends Error {}
