import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

async function attemptsOf(headers: Readonly<Record<string, string>>) {
  await world.register({ headers });
  const eventId = await world.emit();
  await world.quiet();
  return (await world.deliveries(eventId))[0]?.attempts;
}

describe('what an attempt records of its request', () => {
  it('is its headers as sent, the values of custom ones masked, and the times of its steps', async () => {
    const attempts = await attemptsOf({ 'X-Env': 'prod', 'X-One': '1' });
    const [sent] = world.sender.sent;
    expect(attempts).toMatchObject([
      {
        requestHeaders: { ...sent?.headers, 'X-Env': '********', 'X-One': '********', 'Service-Attempt': '1' },
        timings: { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 4 },
      },
    ]);
    expect(sent?.headers).toMatchObject({ 'X-Env': 'prod' });
  });

  it('is the same of a failed one', async () => {
    world.sender.answer = () => answered(503);
    expect(await attemptsOf({})).toMatchObject([{ requestHeaders: world.sender.sent[0]?.headers, timings: { dnsMs: 1 } }]);
  });
});
