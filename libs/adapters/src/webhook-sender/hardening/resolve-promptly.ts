import { lookup as askSystem, Resolver } from 'node:dns/promises';
import { Budget } from '@kit/budget';
import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';

export interface Addresses {
  readonly known: readonly string[];
  /** Addresses of a family whose name servers are slow; possibly none. Never rejects. */
  readonly late?: Promise<readonly string[]>;
}

export type Resolve = (name: string, projectId: string) => Promise<Addresses>;

type AskFamily = (name: string) => Promise<readonly string[]>;

const USUAL_MS = 500;
const SERVER_TIMEOUT_MS = 2000;
const SERVER_TRIES = 2;
/** How long one family waits for the other: the "resolution delay" of RFC 8305. */
const RESOLUTION_DELAY_MS = 50;

/** As the operating system looks names up, with its hosts file. */
export const resolveBySystem: Resolve = async (name) => {
  const answer = await askSystem(name, { all: true, verbatim: true });
  return { known: answer.map(({ address }) => address) };
};

/** Asks DNS servers directly: any number of names at once, but without the hosts file. */
export function resolveByServers(clock: Clock): Resolve {
  const resolver = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: SERVER_TRIES });
  return resolveByFamilies(clock, [(name) => resolver.resolve4(name), (name) => resolver.resolve6(name)]);
}

/** Asks for both families at once. Some name servers never answer for one; the other then waits only a moment. */
export function resolveByFamilies(clock: Clock, families: readonly AskFamily[]): Resolve {
  return async (name) => {
    const asked = families.map((ask) => ask(name));
    const all = Promise.allSettled(asked).then((answers) =>
      answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    );
    const first = await Promise.any(asked);
    const both = await inTime(clock, RESOLUTION_DELAY_MS, all);
    if (both) return { known: both };
    return { known: first, late: all.then((addresses) => addresses.filter((address) => !first.includes(address))) };
  };
}

/** As many as the system looks up at once: more would wait in its own queue, which no caller can leave. */
const LOOKUPS_AT_ONCE = 2;

/**
 * Resolves by the system, and by the DNS servers too if that is slow; the first answer wins. Keeps endpoints with dead name servers from
 * delaying others: the system resolves two names at a time. Projects take turns, and no caller waits longer than `withinMs`.
 */
export function resolvePromptly(bySystem: Resolve, byServers: Resolve, clock: Clock, withinMs: number): Resolve {
  const lookups = new Budget({ total: LOOKUPS_AT_ONCE, perOwner: LOOKUPS_AT_ONCE, least: 0 });
  const usualMs = Math.min(USUAL_MS, withinMs / 4);
  return async (name, projectId) => {
    const givingUp = new AbortController();
    const answer = lookups.run(projectId, 1, () => bySystem(name, projectId), givingUp.signal);
    const stopWaiting = clock.after(withinMs, () => givingUp.abort());
    try {
      return (await inTime(clock, usualMs, answer)) ?? (await Promise.any([answer, byServers(name, projectId)]));
    } finally {
      stopWaiting();
      givingUp.abort();
    }
  };
}
