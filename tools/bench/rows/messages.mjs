import { join } from 'node:path';
import { freshFolder, limits, programs } from '../places.mjs';
import { loadOn, Server, startService } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

/** A compiler that is still at work is no steady state; on a busy machine it takes longer, but not for ever. */
const WARM_UP = { services: { seconds: 6, answers: 8_000 }, others: { seconds: 2, answers: 8_000 }, rushes: 6 };
/** Of an answer of ours, and of what ours asks a model in the third turn of a linked customer. */
const ANSWER_BYTES = 900;
const PROMPT_BYTES = 5_000;
const MODEL_ANSWER = 'We open at nine, and a cleaning is 80 euros.';

const SMALL_TALK = { kind: 'smallTalk', expect: '"role":"assistant"' };
const ORDINARY = { kind: 'ordinary', expect: MODEL_ANSWER };
const BOOKING = { kind: 'booking', expect: '"operation":"created"' };

/** Rows 3a, 3b, 3c and 4: POST /v1/messages whole, beside a bare server and beside a usual Nest application. */
export const messages = {
  rows: ['3a', '3b', '3c', '4'],
  async measure(plan) {
    return {
      ...(plan.wants('3a') && { '3a': await contest(plan, SMALL_TALK) }),
      ...((plan.wants('3b') || plan.wants('4')) && (await withModel(plan))),
      ...(plan.wants('3c') && { '3c': await contest(plan, BOOKING) }),
    };
  },
};

/** Everybody asks the same model, a process of its own: once for each message. */
async function withModel(plan) {
  const model = await Server.start([join(programs, 'model.mjs'), MODEL_ANSWER]);
  try {
    const { limit, peer, ...found } = await contest(plan, ORDINARY, model.url);
    return { ...(plan.wants('3b') && { '3b': { ...found, limit } }), ...(peer && { 4: { ...found, limit: peer } }) };
  } finally {
    await model.stop();
  }
}

async function contest(plan, talk, modelUrl) {
  const servers = await started(plan, modelUrl);
  const isService = (name) => name in plan.builds;
  /** What stands beside a service answers as long a text, which says something else. */
  const post = (name, seconds) =>
    loadOn(servers[name], '/v1/messages', {
      kind: talk.kind,
      connections: 64,
      threads: 2_000,
      seconds,
      warmup: 0.3,
      ...(isService(name) && { expect: talk.expect }),
    });
  try {
    const names = Object.keys(servers);
    for (const name of names) await warmUp((seconds) => post(name, seconds), isService(name) ? WARM_UP.services : WARM_UP.others);
    return await interleave(plan.rounds, Object.fromEntries(names.map((name) => [name, () => post(name, plan.seconds)])));
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

async function warmUp(post, { seconds, answers }) {
  let answered = 0;
  for (let rush = 0; rush < WARM_UP.rushes && answered < answers; rush += 1) answered += (await post(seconds)).answered;
}

async function started({ builds, wants }, modelUrl) {
  const model = modelUrl ? [modelUrl, String(PROMPT_BYTES)] : [];
  const agent = modelUrl && { AGENT: 'openai', AGENT_BASE_URL: `${modelUrl}/v1`, AGENT_MODEL: 'bench' };
  const bare = [join(limits, 'bare-server.mjs'), join(freshFolder('bare'), 'raw.log'), String(ANSWER_BYTES), ...model];
  const peer = [join(limits, 'express-peer.mjs'), builds.ours.path, freshFolder('express-peer'), ...model];
  const starting = {
    limit: Server.start(bare),
    ...(modelUrl && wants('4') && { peer: Server.start(peer) }),
    ...each(builds, (build) => startService(build, freshFolder(`messages-${build.key}`), agent)),
  };
  const servers = await Promise.all(Object.values(starting));
  return Object.fromEntries(Object.keys(starting).map((name, index) => [name, servers[index]]));
}
