import { DeliveryWorld } from '@testing/delivery-world';
import { SystemClock } from '@adapters/clock.system';
import { FakeClock } from '@testing/fake-clock';
jest.setTimeout(120_000);
it('measures', async () => {
  const real = new SystemClock();
  FakeClock.prototype.now = () => real.now();
  FakeClock.prototype.at = (t, c) => real.at(t, c);
  const world = await DeliveryWorld.create();
  for (let n = 0; n < Number(process.env['ENDPOINTS'] ?? 1); n++) await world.register({ url: `https://${n}.example` });
  const endpoints = Number(process.env['ENDPOINTS'] ?? 1);
  const born = new Map<string, number>();
  const lat: number[] = [];
  let got = 0;
  const N = 2000;
  world.sender.answer = (r) => {
    got++;
    const b = born.get(JSON.parse(r.body).data.object.id);
    if (b) lat.push(performance.now() - b);
    return { kind: 'answered', status: 200, headers: {}, body: '', bodyTruncated: false, remoteIp: null, durationMs: 0 };
  };
  // paced
  for (let n = 0; n < 100; n++) {
    const { appointment } = await world.ledger.book({ startsAt: 1_000_000 + n });
    born.set(appointment.id, performance.now());
    await new Promise((r) => setTimeout(r, 5));
  }
  while (got < 100 * endpoints) await new Promise((r) => setTimeout(r, 5));
  lat.sort((a, b) => a - b);
  console.log('paced p50', lat[Math.floor(lat.length / 2)], 'p99', lat[Math.floor(lat.length * 0.99)]);
  got = 0;
  const t0 = performance.now();
  for (let b = 0; b < N; b += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => world.ledger.book({ startsAt: 2_000_000 + b + i })));
  const t1 = performance.now();
  while (got < N * endpoints) await new Promise((r) => setTimeout(r, 5));
  const t2 = performance.now();
  console.log(
    'booked/s',
    (N / (t1 - t0)) * 1000,
    'sent in total after',
    t2 - t0,
    'ms; rate',
    ((N * endpoints) / (t2 - t0)) * 1000,
  );
  const cpu = process.cpuUsage();
  console.log(cpu);
  await world.close();
});
