import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyOf, filledDirectory } from '../directories.mjs';
import { HookService, Receiver } from '../hooks.mjs';
import { freshFolder, limits } from '../places.mjs';
import { loadOn, runProgram, Server, startService } from '../processes.mjs';
import { row } from '../results.mjs';
import { median } from '../rounds.mjs';

const BYTES_OF_MIB = 1_048_576;
const QUIET_MS = 4_000;
const SAMPLES = 4;

/** Rows 14, 15 and 16: what is held in memory and on the disk. */
export const memory = {
  rows: [14, 15, 16],
  async measure(plan) {
    return [
      ...(plan.wants(14) ? await resident(plan) : []),
      ...(plan.wants(15) ? await idleConversations(plan) : []),
      ...(plan.wants(15) ? await idleEndpoints(plan) : []),
      ...(plan.wants(16) ? await onDisk(plan) : []),
    ];
  },
};

/** Of the whole process: the threads of the engine are part of it. */
async function idleMiB(starting) {
  const server = await starting;
  await pause(QUIET_MS);
  const MiB = server.residentMiB();
  await server.stop();
  return MiB;
}

async function typicalIdleMiB(rounds, start) {
  const found = [];
  for (let round = 0; round < rounds; round++) found.push(await idleMiB(start()));
  return median(found);
}

async function resident({ rounds, soakSeconds }) {
  const full = await filledDirectory('turns');
  const log = join(freshFolder('bare'), 'raw.log');
  const bare = await typicalIdleMiB(rounds, () => Server.start([join(limits, 'bare-server.mjs'), log]));
  const idle = await typicalIdleMiB(rounds, () => startService(full));
  const { most, samples } = await underLoad(soakSeconds);
  const megabytes = (most * BYTES_OF_MIB) / 1e6;
  const busy = { ours: megabytes, limit: null, unit: 'MB', ratio: megabytes, floor: 300, goal: 250, atMost: true };
  return [
    row(14, 'resident memory idle, 1M events', {
      ...{ ours: idle, limit: bare, unit: 'MiB', ratio: idle / bare, floor: 4, goal: 2.6, atMost: true },
    }),
    row(14, 'resident memory under row 3, 1M events', { ...busy, seconds: soakSeconds, samples }),
  ];
}

async function underLoad(seconds) {
  const service = await startService(await copyOf('turns'));
  const samples = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const task = { kind: 'message', connections: 64, threads: 2_000, seconds: seconds / SAMPLES, warmup: 0.1 };
    await loadOn(service, '/v1/messages', task);
    samples.push({ MiB: service.residentMiB() });
  }
  await service.stop();
  freshFolder('copy-turns');
  return { most: Math.max(...samples.map(({ MiB }) => MiB)), samples };
}

async function idleConversations({ rounds }) {
  const full = await filledDirectory('idle');
  const empty = freshFolder('empty');
  const without = await typicalIdleMiB(rounds, () => startService(empty));
  const having = await typicalIdleMiB(rounds, () => startService(full));
  const more = { ours: having, limit: without, unit: 'MiB', ratio: having - without, floor: 20, goal: 5, atMost: true };
  return [row(15, '100k idle conversations, more memory than without (MiB)', more)];
}

const ENDPOINTS = 1_000;
const IN_PROJECT = 50;

/** Endpoints that have had their webhook and wait for the next; as many projects and events without any are the measure. */
async function idleEndpoints({ rounds }) {
  const receiver = await Receiver.start();
  const without = await served('no-endpoints', receiver, 0);
  const having = await served('endpoints', receiver, IN_PROJECT);
  await receiver.stop();
  const [ours, limit] = [
    await typicalIdleMiB(rounds, () => startService(having)),
    await typicalIdleMiB(rounds, () => startService(without)),
  ];
  const each = ((ours - limit) * 1_024) / ENDPOINTS;
  const figures = { ours, limit, unit: 'MiB', ratio: each, floor: 8, goal: 2, atMost: true };
  return [row(15, '1,000 idle endpoints, more memory than without (KiB each)', figures)];
}

/** A directory of projects with so many endpoints each, all of which got an event. */
async function served(name, receiver, inProject) {
  const directory = freshFolder(name);
  const service = await HookService.start(directory);
  for (let project = 0; project < ENDPOINTS / IN_PROJECT; project += 1) {
    const key = await service.newProject(`project ${project}`);
    for (let index = 0; index < inProject; index += 1) await service.register(receiver.url(`/${project}-${index}`), ['*'], key);
    await service.book(`Monday ${project}`, key);
  }
  await service.until((ENDPOINTS / IN_PROJECT) * inProject);
  await service.stop();
  return directory;
}

async function onDisk({ quick }) {
  const events = quick ? 100_000 : 400_000;
  const { payload, onDisk: bytes } = await runProgram('disk.mjs', { directory: freshFolder('disk'), events });
  const figures = { ours: bytes / events, limit: payload / events, unit: 'B/event', ratio: bytes / payload };
  return [row(16, 'bytes on disk beside bytes of payload', { ...figures, floor: 1.6, goal: 1.35, atMost: true })];
}
