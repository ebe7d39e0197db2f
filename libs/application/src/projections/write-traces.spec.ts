import { START, type Recorded } from '@ports/event-store.port';
import { RecordedTraces } from '@testing/recorded-traces';
import { WriteTraces } from './write-traces.js';

const traceparent = (letter: string) => `00-${letter.repeat(32)}-${letter.repeat(16)}-01`;
const causedIn = (letter: string): Recorded => ({
  id: letter,
  stream: 'note-1',
  revision: 0,
  position: START,
  event: { type: 'Noted', at: 1 },
  metadata: { $correlationId: 'cor_1', traceparent: traceparent(letter) },
});

describe('a write of rows', () => {
  it('has a span with links to what caused its events, and none of those before', async () => {
    const traces = new RecordedTraces();
    const writes = new WriteTraces(traces.tracer, 'notes');
    writes.note([causedIn('a'), causedIn('b')]);
    await writes.write(2, () => Promise.resolve());
    writes.note([causedIn('c')]);
    await writes.write(0, () => Promise.resolve());
    writes.note([causedIn('d')]);
    await writes.write(1, () => Promise.resolve());
    expect(await traces.spans()).toMatchObject([
      { name: 'projection', fields: { collection: 'notes', rows: 2 }, links: [traceparent('b')] },
      { name: 'projection', fields: { collection: 'notes', rows: 1 }, links: [] },
    ]);
  });

  it('fails as it does', async () => {
    const traces = new RecordedTraces();
    const failing = new WriteTraces(traces.tracer, 'notes').write(1, () => Promise.reject(new RangeError('of the store')));
    await expect(failing).rejects.toThrow('of the store');
    expect(await traces.spans()).toMatchObject([{ name: 'projection', hasFailed: true, fields: { 'error.type': 'RangeError' } }]);
  });
});
