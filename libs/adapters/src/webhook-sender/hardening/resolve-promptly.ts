import { lookup as askSystem, Resolver } from 'node:dns/promises';
import { Budget } from '@kit/budget';
import type { Clock } from '@ports/clock.port';

/** Every address of a name, IPv4 and IPv6, for a connection of this project. Rejects when there is none. */
export type Resolve = (name: string, projectId: string) => Promise<readonly string[]>;

const USUAL_MS = 500;
const SERVER_TIMEOUT_MS = 2000;
const SERVER_TRIES = 2;

/** As the operating system looks names up, its hosts file included. */
export const resolveBySystem: Resolve = async (name) =>
  (await askSystem(name, { all: true, verbatim: true })).map(({ address }) => address);

/** Asks the DNS servers directly: any number of names at once, but none of the hosts file. */
export function resolveByServers(): Resolve {
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES });
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('no server knows the name');
    return addresses;
  };
}

/** As many as the system looks up at once: further lookups would wait in its own queue, which no caller can leave. */
const LOOKUPS_AT_ONCE = 2;

/**
 * Resolves a name by the system, and by the DNS servers as well once that takes longer than usual; the first answer counts.
 * Stops an endpoint whose name no server answers for from delaying all others: the system resolves two names at a time.
 * Projects take turns, and no caller waits longer than `withinMs`.
 */
export function resolvePromptly(bySystem: Resolve, byServers: Resolve, clock: Clock, withinMs: number): Resolve {
  const lookups = new Budget({ total: LOOKUPS_AT_ONCE, perOwner: LOOKUPS_AT_ONCE, least: 0 });
  return async (name, projectId) => {
    const givingUp = new AbortController();
    const answer = lookups.run(projectId, 1, () => bySystem(name, projectId), givingUp.signal);
    const stopWaiting = clock.after(withinMs, () => givingUp.abort());
    try {
      const inTime = await Promise.race([answer, tooSlow(clock, answer)]);
      return inTime ?? (await Promise.any([answer, byServers(name, projectId)]));
    } finally {
      stopWaiting();
      givingUp.abort();
    }
  };
}

/** Resolves to null once the lookup takes longer than usual. */
function tooSlow(clock: Clock, asked: Promise<unknown>): Promise<null> {
  return new Promise((resolve) => {
    const cancel = clock.after(USUAL_MS, () => resolve(null));
    asked.then(cancel, cancel);
  });
}
