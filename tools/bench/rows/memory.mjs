import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { copyOf, dropCopy, filledDirectory } from '../directories.mjs';
import { HookService, Receiver } from '../hooks.mjs';
import { freshFolder, limits } from '../places.mjs';
import { loadOn, runProgram, Server, startService } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

const BYTES_OF_MIB = 1_048_576;
const QUIET_MS = 4_000;
const SAMPLES = 4;

/** Rows 14, 15 and 16: what is held in memory and on the disk. */
export const memory = {
  rows: ['14', '15', '16'],
  modules: ['engine', 'clock', 'ids'],
  async measure(plan) {
    return {
      ...(plan.wants('14') && { 14: await resident(plan) }),
      ...(plan.wants('15') && { 15: await ofIdleOnes(plan) }),
      ...(plan.wants('16') && { 16: await onDisk(plan) }),
    };
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

async function resident({ builds, rounds, soakSeconds }) {
  const log = join(freshFolder('bare'), 'raw.log');
  const found = await interleave(rounds, {
    limit: async () => ({ idleMiB: await idleMiB(Server.start([join(limits, 'bare-server.mjs'), log])) }),
    ...each(builds, (build) => async () => {
      const full = await filledDirectory(build, 'turns');
      return { idleMiB: await idleMiB(startService(build, full)) };
    }),
  });
  for (const build of Object.values(builds)) {
    const busyMB = await underLoad(build, soakSeconds);
    found[build.key].forEach((measured) => Object.assign(measured, { busyMB, soakSeconds }));
  }
  return found;
}

/** The most that the process held at the end of a quarter of the time, in MB. */
async function underLoad(build, seconds) {
  const service = await startService(build, await copyOf(build, 'turns'));
  const samples = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const task = { kind: 'smallTalk', connections: 64, threads: 2_000, seconds: seconds / SAMPLES, warmup: 0.1 };
    await loadOn(service, '/v1/messages', task);
    samples.push(service.residentMiB());
  }
  await service.stop();
  dropCopy(build, 'turns');
  return (Math.max(...samples) * BYTES_OF_MIB) / 1e6;
}

const ENDPOINTS = 1_000;
const IN_PROJECT = 50;

/** Endpoints that have had their webhook and wait for the next; as many projects and events without any are the measure. */
async function ofIdleOnes({ builds, rounds }) {
  const directories = {};
  const receiver = await Receiver.start();
  for (const build of Object.values(builds)) {
    directories[build.key] = {
      empty: freshFolder(`empty-${build.key}`),
      conversations: await filledDirectory(build, 'idle'),
      without: await served(build, 'no-endpoints', receiver, 0),
      endpoints: await served(build, 'endpoints', receiver, IN_PROJECT),
    };
  }
  await receiver.stop();
  return interleave(
    rounds,
    each(builds, (build) => () => idleOnes(build, directories[build.key])),
  );
}

async function idleOnes(build, directories) {
  const idle = {};
  for (const [name, directory] of Object.entries(directories)) idle[name] = await idleMiB(startService(build, directory));
  const { empty, conversations, without, endpoints } = idle;
  return { conversationsMiB: conversations - empty, endpointKiB: ((endpoints - without) * 1_024) / ENDPOINTS };
}

/** A directory of projects with so many endpoints each, all of which got an event. */
async function served(build, name, receiver, inProject) {
  const directory = freshFolder(`${name}-${build.key}`);
  const service = await HookService.start(build, directory);
  for (let project = 0; project < ENDPOINTS / IN_PROJECT; project += 1) {
    const key = await service.newProject(`project ${project}`);
    for (let index = 0; index < inProject; index += 1) await service.register(receiver.url(`/${project}-${index}`), ['*'], key);
    await service.book(`Monday ${project}`, key);
  }
  await service.until((ENDPOINTS / IN_PROJECT) * inProject);
  await service.stop();
  return directory;
}

async function onDisk({ builds, quick }) {
  const events = quick ? 100_000 : 400_000;
  const measure = async (build) => {
    const directory = freshFolder(`disk-${build.key}`);
    const { payload, onDisk: bytes } = await runProgram('disk.mjs', { build: build.path, directory, events });
    return { perEvent: bytes / events, payload: payload / events };
  };
  const found = await interleave(
    1,
    each(builds, (build) => () => measure(build)),
  );
  return { ...found, limit: found.ours.map(({ payload }) => ({ perEvent: payload })) };
}
