import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '@platform/logging/logger';
import type { Ids } from '@ports/ids.port';
import { limitPipelining } from '../hardening/limit-pipelining.js';
import { MalformedRequests } from './malformed-requests.js';

const NO_HTTP = Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_METHOD', rawPacket: Buffer.from('Maria, 0170') });

const server = new EventEmitter();
limitPipelining(server as Server);
let logged: unknown[];
const logger = { info: (...line: unknown[]) => logged.push(line) } as unknown as Logger;
new MalformedRequests({ next: () => 'req_1' } as unknown as Ids, logger).install({ server } as unknown as FastifyInstance);

/** A fake socket that records its answers and whether it was closed. */
class Connection extends EventEmitter {
  readonly writable = true;
  readonly bytesRead = 100;
  readonly told: string[] = [];
  ended = false;

  end(bytes?: string): void {
    if (bytes !== undefined) this.told.push(bytes);
    this.ended = true;
  }

  destroy(): void {
    this.ended = true;
  }

  /** A request whose headers have arrived; by default its answer is being sent. */
  asked({ isWhole = true, isTurn = true, headersSent = false } = {}) {
    const about = { writableFinished: false, shouldKeepAlive: true, headersSent, socket: isTurn ? this : null };
    const answer = Object.assign(new EventEmitter(), about, { req: { complete: isWhole } });
    server.emit('request', { socket: this }, answer);
    return answer;
  }

  bringsNonsense(): void {
    server.emit('clientError', NO_HTTP, this);
  }
}

let connection: Connection;
beforeEach(() => {
  [connection, logged] = [new Connection(), []];
});

describe('a connection that brings what is no HTTP', () => {
  it('is told so, and that it ends', () => {
    connection.bringsNonsense();
    expect(connection.told).toEqual([expect.stringMatching(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\nconnection: close\r\n/)]);
    expect(connection.ended).toBe(true);
  });

  it('has a line in the log with the id it was told, and nothing of what it brought', () => {
    connection.bringsNonsense();
    expect(connection.told[0]).toContain('\r\nrequest-id: req_1\r\n');
    const fields = { request_id: 'req_1', route: 'unrouted', status: 400, error_code: 'parameter_invalid' };
    expect(logged).toEqual([['request', fields]]);
  });

  it.each([
    ['is on its way', {}],
    ['has begun before all of its request is there', { headersSent: true, isWhole: false }],
    ['waits for the answers before it', { isTurn: false, isWhole: false }],
  ])('hears the answer that %s, which says that it is the last, and nothing after it', (_, how) => {
    const answer = connection.asked(how);
    connection.bringsNonsense();
    expect([connection.told, connection.ended, answer.shouldKeepAlive]).toEqual([[], false, false]);
    answer.emit('close');
    expect([connection.told, connection.ended, logged]).toEqual([[], true, []]);
  });

  it('is told so in place of the answer to a request that will never be whole', () => {
    connection.asked({ isWhole: false });
    connection.bringsNonsense();
    expect([connection.told.length, connection.ended]).toEqual([1, true]);
  });
});
