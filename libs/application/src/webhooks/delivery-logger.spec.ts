import { Logger } from '@nestjs/common';
import type { SendResult } from '@ports/webhook-sender.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';

const BEGAN = 'webhook endpoint began to fail';
const WELL = 'webhook endpoint is well again';
const FAILED = 'webhook delivery failed for good';
const MINUTE = 60_000;
const refused = answered(404, 'of the receiver');

let booked = 0;
let world: DeliveryWorld;
let lines: { readonly level: string; readonly text: string; readonly fields: object }[];
beforeEach(async () => {
  lines = [];
  for (const level of ['warn', 'debug'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...[text, fields]: unknown[]) => {
      lines.push({ level, text: String(text), fields: fields as object });
    });
  }
  world = await DeliveryWorld.create();
});
afterEach(async () => {
  await world.close();
  jest.restoreAllMocks();
});

const told = () => lines.filter(({ level }) => level === 'warn').map(({ text }) => text);
const fieldsOf = (text: string) => lines.filter((line) => line.text === text).map(({ fields }) => fields);

/** Emits events one after the other, to which every endpoint gives these answers. */
async function answer(...results: readonly SendResult[]): Promise<void> {
  for (const result of results) {
    world.sender.answer = () => result;
    await world.emit(NINE_ON_MONDAY + ++booked * HALF_HOUR);
    await world.quiet();
  }
}

describe('the log of webhooks', () => {
  it('tells of each delivery that failed for good: its event, endpoint, reason and attempts', async () => {
    const { endpoint } = await world.register();
    world.sender.answer = () => timedOut();
    const event_id = await world.emit();
    await world.elapse(42 * 60 * MINUTE, 5 * MINUTE);
    expect(fieldsOf(FAILED)).toEqual([
      {
        event_id,
        endpoint_id: endpoint.id,
        delivery_id: expect.stringMatching(/^whd_/),
        project_id: expect.stringMatching(/^prj_/),
        reason: 'attempts_exhausted',
        attempts: 9,
        error_code: 'timeout',
      },
    ]);
    await answer(refused);
    expect(fieldsOf(FAILED)[1]).toMatchObject({ reason: 'permanent_rejection', attempts: 1, response_status: 404 });
  });

  it('tells of each attempt for those who look for faults', async () => {
    await world.register();
    await answer(answered(503), answered(200));
    const attempts = fieldsOf('webhook attempt');
    expect(attempts).toMatchObject([
      { attempt: 1, response_status: 503 },
      { attempt: 1, response_status: 200 },
    ]);
    expect(attempts[0]).toHaveProperty('next_attempt_at');
    expect(attempts[1]).not.toHaveProperty('next_attempt_at');
  });

  it('tells once that an endpoint began to fail, and once that it is well again', async () => {
    await world.register();
    await answer(answered(200), answered(503), timedOut(), answered(503), answered(200), answered(200));
    expect(told()).toEqual([BEGAN, WELL]);
    const [began, well] = [fieldsOf(BEGAN), fieldsOf(WELL)];
    expect(well).toMatchObject([{ failing_since: expect.any(String) }]);
    expect(began).toMatchObject([{ ...well[0], response_status: 503 }]);
  });

  it('tells no more than once a minute of an endpoint that fails again and again, but of every failure that lasts', async () => {
    await world.register();
    await answer(answered(503), answered(200), answered(503), answered(200), answered(503));
    expect(told()).toEqual([BEGAN, WELL]);
    await world.elapse(6 * MINUTE, MINUTE);
    await answer(answered(200));
    expect(told()).toEqual([BEGAN, WELL, BEGAN, WELL]);
  });

  it('knows after a restart that an endpoint fails, and tells when it is well again', async () => {
    await world.register();
    await answer(answered(503));
    world = await (await world.killed()).working();
    await answer(answered(503), answered(200));
    expect(told()).toEqual([BEGAN, WELL]);
  });
});
