// The arena's server as a child process: started on a free port of this machine, killed by its process id.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as setting from './setting.mjs';
import { within } from './until.mjs';

/** The server opens its database and its tournaments before it listens. */
const START_LIMIT_MS = 30_000;

/** The credential of a test site's operator. */
export const OPERATOR_TOKEN = 'the-token-of-the-operator-of-a-test';

/** The number of the server's last output lines that an error repeats. */
const LINES_REPEATED_MAX = 30;

export class Server {
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** @type {string[]} */
  #said = [];
  #data = mkdtempSync(join(tmpdir(), 'arena-web-test-'));
  #address = '127.0.0.1:0';
  #killed = false;
  #fallen = false;
  /** @type {string[]} flags: the games of its standing tournaments */
  #standing;
  #atExit = () => this.#remove();

  /** Its address, such as `http://127.0.0.1:40123`; the same after a restart. */
  url = '';

  /** @param {string[]} standing flags */
  constructor(standing) {
    this.#standing = standing;
  }

  /**
   * @param {string[]} [games] the games of its standing tournaments; by default all games
   * @returns {Promise<Server>} that listens
   */
  static async start(games) {
    const server = new Server(games?.length === 0 ? ['--no-standing'] : (games ?? []).flatMap((game) => ['--standing', game]));
    process.on('exit', server.#atExit);
    await server.start();
    return server;
  }

  /** Starts the process with the same folder, and on the same port after the first time. */
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
    const options = ['--data', this.#data, '--listen', this.#address, ...proxy, ...this.#standing, ...setting.assets()];
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
      this.#said.push(line);
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
    return within('the server listens', START_LIMIT_MS, listening).then((url) => {
      if (this.url) assert.equal(url, this.url, 'the same address as before');
      this.url = url;
      this.#address = new URL(url).host;
    });
  }

  /** Sends SIGKILL, and waits for the end. */
  async kill() {
    const child = this.#child;
    if (!child) return;
    this.#killed = true;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Stops the server and removes its folder; it is an error if the server ended by itself. */
  async close() {
    await this.kill();
    process.off('exit', this.#atExit);
    this.#remove();
    assert.ok(!this.#fallen, `the server ended by itself:\n${this.lastWords()}`);
  }

  /** Its last output. */
  lastWords() {
    return this.#said.map((line) => `    | ${line}`).join('\n');
  }

  /**
   * Checks that `arena replay` agrees with a record.
   * @param {string} record its text
   */
  replay(record) {
    const file = join(this.#data, 'replayed.json');
    writeFileSync(file, record);
    const { status, stdout, stderr } = spawnSync(setting.arena(), ['replay', file], { encoding: 'utf8', timeout: 60_000 });
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
