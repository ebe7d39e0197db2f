import { forEach } from '../../../chaos/client.mjs';
import { book, drained } from '../../hooks.mjs';
import { runProgram } from '../../processes.mjs';
import { contest } from '../../rounds.mjs';

/** Many enough that the partitions of each process have some. */
const ENDPOINTS = 48;
/** A slow endpoint gets four attempts at once and belongs to one process: so many fill the pools of three. */
const SLOW_ENDPOINTS = 576;
/** In milliseconds: at once, an answer that counts as quick, and one that leaves room on two cores, so that the pool is the bound. */
export const ANSWERS_AFTER = [0, 200, 2_000];

const countOf = ({ quick }) => (quick ? 640 : 3_000);

/** Deliveries that are due: each consumed, claimed, posted and its outcome stored. */
export async function deliveries(plan) {
  const task = { servers: plan.cluster.servers, url: `${plan.receiver.url}/limit`, callers: 64, seconds: plan.seconds };
  const endpoints = await registered(plan, ENDPOINTS, 'deliveries');
  const limit = () => runProgram('cluster-hooks.mjs', task);
  return contest(plan, () => drain(plan, endpoints, countOf(plan), 1), limit);
}

/** The same by one, two and three processes, to receivers that answer at once and late. One round. */
export async function deliveryProcesses(plan) {
  const endpoints = await registered(plan, SLOW_ENDPOINTS, 'processes');
  const [ours, limit] = [{}, {}];
  for (const ms of ANSWERS_AFTER) {
    await plan.receiver.answer(Object.fromEntries(endpoints.map(({ path }) => [path, { afterMs: ms }])));
    const rates = [];
    for (const processes of [1, 2, 3]) {
      rates.push((await drain(plan, endpoints, countOf(plan) * processes, processes)).perSecond);
    }
    limit[`2 at ${ms}`] = limit[`3 at ${ms}`] = rates[0];
    [, ours[`2 at ${ms}`], ours[`3 at ${ms}`]] = rates;
  }
  return { ours: [ours], limit: [limit] };
}

/** Clients of so many projects with an endpoint each. */
async function registered({ cluster, receiver }, count, name) {
  const clients = [];
  await forEach(Array.from({ length: count }).keys(), async (index) => {
    const path = `/${name}-${index}`;
    const client = await cluster.admin.newProject(path);
    await client.register(receiver.url + path);
    clients.push(Object.assign(client, { path }));
  });
  return clients;
}

/** How so many processes deliver what was booked while there was none. */
async function drain({ cluster }, clients, count, processes) {
  for (const server of cluster.running.delivery) await cluster.end('delivery', server);
  await book(cluster.gateway, clients, count, cluster.running.projections[0]);
  await Promise.all(Array.from({ length: processes }, () => cluster.add('delivery')));
  return drained(cluster.running.delivery, count);
}
