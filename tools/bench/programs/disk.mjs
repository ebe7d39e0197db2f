// How much of the disk events take: so many of 500 bytes, in streams of ten.
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from './engine.mjs';

const IN_STREAM = 10;
const AT_ONCE = 2_000;

export async function measure({ build, directory, count }) {
  const { events, engine } = await openEngine(build, directory);
  let payload = 0;
  const fillStream = async () => {
    const stream = `note-${randomUUID()}`;
    for (let revision = 'none', made = 0; made < IN_STREAM; made++) {
      const event = { type: 'Noted', at: Date.now(), text: 'a'.repeat(455) };
      payload += JSON.stringify(event).length;
      ({ revision } = await events.append(stream, [{ id: randomUUID(), event }], revision));
    }
  };
  for (let made = 0; made < count; made += AT_ONCE * IN_STREAM) await Promise.all(Array.from({ length: AT_ONCE }, fillStream));
  await engine.close();
  const onDisk = readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
  return { payload: payload / count, bytes: onDisk / count };
}
