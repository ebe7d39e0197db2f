// The double in its own process. Options: directory, port, others (ports of further nodes), off (disabled behaviours), limits.
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { appendCall } from './append-call.mjs';
import { Behaviours } from './behaviours.mjs';
import { Cluster } from './cluster.mjs';
import { deleteCall, tombstoneCall } from './delete-call.mjs';
import { EventLog } from './event-log.mjs';
import { Misbehaviour } from './misbehaviour.mjs';
import { readCall } from './read-call.mjs';
import { supportedMethods } from './wire.mjs';

const { directory, port, others = [], off, limits } = JSON.parse(process.argv[2]);
const behaviours = new Behaviours(off);
const double = {
  behaviours,
  limits,
  log: await EventLog.open(directory, behaviours),
  misbehaviour: new Misbehaviour(),
  subscriptions: new Set(),
  calls: { append: 0, batchAppend: 0, readAll: 0, readStream: 0, subscribe: 0, features: 0, sent: 0 },
};

const COMMANDS = {
  switch: (change) => behaviours.switch(change),
  misbehave: (plan) => double.misbehaviour.plan(plan),
  behave: () => double.misbehaviour.clear(),
  subscriptions: (kind) => [...double.subscriptions].forEach((each) => each.fail(kind)),
  statistics: (count) => double.log.statistics(count),
  'fill disk': (room) => double.log.fillDisk(room),
  'index after': (ms) => void (double.log.indexedAfterMs = ms),
  calls: () => double.calls,
  nodes: (states) => cluster.become(states),
};

const counted = (name, handler) => (call, answer) => {
  double.calls[name] += 1;
  return handler(call, answer);
};

const cluster = new Cluster(
  [port, ...others],
  [
    [
      featuresService.ServerFeaturesService,
      { getSupportedMethods: counted('features', (_, answer) => answer(null, supportedMethods())) },
    ],
    [
      streamsService.StreamsService,
      {
        append: counted('append', appendCall(double)),
        // Called only by clients that append without credentials. Never answers.
        batchAppend: counted('batchAppend', (call) => void call.resume()),
        read: readCall(double),
        delete: deleteCall(double),
        tombstone: tombstoneCall(double),
      },
    ],
  ],
);
await cluster.become();
process.send({ ready: cluster.url });

async function answer({ id, command, argument }) {
  try {
    if (!Object.hasOwn(COMMANDS, command)) throw new Error(`no command is called ${command}`);
    process.send({ id, result: (await COMMANDS[command](argument)) ?? null });
  } catch (error) {
    process.send({ id, error: error.message });
  }
}

process.on('message', (message) => void answer(message));
process.on('SIGTERM', () => {
  cluster.end();
  process.exit(0);
});
process.on('disconnect', () => process.exit(0));
