// npm run chaos:cluster: two gateways, projections and deliveries on their own engines under load, undisturbed, then with each
// app and engine killed; afterwards logs of clients and receivers are compared with the answers. CHAOS_SEED repeats the choices,
// CHAOS_KILLS sets the kills per app and engine. A second cluster, on three Kafka brokers, loses some CHAOS_BROKERS (of 8) times;
// a third one, on three EventStoreDB nodes, is without a leader CHAOS_OUTAGES times.
import { brokersAway } from './chaos/brokers-away.mjs';
import { Chance } from './chaos/chance.mjs';
import { ClusterService } from './chaos/cluster.mjs';
import { copyBuild, playAll } from './chaos/rounds.mjs';
import { appsKilled, clusterLeftAlone, enginesKilled } from './chaos/cluster-troubles.mjs';
import { leaderless } from './chaos/leaderless.mjs';
import { missing, refuseServers } from './engines/engines.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const kills = Number(process.env.CHAOS_KILLS ?? 3);
const brokers = Number(process.env.CHAOS_BROKERS ?? 8);
const outages = Number(process.env.CHAOS_OUTAGES ?? 20);
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

endWithSteps(1);
await prepare();
const gaps = [...refuseServers(), ...missing()];
if (gaps.length > 0) {
  process.stderr.write(`${gaps.join('\n')}\n`);
  process.exit(1);
}
const bundle = copyBuild();
const again = `CHAOS_SEED=${seed} CHAOS_KILLS=${kills} CHAOS_BROKERS=${brokers} CHAOS_OUTAGES=${outages}`;
process.stdout.write(
  `seed ${seed}, ${kills} kills each, ${brokers} outages of brokers, ${outages} without a leader (${again} repeats it)\n`,
);
const plan = {
  'left-alone': clusterLeftAlone(8_000),
  'apps-killed': appsKilled(kills),
  'engines-killed': enginesKilled(kills),
  ...(brokers > 0 && { 'brokers-away': brokersAway(brokers) }),
  ...(outages > 0 && { leaderless: leaderless(outages) }),
};
await playAll(plan, new Chance(seed), (...given) => new ClusterService(bundle, ...given));
