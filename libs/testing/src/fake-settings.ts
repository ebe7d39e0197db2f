import { Settings } from '@ports/settings.port';

/** The default settings with the changes of a spec. */
export function fakeSettings(changes: Partial<Settings> = {}): Settings {
  return {
    replyWindowMs: 30_000,
    conversationIdleMs: 1_800_000,
    rateLimits: { read: 100, write: 100, messages: 25 },
    retrySchedule: { waits: [0, 5_000], mode: 'gap', jitter: 0 },
    webhookTimeoutMs: 15_000,
    webhookDelivery: 'on',
    webhookAutoPauseAfterMs: 5 * 86_400_000,
    webhookAllowHttp: false,
    webhookAllowCidrs: [],
    operatorWebhook: null,
    ...changes,
  };
}
