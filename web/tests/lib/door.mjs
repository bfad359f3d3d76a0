// A door to a server that is killed and started again: its address stays, because this process keeps the port. While
// nobody is behind it, connections are reset.

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export class Door {
  /** The port of the server behind it. @type {number | null} */
  to = null;
  #server = createServer((from) => this.#let(from)).unref();

  /** @returns {Promise<Door>} that listens */
  static async open() {
    const door = new Door();
    door.#server.listen(0, '127.0.0.1');
    await once(door.#server, 'listening');
    return door;
  }

  get url() {
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port}`;
  }

  close() {
    this.#server.close();
  }

  /** @param {import('node:net').Socket} from */
  #let(from) {
    // It keeps no process alive: who waits for an answer does.
    from.unref().on('error', () => {});
    if (this.to === null) {
      from.resetAndDestroy();
      return;
    }
    const server = connect(this.to, '127.0.0.1').unref();
    server.on('error', () => from.resetAndDestroy());
    server.on('close', () => from.destroy());
    from.on('close', () => server.destroy());
    from.pipe(server).pipe(from);
  }
}
