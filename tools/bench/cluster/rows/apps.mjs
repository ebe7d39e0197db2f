import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY } from '../../processes.mjs';
import { until } from '../cluster.mjs';
import { own } from '../report.mjs';
import { now, Reach } from './reach.mjs';

/** The time in which a new process takes its part, or its place in the queue. */
const SETTLING_MS = 4_000;
const ANSWER_MS = 200;
const AIMS = { delivery: ['≤ 12,000 ms', '≤ 2,000 ms'], projections: ['≤ 8,000 ms', '≤ 2,000 ms'] };

/** Of two processes of an app the one that works is ended: the time until the other does its work. */
export async function apps(bench) {
  const reach = await Reach.of(bench, 'apps');
  const figures = [];
  for (const [app, followed] of Object.entries({ delivery: () => reach.everyEndpoint(), projections: () => reach.list() })) {
    for (const [index, signal] of ['SIGKILL', 'SIGTERM'].entries()) {
      await bench.cluster.add(app);
      await pause(SETTLING_MS);
      await followed();
      const from = now();
      const ended = bench.cluster.end(app, bench.cluster.running[app][0], signal);
      const took = (await followed()) - from;
      await ended;
      const what = app === 'delivery' ? 'every partition delivers again' : 'lists follow again';
      figures.push(own(`${signal} of ${app}: ${what}`, took, 'ms', { aim: AIMS[app][index] }));
    }
  }
  return [...figures, ...(await gateways(bench.cluster))];
}

/** Two gateways with a model: one is killed in a turn, and one is ended while requests wait for the model. */
async function gateways(cluster) {
  const model = await Model.start();
  const pair = () => Promise.all([cluster.add('gateway', model.variables), cluster.add('gateway', model.variables)]);
  try {
    const [killed, other] = await pair();
    model.hangs = true;
    const lost = post(killed, 'killed', 'in its turn').catch(() => null);
    await until(() => model.asked > 0);
    model.hangs = false;
    const from = now();
    await cluster.end('gateway', killed, 'SIGKILL');
    await lost;
    await until(async () => (await post(other, 'killed', 'in its turn').catch(() => ({}))).status === 200);
    const retried = now() - from;
    const ended = await endedWhileAnswering(cluster, other);
    return [
      own('SIGKILL of a gateway in a turn: a retry with the same key is answered', retried, 'ms', { aim: '≤ 12,000 ms' }),
      own('SIGTERM of a gateway with 8 turns of 200 ms: all answered and ended', ended, 'ms'),
    ];
  } finally {
    for (const gateway of cluster.running.gateway.slice(1)) await cluster.end('gateway', gateway, 'SIGKILL');
    model.stop();
  }
}

async function endedWhileAnswering(cluster, gateway) {
  const posts = Array.from({ length: 8 }, (_, index) => post(gateway, `ended-${index}`, `ended ${index}`));
  await pause(ANSWER_MS / 2);
  const from = now();
  await cluster.end('gateway', gateway);
  const ended = now() - from;
  const statuses = (await Promise.allSettled(posts)).map(({ value }) => value?.status);
  if (statuses.some((status) => status !== 200)) throw new Error(`SIGTERM: answered ${statuses.join(', ')}`);
  return ended;
}

function post({ url }, thread, key) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', 'idempotency-key': key };
  const body = JSON.stringify({ external_conversation_id: thread, content: 'When are you open?' });
  return fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
}

/** A model's server that answers after a while, or not at all. */
class Model {
  asked = 0;
  hangs = false;

  static async start() {
    const model = new Model();
    model.server = createServer((request, response) => {
      model.asked += 1;
      if (!model.hangs) request.resume().on('end', () => setTimeout(() => model.answer(response), ANSWER_MS));
    });
    await once(model.server.listen(0, '127.0.0.1'), 'listening');
    return model;
  }

  get variables() {
    const url = `http://127.0.0.1:${this.server.address().port}/v1`;
    return { AGENT: 'openai', AGENT_BASE_URL: url, AGENT_API_KEY: 'bench', AGENT_MODEL: 'bench' };
  }

  answer(response) {
    const message = { role: 'assistant', content: 'We open at nine.' };
    const completion = { id: 'bench', object: 'chat.completion', created: 0, model: 'bench' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...completion, choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
