import { SchedulerWorld } from '@testing/scheduler-world';

let world: SchedulerWorld;
beforeEach(() => (world = new SchedulerWorld()));

describe('an endpoint with a limit of its rate', () => {
  beforeEach(() => (world.rate = 3));
  const fiveDue = () => ['d1', 'd2', 'd3', 'd4', 'd5'].forEach((id) => world.admit(id));

  it('gets no more attempts in a second, however quickly they end', async () => {
    fiveDue();
    await world.allDone(true);
    expect(world.begun).toEqual(['d1', 'd2', 'd3']);
    await world.clock.advance(1_010);
    await world.allDone(true);
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    expect(world.clock.pending).toBe(0);
  });

  it('gets its next ones though those before have no answer', async () => {
    fiveDue();
    await world.clock.advance(1_010);
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4']);
  });

  it('waits three seconds once its partition was assigned, except for the attempt that finds the limit', async () => {
    world.assignment = { since: world.clock.elapsed(), isRevoked: false };
    fiveDue();
    await world.allDone(true);
    expect(world.begun).toEqual(['d1']);
    await world.clock.advance(3_000);
    expect(world.begun).toEqual(['d1', 'd2', 'd3', 'd4']);
  });

  it('delays no other, and waits for its receiver rather than for a place', async () => {
    fiveDue();
    await world.allDone(true);
    expect(world.scheduler.waiting).toEqual({ receiver: 2, place: 0 });
    world.rate = null;
    world.admit('other', 'we_2');
    expect(world.begun.at(-1)).toBe('other');
  });
});
