import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { signatureHeaders } from './signatures.js';

const secrets = new NodeCryptoSecrets(Buffer.alloc(32, 1));
const hmac = secrets.hmac.bind(secrets);
const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj';
const previous = `whsec_${Buffer.alloc(36, 9).toString('base64')}`;
const body = '{"id":"evt_01HZX0000000000000000000AA","object":"event","type":"appointment.confirmed"}';
const signed = { eventId: 'evt_01HZX0000000000000000000AA', timestamp: 1_700_000_000, body };

function verified(headers: Readonly<Record<string, string>>, by: string, at = signed.timestamp) {
  const stripe = new Stripe('sk_test_x').webhooks;
  const now = jest.spyOn(Date, 'now').mockReturnValue(at * 1_000);
  const ours: unknown = stripe.constructEvent(body, headers['Service-Signature'] ?? '', by, 300, undefined, at * 1_000);
  const standard = new Webhook(by).verify(body, headers as Record<string, string>);
  now.mockRestore();
  return [ours, standard];
}

describe('signatures', () => {
  it('are those of the published test vector', () =>
    expect(signatureHeaders(hmac, [secret], signed)).toEqual({
      'Service-Signature': 't=1700000000,v1=d262644fe286615add04a1ac1559248bb43bc63bd1c1d62a1d25cbd1497ad2bb',
      'webhook-id': signed.eventId,
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,1cni3MuXVbThDCTv5b4T30derT4xm8PSwzLFo/vGu90=',
    }));

  it('satisfy the libraries that receivers use', () => {
    const event: unknown = JSON.parse(body);
    expect(verified(signatureHeaders(hmac, [secret], signed), secret)).toEqual([event, event]);
  });

  it('satisfy receivers with either secret while one replaces the other', () => {
    const headers = signatureHeaders(hmac, [secret, previous], signed);
    for (const each of [secret, previous]) expect(verified(headers, each)).toHaveLength(2);
  });

  it('satisfy nobody with another secret', () => {
    const headers = signatureHeaders(hmac, [secret], signed);
    expect(() => verified(headers, previous)).toThrow();
    jest.restoreAllMocks();
  });
});
