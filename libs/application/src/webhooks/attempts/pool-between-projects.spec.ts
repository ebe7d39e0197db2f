import { SchedulerWorld } from '@testing/scheduler-world';

let world: SchedulerWorld;
beforeEach(() => void (world = new SchedulerWorld()));

async function grown(endpointId: string, projectId: string): Promise<string> {
  for (let n = 0; n < 64; n++) {
    world.admit(`${endpointId} grows ${n}`, endpointId, projectId);
    await world.done(`${endpointId} grows ${n}`, true);
  }
  world.begun.length = 0;
  return endpointId;
}

/** Unanswered attempts of one project, as many as it may have. */
async function hanging(projectId: string, endpoints: number, each: number, good = 0): Promise<void> {
  const large = [];
  for (let e = 0; e < good; e++) large.push(await grown(`${projectId} good ${e}`, projectId));
  const others = Array.from({ length: endpoints }, (_, e) => `${projectId} ${e}`);
  for (const endpoint of [...large, ...others]) {
    for (let n = 0; n < each; n++) world.admit(`${endpoint} hangs ${n}`, endpoint, projectId);
  }
}

function begunFor(endpointId: string, count: number, projectId: string): number {
  const before = world.begun.length;
  for (let n = 0; n < count; n++) world.admit(`${endpointId} ${n}`, endpointId, projectId);
  return world.begun.length - before;
}

describe('the pool of attempts between projects', () => {
  it('leaves a project that has little of it its whole scheduler, though another has crowded it', async () => {
    const good = await grown('victim', 'B');
    await hanging('A', 0, 64, 5);
    expect(world.scheduler.inFlight).toBeGreaterThan(256);
    expect(begunFor(good, 70, 'B')).toBe(64);
  });

  it('leaves a project some places in a pool that others have nearly filled', async () => {
    const good = await grown('victim', 'B');
    await hanging('A', 100, 64, 5);
    await hanging('C', 20, 1);
    expect(world.scheduler.inFlight).toBeGreaterThan(384);
    expect(begunFor(good, 20, 'B')).toBe(16);
  });

  it('is never one project’s alone, however many endpoints it has', async () => {
    await hanging('A', 600, 64);
    expect(world.scheduler.inFlight).toBe(448);
    expect(begunFor('we_b', 8, 'B')).toBe(4);
  });

  it('is a project’s again once its attempts have ended', async () => {
    await hanging('A', 600, 1);
    const begun = world.begun.slice();
    for (const id of begun.slice(0, 100)) await world.done(id);
    expect(world.scheduler.inFlight).toBeGreaterThan(384 - 1);
    expect(world.begun.length).toBeGreaterThan(begun.length);
    await world.allDone();
    expect(world.begun).toHaveLength(600);
  });
});
