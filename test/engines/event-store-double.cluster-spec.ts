import { EventStoreDouble } from '@testing/event-store-double';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEHAVIOURS } from '../../tools/engines/eventstoredb/behaviours.mjs';
import { DOUBLE_BEHAVIOURS } from './double-behaviours.js';
import { SERVER_BEHAVIOURS } from './server-behaviours.js';
import { ServerClient } from './server-client.js';

const README = join(__dirname, '../../tools/engines/eventstoredb/README.md');
const named = process.env['EVENTSTORE_URL'];

type Check = (server: ServerClient, double: EventStoreDouble) => Promise<void>;

async function onDouble(check: Check, off: readonly string[] = []): Promise<void> {
  const double = await EventStoreDouble.start(off);
  const server = new ServerClient(double.url);
  try {
    await check(server, double);
  } finally {
    await server.close();
    await double.end();
  }
}

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

  it.each(Object.entries(all))('is noticed where it lacks this: %s', async (name, check) => {
    await expect(onDouble(check, [name])).rejects.toThrow();
  });

  it('has a test for each behaviour, and evidence in its README', () => {
    expect(Object.keys(all).sort()).toEqual([...BEHAVIOURS].sort());
    const rows = readFileSync(README, 'utf8').matchAll(/^\| (?!Behaviour|-)([^|]+?) +\| [^|]+\|$/gm);
    expect([...rows].map(([, name]) => name).sort()).toEqual([...BEHAVIOURS].sort());
  });
});
