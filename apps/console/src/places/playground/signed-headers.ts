import { keyIn, standardSignature, type SignedMessage } from '../../parts/standard-signature.js';

export type SignedHeaders = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

/** The headers of Standard Webhooks for a body that is posted now. */
export async function signedHeaders(secret: string, id: string, body: string): Promise<SignedHeaders> {
  const at = String(Math.floor(Date.now() / 1_000));
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': await signatureOf(secret, { id, at, body }) };
}

/** Whether one of the signatures was made with the secret, as a receiver checks it. */
export async function isSignedWith(secret: string, headers: SignedHeaders, body: string): Promise<boolean> {
  const message = { id: headers['webhook-id'], at: headers['webhook-timestamp'], body };
  return headers['webhook-signature'].split(' ').includes(await signatureOf(secret, message));
}

async function signatureOf(secret: string, message: SignedMessage): Promise<string> {
  const key = keyIn(secret);
  if (key === null) throw new TypeError('A secret is whsec_ followed by base64.');
  return standardSignature(key, message);
}
