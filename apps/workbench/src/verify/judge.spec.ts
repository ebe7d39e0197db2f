import type { DomainEvent } from '@domain/kernel/decider';
import type { StoredRow } from '@ports/read-models.port';
import { judge, type Step } from './judge.js';

const position = (number: number) => String(number).padStart(20, '0');
const row = (at: number, members: object): StoredRow => ({
  id: 'x_1',
  projectId: 'prj_1',
  createdAt: 1,
  sortId: position(1),
  position: position(at),
  deleted: false,
  row: members,
});
const step = (at: number, type: string, members: object): Step => ({
  record: { id: `${at}`, stream: 's-1', revision: at, position: position(at), event: { type, at } as DomainEvent },
  row: row(at, members),
});

const booked = { status: 'booked', room: 1 };
const HISTORY = [
  step(1, 'Booked', booked),
  step(3, 'Moved', { ...booked, room: 2 }),
  step(5, 'Confirmed', { status: 'confirmed', room: 2 }),
];
const culprit = (at: number, type: string) => ({ position: position(at), type, at: new Date(at).toISOString() });
const END = position(9);

describe('a stored row, given the events that made it', () => {
  it('is right where it is as its last event left it', () => {
    expect(judge(HISTORY, row(5, { status: 'confirmed', room: 2 }), END)).toBeNull();
  });

  it('is right as of its own position, where the service has not come further', () => {
    expect(judge(HISTORY, row(3, { ...booked, room: 2 }), position(4))).toBeNull();
  });

  it('is right ahead of what the service says to have passed', () => {
    expect(judge(HISTORY, row(5, { status: 'confirmed', room: 2 }), position(3))).toBeNull();
  });

  it('lacks the first event after the step that it equals', () => {
    expect(judge(HISTORY, row(1, booked), END)).toEqual({
      kind: 'differs',
      members: { status: { expected: 'confirmed', stored: 'booked' }, room: { expected: 2, stored: 1 } },
      culprit: culprit(3, 'Moved'),
    });
  });

  it('lacks an event that changes no member, too', () => {
    const history = [...HISTORY, step(7, 'Noticed', { status: 'confirmed', room: 2 })];
    const found = judge(history, row(5, { status: 'confirmed', room: 2 }), END);
    expect(found).toEqual({ kind: 'differs', members: {}, culprit: culprit(7, 'Noticed') });
  });

  it('with a value that no event made is the work of no event', () => {
    const found = judge(HISTORY, row(5, { status: 'flipped', room: 2 }), END);
    expect(found).toEqual({
      kind: 'differs',
      members: { status: { expected: 'confirmed', stored: 'flipped' } },
      culprit: 'no_event',
    });
  });

  it('with a value of earlier suspects the last event that changed the member', () => {
    const found = judge(HISTORY, row(5, { status: 'confirmed', room: 1 }), END);
    expect(found).toMatchObject({ members: { room: { expected: 2, stored: 1 } }, culprit: culprit(3, 'Moved') });
  });

  it('of another fold is the work of no event', () => {
    const found = judge(HISTORY, row(5, { state: 'CONFIRMED' }), END);
    expect(found).toMatchObject({ kind: 'differs', culprit: 'no_event' });
    expect(Object.keys(found?.members ?? {})).toEqual(['status', 'room', 'state']);
  });

  it('that is missing lacks its first event', () => {
    const found = judge(HISTORY, null, END);
    expect(found).toMatchObject({ kind: 'missing', culprit: culprit(1, 'Booked') });
    expect(found?.members).toMatchObject({ room: { expected: 2, stored: null } });
  });

  it('that no event made is too much', () => {
    const found = judge([], row(5, { status: 'made up' }), END);
    expect(found).toMatchObject({ kind: 'surplus', culprit: 'no_event' });
    expect(found?.members).toMatchObject({ status: { expected: null, stored: 'made up' } });
  });

  it('that is missing before its first event is right', () => {
    expect(judge(HISTORY, null, position(0))).toBeNull();
  });
});
