import type { IncomingHttpHeaders } from 'node:http';

/** How the client wants to wait for a reply, and the preference that was honoured. */
export interface Preference {
  /** Milliseconds, or `reply`: as long as the window. */
  readonly wait: number | 'reply';
  /** For the header `Preference-Applied`. */
  readonly applied: string | null;
}

const PREFERENCE = /^\s*([\w-]+)\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;.*)?$/;
const SECONDS = /^\d{1,400}$/;

/** Reads `Prefer`, of RFC 7240. `respond-async` wins over `wait`; of several of one name the first counts; others are ignored. */
export function readPreference({ prefer }: IncomingHttpHeaders, windowMs: number): Preference {
  const sent = new Map<string, string>();
  for (const text of [prefer ?? []].flat().join(',').split(',')) {
    const [, name, value = ''] = PREFERENCE.exec(text) ?? [];
    if (name !== undefined && !sent.has(name.toLowerCase())) sent.set(name.toLowerCase(), value);
  }
  if (sent.has('respond-async')) return { wait: 0, applied: 'respond-async' };
  const wait = sent.get('wait') ?? '';
  if (!SECONDS.test(wait)) return { wait: 'reply', applied: null };
  const seconds = Math.min(Number(wait), Math.floor(windowMs / 1_000));
  return { wait: Math.min(Number(wait) * 1_000, windowMs), applied: `wait=${seconds}` };
}
