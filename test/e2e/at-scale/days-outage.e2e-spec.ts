import type { RequestListener } from 'node:http';
import { walkItems } from '../harness/lists.js';
import { makeEvents } from '../harness/ledger.js';
import { Processes } from '../harness/processes.js';
import { Backend, LOCAL_HOOKS, noneIn, subscribe, type Hook } from '../harness/receiver.js';
import { sized, STEP_MS, TEST_MS } from '../harness/size.js';
import { completed } from '../harness/tasks.js';

jest.setTimeout(TEST_MS);

const EVENTS = sized(10_400);
const APPOINTMENTS = sized(812);

let processes: Processes;
let backend: Backend;
beforeAll(async () => {
  [processes, backend] = await Promise.all([Processes.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,10h' }), Backend.start()]);
});
afterAll(() => Promise.all([processes.dispose(), backend.close()]));

/** Half of the deliveries fail for good, the others wait for the next attempt. */
function down(): RequestListener {
  let count = 0;
  return (_, response) => void response.writeHead(++count <= EVENTS / 2 ? 404 : 503).end();
}

/** The appointments of a receiver that drops what is no newer than what it has. */
function stateOf(hook: Hook): Map<string, any> {
  const state = new Map<string, any>();
  for (const { body } of hook.requests) {
    const { object } = JSON.parse(body).data;
    if (object.version > (state.get(object.id)?.version ?? 0)) state.set(object.id, object);
  }
  return state;
}

it('after an outage of a day the newest event of each appointment makes up for all of them', async () => {
  const [latest, all] = [backend.hook(down()), backend.hook(down())];
  const { client, id } = await subscribe(processes.gateway, latest.url);
  const other = (await client.post('/v1/webhook_endpoints', { url: all.url })).body.id as string;
  await makeEvents(client, EVENTS, APPOINTMENTS);
  await Promise.all([latest, all].map((hook) => hook.received(EVENTS, STEP_MS)));
  for (const endpointId of [id, other]) await noneIn(['pending', 'delivering'], client, endpointId, STEP_MS);
  for (const hook of [latest, all]) [hook.answers, hook.requests.length] = [[200], 0];

  const retry = async (endpointId: string, mode: string) => {
    const terms = { endpoint_id: endpointId, status: ['failed', 'retrying'], mode, per_second: 500 };
    return (await completed(client, await client.post('/v1/deliveries/retry', terms), STEP_MS)).result;
  };
  const [sentLatest, sentAll] = await Promise.all([retry(id, 'latest'), retry(other, 'all')]);
  const superseded = EVENTS - APPOINTMENTS;
  expect(sentLatest).toMatchObject({ matched: EVENTS, created: APPOINTMENTS, skipped: { superseded } });
  expect(sentAll).toMatchObject({ matched: EVENTS, created: EVENTS });
  await Promise.all([latest.received(APPOINTMENTS, STEP_MS), all.received(EVENTS, STEP_MS)]);
  expect(stateOf(latest)).toEqual(stateOf(all));
  const appointments = await walkItems({ client, path: '/v1/appointments' }, { limit: 100 });
  expect(stateOf(latest)).toEqual(new Map(appointments.map((appointment) => [appointment.id, appointment])));

  for (const endpointId of [id, other]) await noneIn(['pending', 'delivering', 'retrying'], client, endpointId, STEP_MS);
  expect([latest.requests.length, all.requests.length]).toEqual([APPOINTMENTS, EVENTS]);
});
