// npm run demo: from a first message to a replayed webhook, on the service of BASE_URL and API_KEY, or a temporary one.
// Exits with 1 when a step fails.
import { Client } from './demo/client.mjs';
import { Receiver } from './demo/receiver.mjs';
import { localHooks, openService } from './demo/gateway-process.mjs';
import { Story } from './demo/story.mjs';
import { done, note } from './demo/telling.mjs';
import { endWithSteps } from './launch/run.mjs';

const say = (line) => process.stderr.write(`${line}\n`);

function explain(error) {
  const cause = error.cause?.message ? `: ${error.cause.message}` : '';
  say(`\n${error.message}${cause}`);
  if (error.code !== 'url_invalid') return;
  const settings = Object.entries(localHooks).map(([name, value]) => `${name}=${value}`);
  say(`That service may not post to this machine. Start it with ${settings.join(' ')}, or leave BASE_URL out.`);
}

/** In case the service is not temporary. */
async function tidyUp(api, { endpoint, conversationId }) {
  if (endpoint) await api.quietly('DELETE', `/v1/webhook_endpoints/${endpoint.id}`);
  if (conversationId) await api.quietly('POST', `/v1/conversations/${conversationId}/end`);
}

async function demonstrate(service, receiver) {
  const api = new Client(service);
  const story = new Story({ api, receiver, run: Date.now() });
  note(`Service: ${service.url}${service.isOurs ? ', started for this demo' : ''}. Receiver: ${receiver.url}.`);
  try {
    await story.tell();
    done('Everything held.');
  } finally {
    await tidyUp(api, story).catch(() => undefined);
  }
}

endWithSteps(1);
try {
  const service = await openService();
  const receiver = await Receiver.start();
  try {
    await demonstrate(service, receiver);
  } finally {
    await service.stop();
    receiver.stop();
  }
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
