// Appends of 500 bytes, each caller's to a stream of its own, through the port of a build or straight to a raw log.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { RawLog } from '../limits/raw-log.mjs';
import { callersOf } from './callers.mjs';
import { openEngine } from './engine.mjs';

const TEXT = 'a'.repeat(430);
const noted = () => ({ id: randomUUID(), event: { type: 'Noted', at: Date.now(), text: TEXT } });

async function toRawLog(directory) {
  const log = await RawLog.open(join(directory, 'raw.log'));
  return () => () => log.append(JSON.stringify(noted()));
}

async function throughPort(build, directory) {
  const { events } = await openEngine(build, directory);
  return () => {
    const stream = `note-${randomUUID()}`;
    let revision = 'none';
    return async () => ({ revision } = await events.append(stream, [noted()], revision));
  };
}

export async function measure({ build, directory, ...load }) {
  return callersOf(load, await (build ? throughPort(build, directory) : toRawLog(directory)));
}
