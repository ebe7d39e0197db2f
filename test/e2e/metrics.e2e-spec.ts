import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS, subscribe } from './harness/receiver.js';
import { RecordingModel } from './harness/recording-model.js';

const textOf = async (app: App): Promise<string> => (await app.as(null).get('/metrics')).text;

async function figure(app: App, name: string): Promise<number> {
  const line = (await textOf(app)).split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

/** Every markdown page of the operator, in folders too. */
function pages(): string {
  const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  return files.map((file) => readFileSync(join('docs', file), 'utf8')).join('\n');
}

describe('the metrics of the service', () => {
  it('are each explained to operators, but for those of Node and of the process', async () => {
    const app = await App.start();
    try {
      const names = [...(await textOf(app)).matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
      const own = names.filter((name) => !/^(nodejs|process)_/.test(name));
      const explained = pages();
      expect(own.length).toBeGreaterThan(20);
      expect(own.filter((name) => !explained.includes(`\`${name}`))).toEqual([]);
    } finally {
      await app.dispose();
    }
  });

  it('tell which version runs', async () => {
    const app = await App.start();
    try {
      expect(await textOf(app)).toMatch(/^build_info\{version="[^"]+",engine="\w+",agent="scripted",node="\d+\.\d+\.\d+"\} 1$/m);
    } finally {
      await app.dispose();
    }
  });

  it('tell webhooks that wait for a slow receiver from those that wait for a place', async () => {
    const [app, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()]);
    try {
      const held: (() => void)[] = [];
      const { client } = await subscribe(app, backend.hook((_, response) => void held.push(() => response.end())).url);
      for (let n = 0; n < 8; n++) await book(client);
      await eventually(async () => {
        expect(await figure(app, 'webhook_deliveries_waiting{for="receiver"}')).toBe(4);
        expect(await figure(app, 'webhook_deliveries_waiting{for="place"}')).toBe(0);
        expect(await figure(app, 'webhook_attempts_in_flight')).toBe(4);
      });
      await eventually(async () => {
        held.splice(0).forEach((answer) => answer());
        expect(await figure(app, 'webhook_deliveries_total{status="succeeded"}')).toBe(8);
      });
      expect(await figure(app, 'webhook_deliveries_waiting{for="receiver"}')).toBe(0);
    } finally {
      await Promise.all([app.dispose(), backend.close()]);
    }
  });

  it('tell of a model server that is dead, and of one that answers', async () => {
    const model = await RecordingModel.start();
    const app = await App.start(model.variables);
    try {
      expect((await app.api.say('thread', 'hello')).status).toBe(200);
      expect(await figure(app, 'agent_turns_total{outcome="answered"}')).toBe(1);
      expect(await figure(app, 'agent_failing_seconds')).toBe(0);
      await model.stop();
      expect((await app.api.say('thread', 'are you there?')).status).toBe(502);
      expect(await figure(app, 'agent_turns_total{outcome="unreachable"}')).toBe(1);
      expect(await figure(app, 'agent_failing_seconds')).toBeGreaterThan(0);
      expect(await figure(app, 'agent_turn_duration_seconds_count')).toBe(2);
    } finally {
      await app.dispose();
    }
  });
});
