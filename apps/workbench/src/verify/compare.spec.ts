import type { StoredRow } from '@ports/read-models.port';
import { compare } from './compare.js';

const position = (number: number) => String(number).padStart(20, '0');
const row = (at: number, members: object = {}): StoredRow => ({
  id: 'x_1',
  projectId: 'prj_1',
  createdAt: 1,
  sortId: position(1),
  position: position(at),
  deleted: false,
  row: { status: 'booked', ...members },
});
const bothAt = (stored: number, expected = stored) => ({ stored: position(stored), expected: position(expected) });

describe('a row of the service and that of the workbench', () => {
  it('are the same where all of their members are, in whatever order, and nothing is null', () => {
    const [one, other] = [row(5, { a: { x: 1, y: 2 }, b: null }), row(5, { a: { y: 2, x: 1 } })];
    expect(compare(one, other, bothAt(9))).toBe('same');
    expect(compare({ ...one, text: '{}' }, other, bothAt(9))).toBe('same');
    expect(compare(null, null, bothAt(9))).toBe('same');
  });

  it.each([
    ['a member', row(5, { status: 'cancelled' })],
    ['a member that is not there', row(5, { note: 'some' })],
    ['whether lists show it', { ...row(5), deleted: true }],
    ['what lists show of it', { ...row(5), text: '{"status":"flipped"}' }],
    ['its project', { ...row(5), projectId: 'prj_2' }],
  ])('differ by %s', (_, stored) => {
    expect(compare({ ...row(5), text: '{"status":"booked"}' }, stored, bothAt(9))).toBe('differs');
  });

  it('differ where the service has passed an event that its row lacks', () => {
    expect(compare(row(5), row(3), bothAt(5))).toBe('differs');
  });

  it('are looked at again where the service has not come to an event yet', () => {
    expect(compare(row(5), row(3), bothAt(4, 5))).toBe('moved');
    expect(compare({ ...row(5), sortId: position(5) }, null, bothAt(4, 5))).toBe('moved');
  });

  it('are looked at again where the workbench has not come to an event yet', () => {
    expect(compare(row(3), row(5), bothAt(5, 3))).toBe('moved');
    expect(compare(null, row(5), bothAt(5, 3))).toBe('moved');
  });

  it('are missing here, or too much there, once both have come to what made them', () => {
    expect(compare(row(5), null, bothAt(5))).toBe('missing');
    expect(compare(null, row(5), bothAt(5))).toBe('surplus');
  });
});
