import { DoubledApps } from './doubled-apps.js';
import { failoverContract } from './failover.contract.js';
import { SteadyLoad } from './steady-load.js';

let apps: DoubledApps;
let load: SteadyLoad;

beforeAll(async () => {
  apps = await DoubledApps.start();
  load = new SteadyLoad(apps.gateways);
});
afterAll(async () => {
  await load.finish();
  await apps.dispose();
});

/** The seconds that are promised of an idle machine are twice as many under load. */
describe('two of each app that clients keep busy', () => {
  failoverContract(() => apps, 2);

  it('lose nothing of what the clients were told: no refusal, and every appointment reaches every endpoint', async () => {
    await load.finish();
    expect(load.refused).toEqual([]);
    expect([load.booked.length > 20, load.posted > 60]).toEqual([true, true]);
    for (const id of load.booked) await apps.isToldToAll(id);
  });
});
