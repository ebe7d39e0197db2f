import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

/** As long as a webhook and as the events before and behind it. */
export const BODY = JSON.stringify({ type: 'appointment.created', data: { object: { padding: 'x'.repeat(950) } } });
export const CLAIM = 'x'.repeat(150);
export const OUTCOME = 'x'.repeat(260);

/** A function that posts a signed body to this address and resolves once it is answered, over so many connections. */
export function signedPosts(url, connections) {
  const key = createSecretKey(randomBytes(36));
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections });
  const headersOf = (body) => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
    return { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${signature}` };
  };
  return (body) =>
    new Promise((resolve, reject) => {
      const handler = {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: resolve,
        onResponseError: (_controller, cause) => reject(new Error('the receiver did not answer', { cause })),
      };
      pool.dispatch({ origin, path, method: 'POST', headers: headersOf(body), body }, handler);
    });
}
