import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { API_KEY, App } from './harness/app.js';
import { LOCAL_HOOKS } from './harness/receiver.js';

const DEMO = join(__dirname, '../../tools/demo.mjs');

let app: App;
afterEach(() => app.dispose());

/** Runs the demo against the service and returns its output and exit code. */
function demonstrate(variables: Record<string, string>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], BASE_URL: app.url, ...variables };
    const child = spawn(process.execPath, [DEMO], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('close', (code) => resolve({ code, output }));
  });
}

describe('the demo', () => {
  it('tells the whole story, an outage that is found and recovered too, to a running service, and leaves no endpoint behind', async () => {
    app = await App.start(LOCAL_HOOKS);
    const { code, output } = await demonstrate({ API_KEY });
    expect([code, output]).toEqual([0, expect.stringContaining('Everything held.')]);
    for (const kind of ['created', 'confirmed', 'rescheduled', 'cancelled']) expect(output).toContain(`appointment.${kind}`);
    const outage = [
      'answered 404',
      '&status=failed',
      '/explain',
      '"dry_run":true',
      '"would_create":1',
      '"created":1',
      'answered 200',
    ];
    expect(output).toMatch(new RegExp(outage.join('[^]*')));
    expect((await app.api.get('/v1/webhook_endpoints')).body.data).toEqual([]);
  });

  it('says what a service needs that may not post to this machine, and fails', async () => {
    app = await App.start();
    const { code, output } = await demonstrate({ API_KEY });
    expect([code, output]).toEqual([1, expect.stringContaining('WEBHOOK_ALLOW_HTTP=true')]);
  });

  it('fails with a key that opens nothing, and without one', async () => {
    app = await App.start(LOCAL_HOOKS);
    expect(await demonstrate({ API_KEY: 'sk_nonsense' })).toMatchObject({ code: 1, output: expect.stringContaining('401') });
    expect(await demonstrate({})).toMatchObject({ code: 1, output: expect.stringContaining('API_KEY') });
  });
});
