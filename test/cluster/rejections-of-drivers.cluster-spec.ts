import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';

const preloaded = pathToFileURL(join(__dirname, '../e2e/harness/rejections-of-drivers.mjs')).href;

let app: App;
beforeAll(async () => void (app = await App.start({ NODE_OPTIONS: `--import=${preloaded}` })));
afterAll(() => app.dispose());

const told = (server: string) =>
  app.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly component?: string; readonly msg: string })
    .filter(({ component, msg }) => component === server && msg.startsWith('the driver left a failure unhandled'));

describe('a rejected promise that a driver left unhandled', () => {
  it.each(['EventStoreDB', 'Kafka', 'MongoDB'])('is told of once as a trouble of %s, with its place', async (server) => {
    await eventually(() => expect(told(server)).toHaveLength(1));
    expect(told(server)[0]?.msg).toMatch(/: \w+ at (@eventstore\/db-client|@grpc\/grpc-js|kafkajs|mongodb)\/\S+:\d+:\d+$/);
  });

  it('is survived', async () => {
    expect((await app.api.say('survived', 'Hello')).status).toBe(200);
    expect(await app.stop()).toBe(0);
    expect(['EventStoreDB', 'Kafka', 'MongoDB'].map((server) => told(server).length)).toEqual([1, 1, 1]);
  });
});
