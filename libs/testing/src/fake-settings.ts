import { Settings } from '@ports/settings.port';

/** The operator's settings as shipped; a spec changes what it is about. */
export function fakeSettings(changes: Partial<Settings> = {}): Settings {
  return {
    replyWindowMs: 30_000,
    conversationIdleMs: 1_800_000,
    rateLimits: { read: 100, write: 100, messages: 25 },
    retrySchedule: { waits: [0, 5_000], mode: 'gap', jitter: 0 },
    webhookTimeoutMs: 15_000,
    webhookAllowHttp: false,
    webhookAllowCidrs: [],
    ...changes,
  };
}
