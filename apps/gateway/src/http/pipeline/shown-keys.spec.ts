import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { ApiKeys } from '@application/projects/api-keys';
import type { Caller } from '@application/projects/caller';
import { ShownKeys } from './shown-keys.js';

class Keys extends ApiKeys {
  readonly hashed: string[] = [];
  readonly good = new Map<string, Caller>();

  hashOf(secret: string): string {
    this.hashed.push(secret);
    return `hash of ${secret}`;
  }

  known(hash: string): Caller | null {
    return this.good.get(hash) ?? null;
  }

  authenticate(): Promise<Caller> {
    return Promise.reject(new Error('not asked for here'));
  }
}

const callerOf = (projectId: string) => ({ projectId }) as Caller;
const request = (socket: object, authorization?: string) =>
  ({ raw: { socket: socket as Socket }, headers: { authorization } }) as unknown as FastifyRequest;

let keys: Keys;
let shown: ShownKeys;
beforeEach(() => {
  keys = new Keys();
  shown = new ShownKeys(keys);
  for (const name of ['one', 'two']) keys.good.set(`hash of sk_${name}`, callerOf(name));
});

/** Whom keys speak for that are shown on one connection, one after the other. */
function speakFor(...secrets: readonly string[]): (string | undefined)[] {
  const socket = {};
  return secrets.map((secret) => shown.callerOf(request(socket, `Bearer ${secret}`))?.projectId);
}

describe('the key that a connection shows', () => {
  it('is hashed once, however often it is shown', () => {
    expect(speakFor('sk_one', 'sk_one', 'sk_one')).toEqual(['one', 'one', 'one']);
    expect(keys.hashed).toEqual(['sk_one']);
  });

  it('speaks for its own project, whichever was shown before', () => {
    expect(speakFor('sk_one', 'sk_two', 'sk_one', 'sk_none', 'sk_two')).toEqual(['one', 'two', 'one', undefined, 'two']);
  });

  it('is looked at anew with every request: it may have been revoked', () => {
    const socket = {};
    const show = () => shown.callerOf(request(socket, 'Bearer sk_one'));
    expect(show()).toEqual({ projectId: 'one' });
    keys.good.clear();
    expect(show()).toBeNull();
  });

  it('is compared with no other connection’s', () => {
    for (const socket of [{}, {}]) shown.callerOf(request(socket, 'Bearer sk_one'));
    expect(keys.hashed).toEqual(['sk_one', 'sk_one']);
  });

  it('is not kept where it does not work', () => {
    expect(speakFor('sk_none', 'sk_none')).toEqual([undefined, undefined]);
    expect(keys.hashed).toEqual(['sk_none', 'sk_none']);
  });

  it.each([undefined, 'Basic sk_one', 'Bearer ', ''])('is none in %j', (authorization) => {
    expect(shown.callerOf(request({}, authorization))).toBeNull();
  });
});
