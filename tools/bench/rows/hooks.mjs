import { join } from 'node:path';
import { freshFolder } from '../builds.mjs';
import { Client, until } from '../client.mjs';
import { book, drained, firstBytes, Receiver, settledIn } from '../hooks.mjs';
import { ClosedLoop, loopsInTurn } from '../load.mjs';
import { limits, runProgram, Server, startService } from '../processes.mjs';
import { lives } from '../requests.mjs';
import { contest, eachBuild } from '../rounds.mjs';

/** The last webhook leaves some 30 ms after the last command: to look seldom would be a twentieth of what is measured. */
const LOOK_CLOSELY_MS = 10;

/**
 * Deliveries that are due, each claimed, posted, signed and its outcome stored.
 * @param isRecorded whether the limit stores a claim and an outcome as well
 */
export const deliveries = (isRecorded) => async (plan) => {
  const receiver = await Receiver.start();
  const task = { url: `${receiver.url}/limit`, callers: 64, seconds: plan.seconds };
  const post = () =>
    runProgram('post.mjs', { ...task, ...(isRecorded && { build: plan.builds[0].path, directory: freshFolder('posts') }) });
  try {
    return await contest(plan, (build) => drain(build, receiver, plan.quick ? 5_000 : 30_000), post);
  } finally {
    await receiver.stop();
  }
};

/** The backlog is made while webhooks are on hold. */
async function drain(build, receiver, count) {
  const directory = freshFolder(`backlog-${build.key}`);
  const held = await startService(build, directory, { WEBHOOK_DELIVERY: 'hold' });
  const client = new Client(held);
  await client.register(`${receiver.url}/backlog`);
  await book(held, [client], count);
  await held.stop();
  const service = await startService(build, directory);
  const found = await drained([service], count);
  await service.stop();
  return found;
}

/** From a command about an appointment over HTTP to its webhook, on services that have been warmed up. */
const wholeWay = (measure) => async (plan) => {
  const receiver = await Receiver.start();
  const bare = [join(limits, 'bare-hooks.mjs'), join(freshFolder('bare-hooks'), 'raw.log'), `${receiver.url}/limit`];
  const services = await eachBuild(plan, async (build) => {
    const service = await startService(build, freshFolder(`hooks-${build.key}`));
    await new Client(service).register(`${receiver.url}/${build.key}`);
    return service;
  });
  const loopOn = (server) => {
    const settled = (made) => until(async () => (await settledIn([server])) >= made, LOOK_CLOSELY_MS);
    return new ClosedLoop(server, lives, { settled });
  };
  const servers = { limit: await Server.start(bare), ...services };
  return loopsInTurn(plan, servers, loopOn, { measure: (loop) => measure(loop, receiver, plan), beside: [receiver] });
};

/** As fast as the answers come; over when the outcome of the last delivery is stored. */
export const events = wholeWay((loop, _receiver, { seconds }) => loop.run(seconds));

/** To the first byte of each webhook at the receiver, at a rate. */
export const firstDeliveries = wholeWay(({ server }, receiver, { quick }) =>
  firstBytes(server, receiver, { rate: 20, seconds: quick ? 4 : 10 }),
);
