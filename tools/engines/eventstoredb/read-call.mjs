import streams from '@eventstore/db-client/generated/streams_pb.js';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf } from './event-log.mjs';
import { FAILURES } from './failures.mjs';
import { subscribe } from './subscription.mjs';
import { event, streamName, streamNotFound } from './wire.mjs';

const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/** `Read`: a stream or the log, forwards or backwards, once or as a subscription. */
export function readCall(double) {
  return (call) => {
    const options = call.request.getOptions();
    call.on('error', () => undefined);
    const run = options.hasSubscription() ? subscribe(double, call, options) : read(double, call, options);
    run.catch((error) => call.emit('error', error));
  };
}

async function read({ log, behaviours, misbehaviour, calls }, call, options) {
  calls[options.hasAll() ? 'readAll' : 'readStream'] += 1;
  const plan = misbehaviour.next('read') ?? misbehaviour.next(options.hasAll() ? 'readAll' : 'readStream');
  if (plan?.kind === 'silent') return;
  if (['unavailable', 'accessDenied', 'unauthenticated'].includes(plan?.kind))
    return void call.emit('error', FAILURES[plan.kind]());
  if (plan?.kind === 'notLeader') return void call.emit('error', FAILURES.notLeader(plan));
  if (plan?.kind === 'delay') await sleep(plan.ms);
  const records = options.hasAll() ? fromLog(log, options, behaviours) : fromStream(log, options, call, behaviours);
  const withPosition = options.hasAll() || behaviours.has('events of a stream have positions');
  const isOne = behaviours.has('commit and prepare position are one');
  for (const record of records ?? []) {
    if (call.cancelled) return;
    const message = event(record, withPosition, isOne ? record.position : record.position - 1n);
    if (!call.write(message)) await once(call, 'drain');
    if (plan?.kind === 'silent after the first event') return;
  }
  if (records) call.end();
}

function fromLog(log, options, behaviours) {
  const from = options.getAll();
  const at = from.hasPosition() ? BigInt(from.getPosition().getCommitPosition()) : undefined;
  const count = Number(options.getCount());
  const shown = behaviours.has('system events are in the log') ? log.all : log.all.filter(({ type }) => !type.startsWith('$'));
  if (options.getReadDirection() === BACKWARDS) {
    const isExclusive = behaviours.has('the log backwards begins before its position');
    const place = at === undefined ? shown.length : placeOf(shown, at);
    const end = !isExclusive && at !== undefined && shown[place]?.position === at ? place + 1 : place;
    return from.hasStart() ? [] : shown.slice(Math.max(0, end - count), end).reverse();
  }
  if (from.hasEnd()) return [];
  const first = at === undefined ? 0 : placeOf(shown, at);
  const isExclusive = !behaviours.has('the log forwards begins with its position') && shown[first]?.position === at;
  return shown.slice(first + (isExclusive ? 1 : 0), first + count + (isExclusive ? 1 : 0));
}

/** Undefined if the call failed, or was told that there is no stream. */
function fromStream(log, options, call, behaviours) {
  const from = options.getStream();
  const name = streamName(from.getStreamIdentifier());
  if (log.isDeleted(name)) return void call.emit('error', FAILURES.streamDeleted(name));
  const records = log.read(name);
  if (!records?.length && behaviours.has('a missing stream is told apart from an empty one')) {
    call.write(streamNotFound(name));
    return void call.end();
  }
  const at = from.hasRevision() ? BigInt(from.getRevision()) : undefined;
  const count = Number(options.getCount());
  if (options.getReadDirection() === BACKWARDS) {
    return (records ?? [])
      .filter(({ revision }) => at === undefined || revision <= at)
      .slice(-count)
      .reverse();
  }
  return from.hasEnd() ? [] : (records ?? []).filter(({ revision }) => at === undefined || revision >= at).slice(0, count);
}
