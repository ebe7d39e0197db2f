import { timeOfId } from '@domain/kernel/ids';
import { idsContract } from '@ports/contracts/ids.contract';
import { FakeClock } from '@testing/fake-clock';
import { UlidIds } from './ids.ulid.js';

idsContract('UlidIds', (clock) => new UlidIds(clock));

describe('ULIDs of one process', () => {
  it('keep their order when the clock is set back', () => {
    const clock = new FakeClock();
    const ids = new UlidIds(clock);
    const before = ids.next('message');
    clock.set(clock.now() - 60_000);
    expect(ids.next('message') > before).toBe(true);
  });

  it('are not dragged along by an instant in the future that a caller names', () => {
    const clock = new FakeClock();
    const ids = new UlidIds(clock);
    ids.next('message', clock.now() + 60_000);
    expect(timeOfId(ids.next('message'))).toBe(clock.now());
  });

  it('keep their order when the caller names an instant of the past in between', () => {
    const clock = new FakeClock();
    const ids = new UlidIds(clock);
    const made = Array.from({ length: 100 }, () => {
      ids.next('message', clock.now() - 60_000);
      return ids.next('message');
    });
    expect([...made].sort()).toEqual(made);
  });

  it('begin where they can be counted on from for as long as a millisecond lasts', () => {
    const clock = new FakeClock();
    for (let n = 0; n < 100; n += 1) expect(new UlidIds(clock).next('message')).toMatch(/^msg_.{10}[0-9A-F].{15}$/);
  });

  it('keep their order when the caller names the present', () => {
    const clock = new FakeClock();
    const ids = new UlidIds(clock);
    const made = Array.from({ length: 500 }, () => ids.next('turn', clock.now()));
    expect([...made].sort()).toEqual(made);
  });

  it('are not guessed from those of another process', () => {
    const clock = new FakeClock();
    expect(new UlidIds(clock).next('message')).not.toBe(new UlidIds(clock).next('message'));
  });
});

describe('ids that are derived', () => {
  const ids = new UlidIds(new FakeClock());

  it('are those that every earlier version derived', () => {
    expect(ids.derived('delivery', 1_772_355_600_000, 'evt_1', 'we_1')).toBe('whd_01KJMA0FM0P6CYA8B3D58QCTVC');
    expect(ids.uuidOf('a', 'b')).toBe('facdde7a-bf1e-5c5b-b012-73ab2e282f79');
  });
});
