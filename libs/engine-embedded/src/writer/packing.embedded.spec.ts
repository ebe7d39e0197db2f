import fc from 'fast-check';
import { pack, unpack } from './packed.js';
import type { WriteRequest } from './requests.js';

const append = fc
  .record({
    stream: fc.string(),
    expected: fc.integer({ min: -1 }),
    events: fc.array(fc.tuple(fc.uuid(), fc.string(), fc.option(fc.string()))),
  })
  .map(({ stream, expected, events }): WriteRequest => {
    const [ids, bodies, metadata] = [events.map(([id]) => id), events.map(([, body]) => body), events.map(([, , each]) => each)];
    return { kind: 'append', stream, expected, ids, bodies, metadata };
  });
const record = fc
  .record({ key: fc.string(), value: fc.string(), version: fc.string(), expiresAt: fc.nat() })
  .map((parts): WriteRequest => ({ kind: 'put-record', ...parts }));
const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
const rows = fc.integer({ min: 1, max: 9 }).chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width })));
const apply = fc
  .record({ collection: fc.string(), generation: fc.nat(), checkpoint: fc.string(), rows })
  .map((parts): WriteRequest => ({ kind: 'apply', ...parts }));
const other = fc.constantFrom<WriteRequest>({ kind: 'sweep' }, { kind: 'remove-record', key: 'k' }, { kind: 'probe' });

describe('requests on their way to the writer', () => {
  it('arrive as they were sent, in their order', () => {
    const requests = fc.array(fc.oneof(append, record, apply, other));
    fc.assert(fc.property(requests, (sent) => expect(unpack(structuredClone(pack(sent)))).toEqual(sent)));
  });
});
