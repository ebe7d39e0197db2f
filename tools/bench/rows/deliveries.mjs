import { Receiver, withBacklog } from '../hooks.mjs';
import { freshFolder } from '../places.mjs';
import { runProgram } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';

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
  rows: [7, 8],
  async measure(plan) {
    const receiver = await Receiver.start();
    const task = { url: receiver.url('/limit'), inFlight: IN_FLIGHT, seconds: plan.seconds };
    const post = (client) => () => runProgram('post.mjs', { ...task, client, directory: freshFolder('posts') });
    try {
      return rowsOf(
        await interleave(plan.rounds, {
          dispatch: post('dispatch'),
          ...(plan.wants(8) && { fetch: post('fetch'), recorded: post('recorded') }),
          ours: () => drain(receiver, plan),
        }),
      );
    } finally {
      await receiver.stop();
    }
  },
};

async function drain(receiver, { quick }) {
  const size = quick ? 'quick' : 'usual';
  const count = BACKLOG[size];
  const service = await withBacklog('backlog', receiver, { count, endpoints: ENDPOINTS, aheadMs: AHEAD_MS[size] });
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

function rowsOf({ ours, dispatch, fetch, recorded }) {
  const beside = (limit, figure, unit) => {
    const [one, other] = [typical(ours, figure), typical(limit, figure)];
    return { ours: one, limit: other, unit, ratio: one / other };
  };
  const measured = { ours, dispatch, fetch, recorded };
  const rows = [
    row(7, 'deliveries, 64 in flight', { ...beside(dispatch, 'perSecond', '/s'), floor: 0.2, goal: 0.35, measured }),
    row(7, 'the same, processor time per delivery', {
      ...beside(dispatch, 'cpuMicros', 'µs'),
      ...{ floor: null, goal: null, atMost: true },
    }),
  ];
  if (!fetch) return rows;
  return [
    ...rows,
    row(8, 'deliveries beside fetch, nothing recorded', { ...beside(fetch, 'perSecond', '/s'), floor: 3, goal: 5 }),
    row(8, 'the same beside claim, POST and outcome on this engine, nothing else', {
      ...beside(recorded, 'perSecond', '/s'),
      ...{ floor: null, goal: null },
    }),
  ];
}
