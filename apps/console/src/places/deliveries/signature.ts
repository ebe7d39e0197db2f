import { hmac, keyIn, standardSignature } from '../../parts/standard-signature.js';
import { SIGNATURE_TEXTS as TEXTS } from './texts.js';

export interface SignedRequest {
  /** As they were sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SignatureCheck {
  readonly scheme: string;
  readonly result: 'right' | 'wrong' | 'absent';
  readonly reason: string;
  /** Seconds since the epoch, as signed; null where there is none. */
  readonly signedAt: number | null;
}

/** Checks both signatures of a request, those of Standard Webhooks and `Service-Signature`, against a secret. */
export async function checkSignatures(request: SignedRequest, secret: string): Promise<readonly SignatureCheck[]> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return [await checkStandard(headers, request.body, secret), await checkService(headers, request.body, secret)];
}

type Headers = Readonly<Record<string, string>>;

async function checkStandard(headers: Headers, body: string, secret: string): Promise<SignatureCheck> {
  const scheme = 'Standard Webhooks (webhook-signature)';
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': sent } = headers;
  if (!id || !at || !sent) return { scheme, result: 'absent', reason: TEXTS.noHeader, signedAt: null };
  const key = keyIn(secret);
  if (key === null) return { scheme, result: 'wrong', reason: TEXTS.noKey, signedAt: Number(at) };
  const expected = await standardSignature(key, { id, at, body });
  const signatures = sent.split(' ').filter((each) => each.startsWith('v1,'));
  return { scheme, ...verdict(signatures, expected), signedAt: Number(at) };
}

async function checkService(headers: Headers, body: string, secret: string): Promise<SignatureCheck> {
  const scheme = 'Service-Signature';
  const parts = headers['service-signature']?.split(',') ?? [];
  const at = parts.find((part) => part.startsWith('t='))?.slice(2);
  if (!at) return { scheme, result: 'absent', reason: TEXTS.noHeader, signedAt: null };
  const expected = toHex(await hmac(new TextEncoder().encode(secret), `${at}.${body}`));
  const signatures = parts.filter((part) => part.startsWith('v1='));
  return { scheme, ...verdict(signatures, `v1=${expected}`), signedAt: Number(at) };
}

function verdict(signatures: readonly string[], expected: string): Pick<SignatureCheck, 'result' | 'reason'> {
  const index = signatures.indexOf(expected);
  return index < 0
    ? { result: 'wrong', reason: TEXTS.fitsNot(signatures.length) }
    : { result: 'right', reason: TEXTS.fits(index + 1, signatures.length) };
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
