import { SCHEDULE } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { IssueWorld } from '@testing/issue-world';

const S = 1_000;
const M = 60 * S;

it('fifty endpoints that are down for an hour are fifty issues and a hundred posts', async () => {
  const world = await IssueWorld.create();
  const kinds = async () => (await world.issues()).map(({ kind, status }) => `${kind} ${status}`);
  for (let number = 0; number < 50; number++) await world.deliveries.register({ url: `https://h${number}.example/hooks` });
  world.deliveries.sender.answer = () => timedOut(0);
  for (let minute = 0; minute < 60; minute += 5) {
    await world.deliveries.emit(Date.UTC(2026, 3, 2, 9, minute));
    await world.elapse(5 * M, 30 * S);
  }
  const open = await world.issues();
  expect(open).toHaveLength(50);
  expect(new Set(open.map(({ name }) => name)).size).toBe(50);
  world.deliveries.sender.answer = () => answered(200);
  await world.elapse(SCHEDULE.waits[4], 2 * M);
  expect(new Set(await kinds())).toEqual(new Set(['endpoint_failing closed']));
  expect(world.deliveries.sender.sent.length).toBeGreaterThan(1_000);
  expect(new Set(world.posts).size).toBe(100);
  expect(world.posts).toHaveLength(100);
  await world.close();
});
