import { deliveryLists } from '../../delivery-lists.mjs';
import { firstBytes } from '../../hooks.mjs';
import { atRate, ClosedLoop } from '../../load.mjs';
import { runProgram } from '../../processes.mjs';
import { messages } from '../../requests.mjs';
import { contest, percentiles, typical } from '../../rounds.mjs';

/** `POST /v1/messages` with a key, answered by the scripted agent, and its latency at half of the rate that it reaches. */
export async function posts(plan) {
  const { servers, gateway } = plan.cluster;
  const loop = new ClosedLoop(gateway, () => messages('smallTalk'), { expect: '"role":"assistant"' });
  // On a busy machine a cold gateway refuses what 64 connections ask at once.
  await atRate(gateway.url, messages('smallTalk'), { rate: 10, seconds: 2 * plan.seconds });
  for (const _warmUp of [1, 2]) await loop.run(2 * plan.seconds);
  const limit = () => runProgram('cluster-turns.mjs', { servers, callers: 64, seconds: plan.seconds });
  const found = await contest(plan, () => loop.run(plan.seconds), limit);
  const rate = typical(found.ours, 'perSecond') / 2;
  const half = await atRate(gateway.url, messages('smallTalk'), { rate, seconds: 2 * plan.seconds });
  const { p50: halfP50, p99: halfP99 } = percentiles(half.map(({ ms }) => ms));
  return { ...found, ours: found.ours.map((one) => ({ ...one, halfP50, halfP99 })) };
}

async function listed(client) {
  const from = performance.now();
  const { data } = await client.ask('GET', '/v1/conversations?limit=20');
  return { ms: performance.now() - from, ids: data.map(({ id }) => id) };
}

/** How long a list takes at rest, behind a write that it has to show, and behind one that it has not. */
export async function lists({ cluster, quick }) {
  const client = await cluster.admin.newProject('lists');
  const [rest, behind, unrelated] = [[], [], []];
  let stale = 0;
  for (let number = 0; number < (quick ? 20 : 100); number += 1) {
    rest.push((await listed(client)).ms);
    const said = { external_conversation_id: `list-${number}`, content: 'When are you open?' };
    const { conversation_id: id } = await client.ask('POST', '/v1/messages', said);
    const { ms, ids } = await listed(client);
    behind.push(ms);
    if (!ids.includes(id)) stale += 1;
    const starts_at = new Date(Date.UTC(2031, 0, 1, number)).toISOString();
    await client.ask('POST', '/v1/appointments', { service: 'dental_cleaning', starts_at });
    unrelated.push((await listed(client)).ms);
  }
  const figures = (own, other) => ({ ownP50: own.p50, ownP99: own.p99, unrelatedP50: other.p50, unrelatedP99: other.p99 });
  const atRest = percentiles(rest);
  return { ours: [{ ...figures(percentiles(behind), percentiles(unrelated)), stale }], limit: [figures(atRest, atRest)] };
}

/** Pages of a million deliveries, by each filter and by two; a tenth of them if it has to be quick. */
export async function deliveryPages({ cluster, ...plan }) {
  const client = await cluster.admin.newProject('delivery lists');
  const { data } = await cluster.admin.ask('GET', '/admin/v1/projects?limit=100');
  const projectId = data.find(({ name }) => name === 'delivery lists').id;
  const count = plan.quick ? 100_000 : 1_000_000;
  await runProgram('fill-deliveries.mjs', { build: plan.builds[0].path, servers: cluster.servers, projectId, count });
  return deliveryLists(plan, { ours: client });
}

/** From a booking to the first byte of its webhook at the receiver. */
export async function firstDeliveries({ cluster, receiver, quick }) {
  const client = await cluster.admin.newProject('first deliveries');
  await client.register(`${receiver.url}/first`);
  await firstBytes(client, receiver, { rate: 20, seconds: quick ? 1 : 4 });
  return { ours: [await firstBytes(client, receiver, { rate: 20, seconds: quick ? 3 : 15 })] };
}
