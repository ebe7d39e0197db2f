import type { Secrets } from '@ports/secrets.port';

export const SIGNING_SECRET_PREFIX = 'whsec_';

export interface Signed {
  readonly eventId: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/** One signature per secret, the present secret first. */
export function signatureHeaders(
  hmac: Secrets['hmac'],
  secrets: readonly string[],
  { eventId, timestamp, body }: Signed,
): Readonly<Record<string, string>> {
  const ours = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.${body}`, 'hex')}`);
  return {
    'Service-Signature': [`t=${timestamp}`, ...ours].join(','),
    ...standardHeaders(hmac, secrets, { eventId, timestamp, body }),
  };
}

/** Those of Standard Webhooks. */
export function standardHeaders(
  hmac: Secrets['hmac'],
  secrets: readonly string[],
  { eventId, timestamp, body }: Signed,
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => `v1,${hmac(bytesOf(secret), `${eventId}.${timestamp}.${body}`, 'base64')}`);
  return { 'webhook-id': eventId, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}

function bytesOf(secret: string): Uint8Array {
  return Buffer.from(secret.slice(SIGNING_SECRET_PREFIX.length), 'base64');
}
