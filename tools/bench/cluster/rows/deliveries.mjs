import kafkajs from 'kafkajs';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../../processes.mjs';
import { interleave, typical } from '../../rounds.mjs';
import { until } from '../cluster.mjs';
import { own, share } from '../report.mjs';

/** Of a project: many enough that the partitions of each process have some. */
const ENDPOINTS = 48;
/** A slow endpoint gets four attempts at once and belongs to one process: so many projects' endpoints fill three pools. */
const SLOW_PROJECTS = 12;
const IN_FLIGHT = 64;
const TOPIC = 'webhook-deliveries';
const AT_ONCE = 500;
const COUNTS = {
  usual: { ours: 3_000, slow: 2_400, warm: 800, recorded: 5_000, bare: 20_000 },
  quick: { ours: 600, slow: 300, warm: 100, recorded: 1_000, bare: 3_000 },
};
/** In milliseconds: an answer that counts as quick, and one that leaves room on two cores, so that the pool is the bound. */
const ANSWERS_AFTER = [200, 2_000];
/** Of a backlog: before, processes warm up; after, less may wait than is in flight. */
const FROM = 0.2;
const TO = 0.85;
const JOINING_MS = 4_000;
const LOOK_EVERY_MS = 50;

/** Deliveries that are due: each consumed, claimed, posted and its outcome stored. */
export async function deliveries(bench) {
  const counts = COUNTS[bench.quick ? 'quick' : 'usual'];
  const backlogs = await Backlogs.of(bench);
  const limit = (count, recorded) => () =>
    runProgram('cluster-hooks.mjs', {
      servers: bench.cluster.servers,
      url: bench.receiver.url('/limit'),
      inFlight: IN_FLIGHT,
      count,
      recorded,
    });
  await backlogs.drain(counts.warm);
  const found = await interleave(bench.rounds, {
    bare: limit(counts.bare, false),
    floor: limit(counts.recorded, true),
    ours: () => backlogs.drain(counts.ours),
  });
  const [one, floor, bare] = ['ours', 'floor', 'bare'].map((name) => typical(found[name], 'perSecond'));
  return [
    share('deliveries, 1 process', one, floor, { aim: '≥ 0.35', measured: found }),
    own('consume and POST alone, for comparison', bare, '/s'),
  ];
}

/** The same by one, two and three processes, to receivers that answer at once and late. */
export async function deliveryProcesses(bench) {
  const counts = COUNTS[bench.quick ? 'quick' : 'usual'];
  const more = await byMoreProcesses(bench, counts);
  const quick = more[0];
  return [
    ...[2, 3].map((count) => share(`deliveries, ${count} processes, beside 1`, quick[count], quick[1], { aim: '≥ 0.9' })),
    ...ANSWERS_AFTER.flatMap((ms) => [
      own(`receivers that answer in ${ms} ms, 1 process`, more[ms][1], '/s'),
      share('2 processes, beside 1', more[ms][2], more[ms][1], { aim: '≥ 1.8' }),
      share('3 processes, beside 1', more[ms][3], more[ms][1], { aim: '≥ 2.5', measured: more }),
    ]),
  ];
}

async function byMoreProcesses(bench, counts) {
  const { cluster } = bench;
  const [backlogs, slow] = [await Backlogs.of(bench), await Backlogs.of(bench, SLOW_PROJECTS)];
  const found = Object.fromEntries([0, ...ANSWERS_AFTER].map((ms) => [ms, {}]));
  for (const count of [1, 2, 3]) {
    if (count > 1) await cluster.add('delivery');
    await pause(JOINING_MS);
    await backlogs.drain(counts.warm);
    found[0][count] = (await backlogs.drain(counts.ours)).perSecond;
    for (const ms of ANSWERS_AFTER) {
      await slow.answer(`after ${ms}`);
      found[ms][count] = (await slow.drain(counts.slow * count)).perSecond;
    }
  }
  for (const server of cluster.running.delivery.slice(1)) await cluster.end('delivery', server);
  await pause(JOINING_MS);
  return found;
}

/** Backlogs of deliveries whose streams and rows are there before the messages that start them are published. */
class Backlogs {
  static async of({ cluster, receiver, build }, projects = 1) {
    const backlogs = new Backlogs();
    Object.assign(backlogs, { cluster, receiver, build: build.path, endpoints: [] });
    for (let count = 0; count < projects; count += 1) await backlogs.register(await cluster.project());
    return backlogs;
  }

  /** Backlogs are written past the fan-out, which would deliver the bookings again: the endpoints want none of them. */
  async register(project) {
    for (let count = 0; count < ENDPOINTS; count += 1) {
      const url = this.receiver.url(`/backlog-${project.id}-${count}`);
      const { id } = await project.ask('POST', '/v1/webhook_endpoints', { url, event_filters: ['appointment.failed'] });
      this.endpoints.push({ id, url, projectId: project.id });
    }
  }

  answer(how) {
    return this.receiver.answer(Object.fromEntries(this.endpoints.map(({ url }) => [new URL(url).pathname, how])));
  }

  async drain(count) {
    const { cluster, build, endpoints } = this;
    const { servers } = cluster;
    const task = { build, servers, endpoints, count, dueAt: Date.now() };
    const { pointers } = await runProgram('backlog.mjs', task);
    await cluster.caughtUp();
    const before = await cluster.settled();
    const samples = [];
    await published(servers, pointers);
    await until(async () => {
      const settled = (await cluster.settled()) - before;
      samples.push({ settled, at: performance.now() });
      return settled >= count;
    }, LOOK_EVERY_MS);
    const first = samples.find(({ settled }) => settled >= count * FROM);
    const last = samples.find(({ settled }) => settled >= count * TO);
    return { perSecond: ((last.settled - first.settled) * 1_000) / (last.at - first.at) };
  }
}

async function published({ kafkaBrokers, prefix }, pointers) {
  const kafka = new kafkajs.Kafka({ clientId: 'bench', brokers: kafkaBrokers, logLevel: kafkajs.logLevel.ERROR });
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
  await producer.connect();
  const messages = pointers.map((pointer) => ({ key: pointer.endpointId, value: JSON.stringify(pointer) }));
  for (let first = 0; first < messages.length; first += AT_ONCE) {
    await producer.send({ topic: prefix + TOPIC, messages: messages.slice(first, first + AT_ONCE) });
  }
  await producer.disconnect();
}
