import { join } from 'node:path';
import { freshFolder } from '../builds.mjs';
import { textOf, until } from '../client.mjs';
import { ClosedLoop, loopsInTurn } from '../load.mjs';
import { limits, programs, Server, startService } from '../processes.mjs';
import { messages as messagesOf } from '../requests.mjs';
import { eachBuild } from '../rounds.mjs';

const MODEL_ANSWER = 'We open at nine, and a cleaning is 80 euros.';

export const smallTalk = { kind: 'smallTalk', expect: '"role":"assistant"' };
export const booking = { kind: 'booking', expect: '"operation":"created"' };
/** A linked customer; a model that answers at once is asked by everybody, once for each message. */
export const ordinary = { kind: 'ordinary', expect: MODEL_ANSWER, hasModel: true };

/** As `ordinary`, answered before its reply; it is over once the reply is stored. */
export const accepted = {
  ...ordinary,
  expect: '"reply":null',
  headers: { prefer: 'respond-async' },
  settled:
    ({ url }) =>
    (made) =>
      until(async () => (await turnsIn(url)) >= made, 10),
};
/** As `ordinary`, told as a stream to its end. */
export const streamed = { ...ordinary, expect: 'event: done', headers: { accept: 'text/event-stream' } };

async function turnsIn(url) {
  const lines = (await textOf(`${url}/metrics`)).matchAll(/^agent_turns_total\{.*\} (\S+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

export const bareServer = (_plan, ...model) =>
  Server.start([join(limits, 'bare-server.mjs'), join(freshFolder('bare'), 'raw.log'), ...model]);

/** What a team might write first. */
export const expressPeer = ({ builds }, ...model) =>
  Server.start([join(limits, 'express-peer.mjs'), builds[0].path, freshFolder('express-peer'), ...model]);

/** POST /v1/messages whole. */
export const messages =
  ({ kind, expect, hasModel, headers, settled }, startLimit = bareServer) =>
  async (plan) => {
    const model = hasModel ? [await Server.start([join(programs, 'model.mjs'), MODEL_ANSWER])] : [];
    const urls = model.map(({ url }) => url);
    const agent = hasModel ? { AGENT: 'openai', AGENT_BASE_URL: `${urls[0]}/v1`, AGENT_MODEL: 'bench' } : {};
    const services = await eachBuild(plan, (build) => startService(build, freshFolder(`messages-${build.key}`), agent));
    // What stands beside a service answers as long a text, which says something else.
    const loopOn = (server, name) =>
      new ClosedLoop(server, () => messagesOf(kind, headers), name === 'limit' ? {} : { expect, settled: settled?.(server) });
    const servers = { limit: await startLimit(plan, ...urls), ...services };
    return loopsInTurn(plan, servers, loopOn, { beside: model });
  };
