import { renderJson } from '@domain/kernel/json-text';
import { toTestEvent } from './test-event.resource.js';

const AT = Date.UTC(2026, 2, 1, 9);
const NOW = '2026-03-01T09:00:00.000Z';
const told = (kind: string, overrides: Readonly<Record<string, unknown>> = {}) => {
  const test = { eventId: 'evt_1', appointmentId: 'apt_1', type: `appointment.${kind}`, at: AT, requestId: 'req_1' };
  return JSON.parse(renderJson(toTestEvent(test, overrides)));
};

describe('a test event', () => {
  it('of a booking has nothing before it', () => {
    const { data, previous_attributes: previous, change } = told('created');
    expect(previous).toEqual({ status: null });
    expect(data.object).toMatchObject({ id: 'apt_1', status: 'pending', version: 1, starts_at: '2026-03-02T09:00:00.000Z' });
    expect(change.previous_version).toBe(0);
  });

  it.each([
    ['confirmed', { confirmed_at: NOW }, { status: 'pending', confirmed_at: null }],
    [
      'cancelled',
      { cancellation: { reason: 'test', cancelled_by: 'system', at: NOW } },
      { status: 'pending', cancellation: null },
    ],
    ['failed', { failure: { code: 'test', message: 'A test event.', at: NOW } }, { status: 'pending', failure: null }],
  ])('of what was %s shows what a real one shows, and what was before', (status, shown, before) => {
    const { data, previous_attributes: previous, change } = told(status);
    expect(data.object).toMatchObject({ status, version: 2, ...shown });
    expect(previous).toEqual(before);
    expect(data.previous_attributes).toEqual(before);
    expect(change).toMatchObject({ reason: 'test', previous_version: 1 });
  });

  it('of a move has the times before it in both places', () => {
    const { data, previous_attributes: previous } = told('rescheduled');
    const [from, to] = ['2026-03-02T09:00:00.000Z', '2026-03-02T09:30:00.000Z'];
    expect(previous).toEqual({ status: 'pending', starts_at: from, ends_at: to, reschedule: null });
    expect(data.object).toMatchObject({ status: 'rescheduled', version: 2, starts_at: '2026-03-02T10:00:00.000Z' });
    expect(data.object.reschedule).toEqual({ count: 1, previous_starts_at: from, previous_ends_at: to, at: NOW });
  });

  it('shows its overrides in the place of what was made up', () => {
    expect(told('confirmed', { service: 'massage', confirmed_at: null }).data.object).toMatchObject({
      service: 'massage',
      confirmed_at: null,
      status: 'confirmed',
    });
  });
});
