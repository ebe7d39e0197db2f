import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { freshFolder } from '../builds.mjs';
import { Admin, Client } from '../client.mjs';
import { atRate } from '../load.mjs';
import { API_KEY, programs, Server, startService, stopAll } from '../processes.mjs';
import { reads } from '../requests.mjs';
import { contest, eachBuild, percentiles } from '../rounds.mjs';

const STREAMS = 1_000;
/** A project may have half of a gateway's. */
const PROJECTS = 2;
const AT_ONCE = 50;
const RATE = 50;
const QUIET_MS = 4_000;

/** A service whose model never answers, with a conversation that others read. */
async function started(build, name, model) {
  const agent = { AGENT: 'openai', AGENT_BASE_URL: `${model.url}/v1`, AGENT_MODEL: 'bench' };
  const service = await startService(build, freshFolder(`${name}-${build.key}`), agent);
  const { id } = await new Client(service).ask('POST', '/v1/conversations', {});
  const look = reads(`/v1/conversations/${id}`).map((request) => ({ ...request, setupRequest: () => request }));
  const live = (seconds) => atRate(service.url, look, { rate: RATE, seconds });
  await live(5);
  return { service, live };
}

/** Posts a message whose reply is told as a stream; resolves once the stream has begun. */
async function opened(pool, key, thread) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' };
  const body = JSON.stringify({ external_conversation_id: thread, content: 'Hello' });
  const { statusCode, body: stream } = await pool.request({ method: 'POST', path: '/v1/messages', headers, body });
  if (statusCode !== 200) throw new Error(`a stream was refused: ${statusCode} ${await stream.text()}`);
  return stream.on('error', () => undefined).resume();
}

/** Opens the streams; resolves to what each holds in the service, with the turn that it waits for. */
async function openAll({ service }) {
  const admin = await Admin.of(service);
  const keys = [API_KEY];
  while (keys.length < PROJECTS) keys.push((await admin.newProject(`project ${keys.length}`)).key);
  await pause(QUIET_MS);
  const before = service.residentMiB();
  const pool = new Pool(service.url, { bodyTimeout: 0, headersTimeout: 0 });
  const streams = [];
  while (streams.length < STREAMS) {
    const more = Array.from({ length: AT_ONCE }, (_, index) => streams.length + index);
    streams.push(...(await Promise.all(more.map((n) => opened(pool, keys[n % PROJECTS], `stream-${n}`)))));
  }
  await pause(QUIET_MS);
  return { streams, pool, eachKiB: ((service.residentMiB() - before) * 1_024) / STREAMS };
}

/** A thousand streams of messages whose replies do not come: their memory, and latencies of others beside a service without them. */
export async function openStreams(plan) {
  const model = await Server.start([join(programs, 'model.mjs'), '', 'never']);
  const busy = await eachBuild(plan, (build) => started(build, 'open-streams', model));
  const idle = await started(plan.builds[0], 'no-streams', model);
  const opened = await eachBuild(plan, ({ key }) => openAll(busy[key]));
  const seconds = plan.quick ? 5 : 12;
  const measure = async (live) => percentiles((await live(seconds)).map(({ ms }) => ms));
  try {
    const found = await contest(
      plan,
      async ({ key }) => ({ eachKiB: opened[key].eachKiB, ...(await measure(busy[key].live)) }),
      () => measure(idle.live),
    );
    const closed = Object.values(opened).flatMap(({ streams }) => streams.filter(({ destroyed }) => destroyed));
    if (closed.length > 0) throw new Error(`${closed.length} streams ended before the others were measured`);
    return found;
  } finally {
    await Promise.all(Object.values(opened).map(({ pool }) => pool.destroy()));
    await stopAll([...Object.values(busy), idle].map(({ service }) => service));
    await model.stop();
  }
}
