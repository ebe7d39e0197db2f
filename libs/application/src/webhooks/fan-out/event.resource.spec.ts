import { UNBOOKED } from '@domain/appointment/appointment';
import type { EmittedEvent } from '@domain/appointment/emission';
import { toEventAnswer, toEventBody } from './event.resource.js';

const identity = { eventId: 'evt_1', position: '00000000000000018234' };
const emitted = (changes: object = {}): EmittedEvent => ({
  type: 'appointment.rescheduled',
  at: Date.UTC(2026, 2, 1, 9),
  appointment: { ...UNBOOKED, id: 'apt_1', status: 'rescheduled', version: 2, startsAt: 2_000, endsAt: 3_000, ...changes },
  previous: { status: 'confirmed', startsAt: 0, confirmedAt: 1_000 },
  change: { reason: 'moved', actor: { type: 'agent', sessionId: 'sess_1' }, correlationId: 'cor_1', previousVersion: 1 },
  request: { id: 'req_1', idempotencyKey: 'k-77' },
});
const parsed = (changes?: object) => JSON.parse(toEventBody(identity, emitted(changes))) as Record<string, unknown>;

describe('the bytes of an event', () => {
  it('name what was different before twice, under the names of the wire', () => {
    const previous = { status: 'confirmed', starts_at: '1970-01-01T00:00:00.000Z', confirmed_at: '1970-01-01T00:00:01.000Z' };
    expect(parsed()).toMatchObject({
      id: 'evt_1',
      object: 'event',
      api_version: 'v1',
      sequence: 18_234,
      created_at: '2026-03-01T09:00:00.000Z',
      timestamp: '2026-03-01T09:00:00.000Z',
      data: { object: { id: 'apt_1', starts_at: '1970-01-01T00:00:02.000Z' }, previous_attributes: previous },
      previous_attributes: previous,
      change: { reason: 'moved', actor: { type: 'agent', session_id: 'sess_1' }, correlation_id: 'cor_1', previous_version: 1 },
      request: { id: 'req_1', idempotency_key: 'k-77' },
    });
  });

  it.each([
    ['00000000000000000001', '1'],
    ['00009007199254740991', '9007199254740991'],
    ['00009007199254740993', '9007199254740993'],
    ['09876543210987654321', '9876543210987654321'],
  ])('tell the place %s in the log with every digit', (position, told) => {
    expect(toEventBody({ ...identity, position }, emitted())).toContain(`"sequence":${told},`);
  });

  it('carry metadata as it was sent', () => {
    const metadata = '{"10":1,"2":{"__proto__":1.0},"n":12345678901234567890}';
    expect(toEventBody(identity, emitted({ metadata }))).toContain(`"metadata":${metadata},`);
  });

  it('go without notes, place and metadata when they would be more than 64 KiB', () => {
    const large = parsed({ notes: 'ü'.repeat(40_000), metadata: '{"a":1}' });
    expect(large).toMatchObject({ thin: true, data: { object: { id: 'apt_1', version: 2, notes: null, metadata: {} } } });
    expect(parsed({ notes: 'ü'.repeat(30_000), metadata: '{"a":1}' })).not.toHaveProperty('thin');
  });

  it('are answered untouched, with how the deliveries stand behind them', () => {
    const body = toEventBody(identity, emitted());
    const summary = { total: 2, succeeded: 1, pending: 1, failed: 0, cancelled: 0 };
    const answer = toEventAnswer({ id: 'evt_1', body, summary }).text;
    expect(answer.startsWith(body.slice(0, -1))).toBe(true);
    expect(JSON.parse(answer)).toEqual({ ...(JSON.parse(body) as object), delivery_summary: summary });
  });
});
