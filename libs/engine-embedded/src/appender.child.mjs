// Appends until killed; prints `<stream> <revision> <position>` per acknowledged event.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';

const [entry, directory, callers] = process.argv.slice(2);
const { openEmbeddedEngine } = await import(entry);
const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  at: (time, callback) => clock.after(time - Date.now(), callback),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.max(0, ms)).unref();
    return () => clearTimeout(timer);
  },
};
const { events, records } = await openEmbeddedEngine(directory, clock).catch((error) => {
  writeSync(1, `refused ${error.name} ${error.message}\n`);
  process.exit(3);
});
writeSync(1, 'open\n');

async function appendForEver() {
  const stream = `note-${randomUUID()}`;
  for (let revision = -1; ;) {
    const batch = ['a', 'b'].map((text) => ({ id: randomUUID(), event: { type: 'Noted', at: 1, text: text.repeat(200) } }));
    const key = `${stream}.${revision}`;
    void records.create(key, stream, Date.now() + 3_600_000);
    const appended = await events.append(stream, batch, revision === -1 ? 'none' : revision);
    revision = appended.revision;
    writeSync(1, `${stream} ${revision} ${appended.position} ${key}\n`);
  }
}
await Promise.all(Array.from({ length: Number(callers) }, appendForEver));
