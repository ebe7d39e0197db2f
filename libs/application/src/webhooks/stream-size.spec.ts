import { keptBody } from '@domain/delivery/kept-result';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { recordsOf } from '../streams/stream-records.js';

const MB = 1_000_000;
const HOUR = 3_600_000;
const MAX_BODY_BYTES = 16 * 1_024;

it.each([
  ['letters', 'b'],
  ['control characters', '\u0000'],
])(
  'the stream of an event to fifty endpoints that answer %s at length and fail nine times has six megabytes at most',
  async (_what, letter) => {
    const world = await DeliveryWorld.create();
    const headers = { 'x-long': 'h'.repeat(2_048 - 'x-long'.length) };
    const body = keptBody(letter.repeat(MAX_BODY_BYTES), MAX_BODY_BYTES);
    world.sender.answer = () => ({ ...answered(500, body), headers, headersTruncated: true }) as never;
    const custom = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`.padEnd(100, 'x'), 'v']));
    for (let n = 0; n < 50; n++) await world.register({ url: `https://${n}.example/hooks`, headers: custom });
    const eventId = await world.emit();
    await world.elapse(42 * HOUR, HOUR / 2);
    expect(world.counts.endedByStatus).toMatchObject({ failed: 50 });
    let bytes = 0;
    for await (const { event } of recordsOf(world.ledger.ports.events, `deliveries-${eventId}`, 'asc'))
      bytes += Buffer.byteLength(JSON.stringify(event));
    expect(bytes / MB).toBeLessThan(6);
    expect(bytes / MB).toBeGreaterThan(4);
    await world.close();
  },
);
