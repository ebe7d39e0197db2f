import { createHmac, timingSafeEqual } from 'node:crypto';

const toleranceSeconds = 300;

const isSame = (one, other) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
const isRecent = (seconds) => Math.abs(Date.now() / 1_000 - Number(seconds)) <= toleranceSeconds;

/** `Service-Signature: t=…,v1=…`; its key is the whole secret. */
function verifiesService(secret, headers, body) {
  const parts = String(headers['service-signature']).split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return isRecent(time) && parts.some((part) => isSame(part, `v1=${expected}`));
}

/** Standard Webhooks; its key is the base64-decoded secret without prefix. */
function verifiesStandard(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return (
    isRecent(time) &&
    String(signatures)
      .split(' ')
      .some((one) => isSame(one, `v1,${expected}`))
  );
}

export function verify(secret, headers, body) {
  return { service: verifiesService(secret, headers, body), standard: verifiesStandard(secret, headers, body) };
}
