import { setTimeout as pause } from 'node:timers/promises';
import { freshFolder } from '../builds.mjs';
import { Admin, textOf, until } from '../client.mjs';
import { copyOf, filledDirectory } from '../directories.mjs';
import { Receiver, settledIn } from '../hooks.mjs';
import { ClosedLoop } from '../load.mjs';
import { API_KEY, startService } from '../processes.mjs';
import { messages } from '../requests.mjs';
import { contest, eachBuild } from '../rounds.mjs';
import { bareServer } from './messages.mjs';

const MB_OF_MIB = 1.048576;
const QUIET_MS = 4_000;
const SAMPLES = 4;
const ENDPOINTS = 1_000;
const PROJECTS = 20;

/** Runs `measure` on a server that starts, and stops it. */
async function onServer(starting, measure) {
  const server = await starting;
  const found = await measure(server);
  await server.stop();
  return found;
}

const withMillion = async (build) => startService(build, await filledDirectory(build, 'turns'));

/** From the start of the process to its first 200. */
export function starts(plan) {
  const first = async (server) => {
    await textOf(`${server.url}/v1/conversations?limit=1`, 'GET', { key: API_KEY });
    return { ms: performance.now() - server.startedAt };
  };
  return contest(
    plan,
    (build) => onServer(withMillion(build), first),
    () => onServer(bareServer(), first),
  );
}

/** Of the whole process: the threads of the engine are part of it. */
async function idle(server) {
  await pause(QUIET_MS);
  return { idleMiB: server.residentMiB() };
}

/** With a million events: idle, and the most at the end of a quarter of the time under messages. */
export async function resident(plan) {
  const found = await contest(
    plan,
    (build) => onServer(withMillion(build), idle),
    () => onServer(bareServer(), idle),
  );
  for (const build of plan.builds) {
    const busyMB = await onServer(startService(build, await copyOf(build, 'turns')), (server) => busy(server, plan.soakSeconds));
    found[build.key].forEach((round) => (round.busyMB = busyMB));
  }
  return found;
}

async function busy(server, seconds) {
  const posts = new ClosedLoop(server, () => messages('smallTalk'));
  const samples = [];
  for (let sample = 0; sample <= SAMPLES; sample++) {
    await posts.run(seconds / SAMPLES);
    samples.push(server.residentMiB() * MB_OF_MIB);
  }
  return Math.max(...samples);
}

/** A directory of projects with so many endpoints in all, each of which has had a webhook. */
async function served(build, receiver, endpoints) {
  const directory = freshFolder(`endpoints-${endpoints}-${build.key}`);
  const served = await startService(build, directory);
  const admin = await Admin.of(served);
  for (let project = 0; project < PROJECTS; project += 1) {
    const client = await admin.newProject(`project ${project}`);
    for (let index = 0; index < endpoints / PROJECTS; index += 1) await client.register(`${receiver.url}/${project}-${index}`);
    await client.ask('POST', '/v1/appointments', { service: 'cleaning', starts_at: '2030-01-07T09:00:00Z' });
  }
  await until(async () => (await settledIn([served])) >= endpoints);
  await served.stop();
  return directory;
}

/** What idle conversations and endpoints hold, beside a service without them. */
export async function idleOnes(plan) {
  const receiver = await Receiver.start();
  const directories = await eachBuild(plan, async (build) => [
    freshFolder(`empty-${build.key}`),
    await filledDirectory(build, 'idle'),
    await served(build, receiver, 0),
    await served(build, receiver, ENDPOINTS),
  ]);
  await receiver.stop();
  return contest(plan, async (build) => {
    const MiB = [];
    for (const directory of directories[build.key]) MiB.push((await onServer(startService(build, directory), idle)).idleMiB);
    return { conversationsMiB: MiB[1] - MiB[0], endpointKiB: ((MiB[3] - MiB[2]) * 1_024) / ENDPOINTS };
  });
}
