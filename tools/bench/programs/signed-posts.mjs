import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

const body = JSON.stringify({ type: 'appointment.created', data: { object: { padding: 'x'.repeat(950) } } });

/** A function that posts a signed webhook to this address and resolves once it is answered, over so many connections. */
export function signedPosts(url, connections) {
  const key = createSecretKey(randomBytes(36));
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections });
  const headers = () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
    return { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${signature}` };
  };
  return () =>
    new Promise((resolve, reject) => {
      const handler = {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: resolve,
        onResponseError: (_controller, cause) => reject(new Error('the receiver did not answer', { cause })),
      };
      pool.dispatch({ origin, path, method: 'POST', headers: headers(), body }, handler);
    });
}
