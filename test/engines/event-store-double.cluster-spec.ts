import { EventStoreDouble } from '@testing/event-store-double';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEHAVIOURS } from '../../tools/engines/eventstoredb/behaviours.mjs';
import { type Limits, LIMITS } from '../../tools/engines/eventstoredb/limits.mjs';
import { DOUBLE_BEHAVIOURS } from './double-behaviours.js';
import { SERVER_BEHAVIOURS } from './server-behaviours.js';
import { ServerClient } from './server-client.js';

const README = join(__dirname, '../../tools/engines/eventstoredb/README.md');
const named = process.env['EVENTSTORE_URL'];

type Check = (server: ServerClient, double: EventStoreDouble) => Promise<void>;

async function onDouble(check: Check, off: readonly string[] = [], limits?: Limits): Promise<void> {
  const double = await EventStoreDouble.start(off, limits ? { limits } : {});
  const server = new ServerClient(double.url);
  try {
    await check(server, double);
  } finally {
    await server.close();
    await double.end();
  }
}

/** 400 events take it 4 s, and a test waits for 2. */
const SLOW = { ...LIMITS['22.10'], eventsPerSecond: 100 };
const SUBSCRIPTIONS = [
  'a subscription is confirmed',
  'a subscription says when it has caught up',
  'a subscription begins after its position',
  'a filtered subscription tells checkpoints',
];

describe('a server of EventStoreDB', () => {
  it.each(Object.entries(SERVER_BEHAVIOURS))('%s', async (_, check) => {
    if (named === undefined) return onDouble(check);
    const server = new ServerClient(named);
    await check(server).finally(() => void server.close());
  });
});

describe('the double of EventStoreDB', () => {
  const all = { ...SERVER_BEHAVIOURS, ...DOUBLE_BEHAVIOURS };

  it.each(Object.entries(DOUBLE_BEHAVIOURS))('%s', (_, check) => onDouble(check));

  it('has the limits of KurrentDB 26 where it is asked for them: a large append is refused', async () => {
    await onDouble(SERVER_BEHAVIOURS['a large append is refused']!, [], LIMITS['26']);
    await expect(
      onDouble(SERVER_BEHAVIOURS['a large append is refused']!, ['a large append is refused'], LIMITS['26']),
    ).rejects.toThrow();
  });

  it.each(SUBSCRIPTIONS)('has a log that takes long to read, and still: %s', (name) => {
    const onLongLog: Check = async (server, double) => {
      await double.process.ask('statistics', 400);
      await all[name]!(server, double);
    };
    return onDouble(onLongLog, [], SLOW);
  });

  it.each(Object.entries(all))('is noticed where it lacks this: %s', async (name, check) => {
    await expect(onDouble(check, [name])).rejects.toThrow();
  });

  it('has a test for each behaviour, and evidence in its README', () => {
    expect(Object.keys(all).sort()).toEqual([...BEHAVIOURS].sort());
    const rows = readFileSync(README, 'utf8').matchAll(/^\| (?!Behaviour|-)([^|]+?) +\| [^|]+\|$/gm);
    expect([...rows].map(([, name]) => name).sort()).toEqual([...BEHAVIOURS].sort());
  });
});
