import { Injectable } from '@nestjs/common';
import type { Sweeper } from '../../runtime/sweeper.js';
import { AwayServers } from './away-servers.js';

const EVERY_MS = 1_000;

/** Looks at the servers of the engine by itself: a judge waits for a store that is away. */
@Injectable()
export class TroubleWatch implements Sweeper {
  readonly name = 'trouble-watch';
  readonly everyMs = EVERY_MS;

  constructor(private readonly servers: AwayServers) {}

  sweep(now: number): Promise<void> {
    return this.servers.look(now);
  }
}
