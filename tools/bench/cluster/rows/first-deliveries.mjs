import { runProgram } from '../../processes.mjs';
import { at, latenciesOf } from '../../rows/whole-way.mjs';
import { until } from '../cluster.mjs';
import { own } from '../report.mjs';

const RATE = 20;
const PATH = '/first';

/** From the command about an appointment to the first byte of its webhook at the receiver. */
export async function firstDeliveries({ cluster, receiver, quick }) {
  const { key, ask } = await cluster.project();
  await ask('POST', '/v1/webhook_endpoints', { url: receiver.url(PATH), event_filters: ['appointment.*'] });
  const live = async (seconds) => {
    const task = { url: cluster.url, key, connections: 32, seconds, rate: RATE, noting: true };
    const { sent } = await runProgram('lives.mjs', task);
    const arrivals = [];
    await until(async () => {
      arrivals.push(...(await receiver.arrivals()).filter(([path]) => path === PATH));
      return arrivals.length >= sent.length;
    });
    return latenciesOf(sent, arrivals);
  };
  await receiver.noting(true);
  await live(quick ? 1 : 4);
  const latencies = await live(quick ? 3 : 15);
  await receiver.noting(false);
  return [
    own(`first delivery, ${RATE} commands a second, p50`, at(latencies, 0.5), 'ms', { aim: '≤ 150 ms' }),
    own('the same, p99', at(latencies, 0.99), 'ms', { aim: '≤ 800 ms', measured: { latencies } }),
  ];
}
