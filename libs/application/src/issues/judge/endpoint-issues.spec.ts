import { answered } from '@testing/fake-sender';
import { IssueWorld } from '@testing/issue-world';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';

const S = 1_000;
const M = 60 * S;
const TUESDAY = Date.UTC(2026, 2, 3, 9);

let world: IssueWorld;
beforeEach(async () => {
  world = await IssueWorld.create();
});
afterEach(() => world.close());

const failing = async () => {
  world.deliveries.sender.answer = () => answered(503);
  const { endpoint } = await world.deliveries.register();
  await world.deliveries.emit();
  return endpoint;
};
const kinds = async () => (await world.issues()).map(({ kind, status }) => `${kind} ${status}`);

describe('an endpoint whose attempts fail', () => {
  it('has no issue after two attempts', async () => {
    await failing();
    await world.elapse(6 * S, 2 * S);
    expect(world.deliveries.sender.sent).toHaveLength(2);
    expect(await world.issues()).toEqual([]);
  });

  it('has one after three, which counts on as they fail, and closes a minute after a success', async () => {
    const startedAt = world.ledger.clock.now();
    const endpoint = await failing();
    await world.elapse(40 * S, 2 * S);
    const [issue] = await world.issues();
    expect(await world.issues()).toEqual([issue]);
    expect(issue).toMatchObject({
      kind: 'endpoint_failing',
      status: 'open',
      projectId: LEDGER_PROJECT,
      subject: { object: 'webhook_endpoint', id: endpoint.id },
      name: 'a.example',
      cause: { code: 'http_503', message: 'The receiver answered 503.' },
      count: 3,
      firstSeenAt: startedAt,
    });
    await world.elapse(6 * M, 5 * S);
    expect(await world.issues()).toEqual([expect.objectContaining({ id: issue?.id, count: 4 })]);
    world.deliveries.sender.answer = () => answered(200);
    await world.elapse(30 * M, M);
    const [closed] = await world.issues();
    expect(closed).toMatchObject({ id: issue?.id, status: 'closed', count: 4 });
    expect(world.posts).toEqual([`${issue?.id}.opened`, `${issue?.id}.closed`]);
  });

  it('has one though it answers again before anyone looks', async () => {
    const endpoint = await failing();
    await world.deliveries.elapse(35 * S, 5 * S);
    world.deliveries.sender.answer = () => answered(200);
    await world.deliveries.elapse(5 * M, 5 * S);
    await world.round();
    expect((await world.issues()).map(({ subject, status }) => [subject.id, status])).toEqual([[endpoint.id, 'open']]);
    await world.elapse(70 * S, 2 * S);
    expect(await kinds()).toEqual(['endpoint_failing closed']);
  });

  it('has one as judged by two at once', async () => {
    await failing();
    await world.deliveries.elapse(40 * S, 5 * S);
    const other = world.beside();
    const round = { $correlationId: 'cor_1' };
    const now = world.ledger.clock.now();
    await Promise.all([world.judge.openFor('endpoint_failing', now, round), other.judge.openFor('endpoint_failing', now, round)]);
    expect(await kinds()).toEqual(['endpoint_failing open']);
  });

  it('writes nothing for further failures', async () => {
    await failing();
    await world.elapse(40 * S, 2 * S);
    const stored = async () => (await world.ledger.ports.events.read((await stream())!)).length;
    const stream = async () => (await world.issues()).map(({ kind, subject }) => `issue-${kind}-${subject.id}`).at(0);
    expect(await stored()).toBe(1);
    await world.elapse(40 * M, M);
    expect(await stored()).toBe(1);
    expect((await world.issues())[0]?.count).toBe(5);
  });

  it('is the same issue when it fails again within ten minutes, and nobody is told twice', async () => {
    await failing();
    await world.elapse(40 * S, 2 * S);
    world.deliveries.sender.answer = () => answered(200);
    await world.elapse(7 * M, 5 * S);
    expect(await kinds()).toEqual(['endpoint_failing closed']);
    world.deliveries.sender.answer = () => answered(500);
    await world.deliveries.emit(TUESDAY);
    await world.elapse(40 * S, 2 * S);
    expect(await kinds()).toEqual(['endpoint_failing open']);
    expect((await world.issues())[0]?.count).toBe(6);
    expect(world.posts).toHaveLength(2);
  });

  it('has an issue that closes when it is deleted', async () => {
    const endpoint = await failing();
    await world.elapse(40 * S, 2 * S);
    await world.deliveries.directory.run(
      LEDGER_PROJECT,
      (at) => ({ type: 'DeleteEndpoint', at, endpointId: endpoint.id }),
      world.ledger.context(),
    );
    await world.elapse(30 * S, 5 * S);
    expect(await kinds()).toEqual(['endpoint_failing open']);
    await world.elapse(40 * S, 5 * S);
    expect(await kinds()).toEqual(['endpoint_failing closed']);
  });

  it('has an issue that a start finds again, and closes', async () => {
    await failing();
    await world.elapse(40 * S, 2 * S);
    world = await world.restarted();
    await world.round();
    expect(await kinds()).toEqual(['endpoint_failing open']);
    world.deliveries.sender.answer = () => answered(200);
    await world.elapse(10 * M, 5 * S);
    expect(await kinds()).toEqual(['endpoint_failing closed']);
  });
});

describe('a dismissed issue', () => {
  it('closes silently; what comes anew is another, and posted', async () => {
    await failing();
    await world.elapse(40 * S, 2 * S);
    const [issue] = await world.issues();
    expect(await world.dismiss(issue!.id)).toMatchObject({ status: 'dismissed' });
    expect(await world.dismiss(issue!.id)).toMatchObject({ status: 'dismissed' });
    world.deliveries.sender.answer = () => answered(200);
    await world.elapse(7 * M, 5 * S);
    expect(await kinds()).toEqual(['endpoint_failing closed']);
    expect(world.posts).toEqual([`${issue?.id}.opened`]);
    world.deliveries.sender.answer = () => answered(500);
    await world.deliveries.emit(TUESDAY);
    await world.elapse(40 * S, 2 * S);
    const [, second] = await world.issues();
    expect(second).toMatchObject({ status: 'open', count: 3 });
    expect(world.posts).toEqual([`${issue?.id}.opened`, `${second?.id}.opened`]);
  });

  it("is a project's own", async () => {
    await failing();
    await world.elapse(40 * S, 2 * S);
    const [issue] = await world.issues();
    const other = { projectId: OTHER_PROJECT };
    await expect(world.dismiss(issue!.id, other)).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await world.issues([], other)).toEqual([]);
    expect(await world.issues([], { projectId: LEDGER_PROJECT })).toHaveLength(1);
  });
});
