import type { Secrets } from '@ports/secrets.port';

export const SIGNING_SECRET_PREFIX = 'whsec_';

export interface Signed {
  readonly eventId: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The exact bytes sent. */
  readonly body: string;
}

/** The signature headers of one attempt (api-contract §13), one signature per secret, the present secret first. */
export function signatureHeaders(
  hmac: Secrets['hmac'],
  secrets: readonly string[],
  { eventId, timestamp, body }: Signed,
): Readonly<Record<string, string>> {
  const ours = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.${body}`, 'hex')}`);
  const standard = secrets.map((secret) => `v1,${hmac(bytesOf(secret), `${eventId}.${timestamp}.${body}`, 'base64')}`);
  return {
    'Service-Signature': [`t=${timestamp}`, ...ours].join(','),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

function bytesOf(secret: string): Uint8Array {
  return Buffer.from(secret.slice(SIGNING_SECRET_PREFIX.length), 'base64');
}
