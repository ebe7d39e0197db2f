import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { ApiKeys } from '@application/projects/api-keys';
import type { Caller } from '@application/projects/caller';
import { bearerOf } from './bearer.js';

interface Shown {
  readonly authorization: string;
  readonly hash: string;
}

/** Whose key a request shows, where nothing has to be read for it. A connection shows the same with each of its requests. */
export class ShownKeys {
  /** Of those that worked. Kept by connection: compared with other clients' it could be guessed at, letter by letter. */
  private readonly last = new WeakMap<Socket, Shown>();

  constructor(private readonly keys: ApiKeys) {}

  /** Null when it is unknown here, or no longer good. */
  callerOf({ raw: { socket }, headers }: FastifyRequest): Caller | null {
    const { authorization } = headers;
    if (authorization === undefined) return null;
    const last = this.last.get(socket);
    if (last?.authorization === authorization) return this.keys.known(last.hash);
    const secret = bearerOf(headers);
    if (secret === null) return null;
    const hash = this.keys.hashOf(secret);
    const caller = this.keys.known(hash);
    if (caller) this.last.set(socket, { authorization, hash });
    return caller;
  }
}
