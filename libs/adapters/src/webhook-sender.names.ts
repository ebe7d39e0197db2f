import { lookup as askSystem, Resolver } from 'node:dns/promises';
import type { Clock } from '@ports/clock.port';
import { FairLine } from './fair-line.js';

/** Every address of a name, IPv4 and IPv6, for a connection of this project. Rejects when there is none. */
export type Resolve = (name: string, projectId: string) => Promise<readonly string[]>;

const PATIENCE_MS = 500;
const SERVER_TIMEOUT_MS = 2000;
const SERVER_TRIES = 2;

/** As the operating system looks names up, its hosts file included. */
export const resolveBySystem: Resolve = async (name) =>
  (await askSystem(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Knows names of the DNS only, but any number of them at once. */
export function resolveByServers(): Resolve {
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES });
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('no server knows the name');
    return addresses;
  };
}

/** As many as the system looks up at once: what is asked of it beyond that waits in a queue that nobody can leave. */
const AT_ONCE = 2;

/**
 * The system looks up two names at a time, and two that nobody answers for would keep all others waiting. So whoever
 * waits for it longer than usual is looked up by the servers as well, and the first to know counts. Nobody waits longer
 * than `withinMs`.
 */
export function resolvePromptly(bySystem: Resolve, byServers: Resolve, clock: Clock, withinMs: number): Resolve {
  const line = new FairLine<readonly string[]>(AT_ONCE);
  return async (name, projectId) => {
    const { answer, leave } = line.enter(projectId, () => bySystem(name, projectId));
    const stopWaiting = clock.after(withinMs, leave);
    try {
      const inTime = await Promise.race([answer, outOfPatience(clock, answer)]);
      return inTime ?? (await Promise.any([answer, byServers(name, projectId)]));
    } finally {
      stopWaiting();
      leave();
    }
  };
}

/** Null once it took too long. */
function outOfPatience(clock: Clock, asked: Promise<unknown>): Promise<null> {
  return new Promise((resolve) => {
    const cancel = clock.after(PATIENCE_MS, () => resolve(null));
    asked.then(cancel, cancel);
  });
}
