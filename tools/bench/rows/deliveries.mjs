import { Receiver, withBacklog } from '../hooks.mjs';
import { freshFolder } from '../places.mjs';
import { runProgram } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

/** Its share is all that is in flight. */
const ENDPOINTS = 1;
const IN_FLIGHT = 64;
const BACKLOG = { usual: 30_000, quick: 5_000 };
const AHEAD_MS = { usual: 35_000, quick: 14_000 };
/**
 * Of the backlog: what comes before is warming up, for some seconds, since a compiler that is still at work is no steady
 * state; what comes after may be less than is in flight.
 */
const FROM = 0.6;
const TO = 0.95;

/** Rows 7 and 8: deliveries that are due, each claimed, posted, signed, and its outcome stored. */
export const deliveries = {
  rows: ['7', '8'],
  modules: ['engine', 'clock', 'ids', 'appointments', 'deliveries', 'emittedEvents'],
  async measure(plan) {
    const receiver = await Receiver.start();
    const task = { url: receiver.url('/limit'), inFlight: IN_FLIGHT, seconds: plan.seconds };
    const post = (build) => () => runProgram('post.mjs', { ...task, build, directory: freshFolder('posts') });
    try {
      const { dispatched, recorded, ...found } = await interleave(plan.rounds, {
        ...(plan.wants('7') && { dispatched: post() }),
        ...(plan.wants('8') && { recorded: post(plan.builds.ours.path) }),
        ...each(plan.builds, (build) => () => drain(build, receiver, plan)),
      });
      return {
        ...(dispatched && { 7: { ...found, limit: dispatched } }),
        ...(recorded && { 8: { ...found, limit: recorded } }),
      };
    } finally {
      await receiver.stop();
    }
  },
};

async function drain(build, receiver, { quick }) {
  const size = quick ? 'quick' : 'usual';
  const count = BACKLOG[size];
  const service = await withBacklog(build, 'backlog', receiver, { count, endpoints: ENDPOINTS, aheadMs: AHEAD_MS[size] });
  try {
    const samples = [];
    const sample = (settled) => samples.push({ settled, at: performance.now(), cpu: service.cpuMs() });
    await service.until(count * TO, { seen: sample });
    await service.until(count);
    await service.expectDelivered(count);
    return between(
      samples.find(({ settled }) => settled >= count * FROM),
      samples.at(-1),
    );
  } finally {
    await service.stop();
  }
}

function between(first, last) {
  const made = last.settled - first.settled;
  return { perSecond: (made * 1_000) / (last.at - first.at), cpuMicros: ((last.cpu - first.cpu) * 1_000) / made };
}
