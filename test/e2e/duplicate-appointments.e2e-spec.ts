import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';
import { book, change, kindsOf, nextSlot } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const get = (id: string) => app.api.get(`/v1/appointments/${id}`);

describe('two appointments of one customer, service, resource and time', () => {
  const PHONE = '+4915112349876';
  const bookAt = async (starts_at: string, more: object = {}) =>
    (await book(app.api, { customer: { phone: PHONE }, starts_at, ...more })).body.id as string;

  it.each(['in_place', 'cancel_and_recreate'])('cannot be made by a move (%s)', async (mode) => {
    const [from, to] = [nextSlot(), nextSlot()];
    const [moved, existing] = [await bookAt(from), await bookAt(to)];
    const refused = await change(app.api, moved, 'reschedule', { starts_at: to, mode });
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'appointment_duplicate']);
    expect(refused.body.error.existing_id).toBe(existing);
    expect(refused.headers.get('service-should-retry')).toBe('false');
    expect((await get(moved)).body).toMatchObject({ status: 'pending', version: 1, starts_at: from });
    expect(await kindsOf(app.api, moved)).toEqual(['created']);
  });

  it('cannot be made by a rebooking, until the other is gone', async () => {
    const at = nextSlot();
    const first = await bookAt(at);
    await change(app.api, first, 'cancel');
    const second = await bookAt(at);
    const refused = await change(app.api, first, 'rebook', { starts_at: at });
    expect([refused.body.error.code, refused.body.error.existing_id]).toEqual(['appointment_duplicate', second]);
    await change(app.api, second, 'cancel');
    expect((await change(app.api, first, 'rebook', { starts_at: at })).body).toMatchObject({ id: first, status: 'pending' });
    expect(await bookAt(at)).toBe(first);
  });

  it('are not made by many moves at once: one of them succeeds', async () => {
    const to = nextSlot();
    const ids = await Promise.all(Array.from({ length: 6 }, () => bookAt(nextSlot())));
    const moves = await Promise.all(ids.map((id) => change(app.api, id, 'reschedule', { starts_at: to })));
    const winner = ids[moves.findIndex(({ status }) => status === 200)];
    expect(moves.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of moves) if (status !== 200) expect([status, body.error.existing_id]).toEqual([409, winner]);
  });

  it('are refused under their key as they were first', async () => {
    const [from, to] = [nextSlot(), nextSlot()];
    const [moved, existing] = [await bookAt(from), await bookAt(to)];
    const move = () => change(app.api, moved, 'reschedule', { starts_at: to }, { 'idempotency-key': `duplicate-${moved}` });
    const first = await move();
    await change(app.api, existing, 'cancel');
    expect([(await move()).text, (await change(app.api, moved, 'reschedule', { starts_at: to })).status]).toEqual([
      first.text,
      200,
    ]);
  });

  it('are two when service, resource or customer differ', async () => {
    const to = nextSlot();
    const moved = await bookAt(nextSlot());
    await bookAt(to, { service: 'shave' });
    await bookAt(to, { resource_id: 'chair_2' });
    await bookAt(to, { customer: { phone: '+4915112349877' } });
    expect((await change(app.api, moved, 'reschedule', { starts_at: to })).status).toBe(200);
  });

  it('may lie in the past for a client, as ledgers are filled afterwards', async () => {
    const { status, body } = await book(app.api, { starts_at: '2020-01-02T09:00:00Z' });
    expect([status, body.starts_at]).toEqual([201, '2020-01-02T09:00:00.000Z']);
    expect((await change(app.api, body.id, 'reschedule', { starts_at: '2020-01-02T10:00:00Z' })).status).toBe(200);
  });
});
