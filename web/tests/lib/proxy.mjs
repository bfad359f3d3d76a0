// A proxy in front of the server: it refuses upgrades to a socket until they are allowed, and can hold back the answers
// to forms.

import { once } from 'node:events';
import { createServer, request } from 'node:http';

export class Proxy {
  /** Whether sockets get through. */
  through = false;
  /** Answers to forms wait for this. @type {Promise<void>} */
  held = Promise.resolve();
  /** Upgrades that were refused. */
  refused = 0;
  #server;

  /** @param {string} url of the server */
  constructor(url) {
    const to = (/** @type {import('node:http').IncomingMessage} */ asked) => {
      const { method, headers } = asked;
      return request(new URL(asked.url ?? '/', url), { method, headers });
    };
    this.#server = createServer((asked, answer) => {
      const forwarded = to(asked);
      forwarded.on('response', async (came) => {
        if (asked.method === 'POST') await this.held;
        answer.writeHead(came.statusCode ?? 502, came.rawHeaders);
        came.pipe(answer);
      });
      forwarded.on('error', () => answer.destroy());
      answer.on('close', () => forwarded.destroy());
      asked.pipe(forwarded);
    });
    this.#server.on('upgrade', (asked, socket) => {
      socket.on('error', () => {});
      if (!this.through) {
        this.refused += 1;
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        return;
      }
      const forwarded = to(asked);
      forwarded.on('upgrade', ({ statusCode, statusMessage, rawHeaders }, server, first) => {
        const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
        socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`);
        server.unshift(first);
        server.on('error', () => socket.destroy());
        socket.on('close', () => server.destroy());
        server.on('close', () => socket.destroy());
        server.pipe(socket).pipe(server);
      });
      forwarded.on('error', () => socket.destroy());
      forwarded.end();
    });
  }

  /** @param {string} url of the server @returns {Promise<Proxy>} that listens */
  static async start(url) {
    const proxy = new Proxy(url);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url() {
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port}`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
