import { own, unmeasured } from '../report.mjs';
import { now, Reach } from './reach.mjs';

const ROWS = [
  { name: 'EventStoreDB', called: 'EventStoreDB', aim: '≤ 2,000 ms', back: (reach) => reach.list() },
  { name: 'mongodb', called: 'MongoDB', aim: '≤ 3,000 ms', back: (reach) => reach.list() },
  { name: 'kafka', called: 'Kafka', aim: '≤ 15,000 ms', back: (reach) => reach.everyEndpoint() },
];

/** Each engine is killed and started again: the time from its readiness until a list follows a write, or webhooks arrive. */
export async function engines(bench) {
  const reach = await Reach.of(bench, 'engines');
  const figures = [];
  for (const { name, called, aim, back } of ROWS) {
    const label = `${called} killed and started: back after it is ready`;
    const engine = bench.cluster.engines[name];
    if (!engine) {
      figures.push(unmeasured(label, 'it is a server of the caller'));
      continue;
    }
    await engine.kill();
    await engine.restart();
    const from = now();
    figures.push(own(label, (await back(reach)) - from, 'ms', { aim }));
    await reach.list();
    await reach.everyEndpoint();
  }
  return figures;
}
