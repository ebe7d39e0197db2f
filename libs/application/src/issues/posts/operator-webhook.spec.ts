import { Webhook } from 'standardwebhooks';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { ISSUES_HOSTED, IssueWorld, OPERATOR } from '@testing/issue-world';

const S = 1_000;
const M = 60 * S;
const GIB = 2 ** 30;

let world: IssueWorld;
beforeEach(async () => {
  world = await IssueWorld.create();
});
afterEach(() => world.close());

const low = () => void (world.engine.free = { freeBytes: 1, totalBytes: GIB });
const enough = () => void (world.engine.free = { freeBytes: 50 * GIB, totalBytes: 60 * GIB });
const only = async () => (await world.issues()).at(0)!;

describe("the operator's webhook", () => {
  it('gets one signed post when an issue opens', async () => {
    low();
    await world.round();
    await world.round();
    const { id } = await only();
    expect(world.operator.sent).toHaveLength(1);
    const [{ url, body, headers } = world.operator.sent[0]!] = world.operator.sent;
    expect([url, headers['webhook-id']]).toEqual([OPERATOR.url, `${id}.opened`]);
    const now = jest.spyOn(Date, 'now').mockReturnValue(world.ledger.clock.now());
    expect(new Webhook(OPERATOR.secret).verify(body, { ...headers })).toMatchObject({
      type: 'issue.opened',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        id,
        object: 'issue',
        kind: 'disk_low',
        status: 'open',
        project_id: null,
        count: 1,
        closed_at: null,
        closed_by: null,
      },
    });
    now.mockRestore();
  });

  it('gets another when it closes, which shows it closed', async () => {
    low();
    await world.round();
    enough();
    await world.elapse(70 * S, 5 * S);
    const [, closed] = world.operator.sent;
    expect(JSON.parse(closed!.body)).toMatchObject({ type: 'issue.closed', data: { status: 'closed', closed_by: 'resolved' } });
  });

  it('is tried after 0, 1, 5, 15 and 30 minutes, and then no more', async () => {
    world.operator.answer = () => answered(500);
    low();
    await world.round();
    await world.elapse(60 * M, 15 * S);
    const [first] = world.operator.sent;
    expect(world.operator.sent.map(({ at }) => (at - first!.at) / M)).toEqual([0, 1, 5, 15, 30]);
    expect(new Set(world.posts).size).toBe(1);
  });

  it('is not told of a closing before it was told of the opening', async () => {
    world.operator.answer = (_, count) => (count === 1 ? timedOut(0) : answered(200));
    low();
    await world.round();
    enough();
    await world.elapse(3 * M, 5 * S);
    const { id } = await only();
    expect(world.posts).toEqual([`${id}.opened`, `${id}.opened`, `${id}.closed`]);
  });

  it('is told after a restart what it was not told before', async () => {
    world.operator.answer = () => answered(503);
    low();
    await world.round();
    expect(world.posts).toHaveLength(1);
    world = await world.restarted();
    await world.told();
    expect(world.posts).toEqual([]);
    await world.elapse(2 * M, 10 * S);
    expect(world.posts).toEqual([`${(await only()).id}.opened`]);
  });

  it('is told after a restart of what was opened right before', async () => {
    low();
    await world.ledger.sweep(world.sweeper);
    expect(world.posts).toEqual([]);
    world = await world.restarted();
    await world.told();
    expect(world.posts).toEqual([`${(await only()).id}.opened`]);
    world = await world.restarted();
    await world.elapse(3 * M, 30 * S);
    expect(world.posts).toEqual([]);
  });

  it('is told once where two processes follow the log', async () => {
    const other = world.beside();
    await other.told();
    low();
    await world.ledger.sweep(world.sweeper);
    await Promise.all([world.told(), other.told()]);
    await Promise.all([world.told(), other.told()]);
    expect([...world.posts, ...other.posts]).toEqual([`${(await only()).id}.opened`]);
  });

  it('does not hold up the end of the process, and is told by the next one', async () => {
    world.operator.answer = () => new Promise(() => undefined);
    low();
    await world.ledger.sweep(world.sweeper);
    const telling = world.told();
    await world.deliveries.quiet();
    world.ledger.shutdown.begin();
    await telling;
    world = await world.restarted();
    await world.elapse(30 * S, 10 * S);
    expect(world.posts).toEqual([`${(await only()).id}.opened`]);
  });

  it('is told by another process of what one that died was sending', async () => {
    const other = world.beside();
    await other.told();
    world.operator.answer = () => new Promise(() => undefined);
    low();
    await world.ledger.sweep(world.sweeper);
    void world.told();
    await world.deliveries.quiet();
    expect(world.posts).toHaveLength(1);
    await other.told();
    expect(other.posts).toEqual([]);
    await world.deliveries.elapse(30 * S);
    await other.told();
    expect(other.posts).toEqual(world.posts);
  });
});

it('an address that is set later is told of later issues alone', async () => {
  await world.close();
  world = await IssueWorld.create(await DeliveryWorld.create({ operatorWebhook: null }, undefined, undefined, ISSUES_HOSTED));
  low();
  await world.round();
  enough();
  await world.round();
  expect(world.posts).toEqual([]);
  world = await world.restarted({ operatorWebhook: OPERATOR });
  enough();
  await world.elapse(2 * M, 10 * S);
  expect(world.posts).toEqual([`${(await only()).id}.closed`]);
});
