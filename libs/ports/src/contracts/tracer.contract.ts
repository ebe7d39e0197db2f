import { parseTraceparent } from '../traceparent.js';
import type { Tracer } from '../tracer.port.js';

const REMOTE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b8-01';

const traceOf = (traceparent: string | undefined) => parseTraceparent(traceparent)?.traceId;
const pause = () => new Promise((resolve) => setImmediate(resolve));

/** The contract of every tracer. */
export function tracerContract(name: string, make: () => Tracer): void {
  describe(`${name} is a Tracer`, () => {
    let tracer: Tracer;
    beforeEach(() => void (tracer = make()));
    afterEach(() => tracer.close());

    /** What a tracer that traces tells, and one that does not cannot know. */
    const where = <T>(known: T) => (tracer.isOn ? known : undefined);

    it('settles as the work does', async () => {
      const failure = new Error('of the work');
      await expect(tracer.run('command', {}, () => Promise.resolve(7))).resolves.toBe(7);
      await expect(tracer.run('command', {}, () => Promise.reject(failure))).rejects.toBe(failure);
      await expect(
        tracer.run('command', {}, async () => {
          await pause();
          throw failure;
        }),
      ).rejects.toBe(failure);
    });

    it('begins the work at once, and once', async () => {
      let begun = 0;
      const work = tracer.run('append', {}, () => Promise.resolve(begun++));
      expect(begun).toBe(1);
      await work;
      expect(begun).toBe(1);
    });

    it('makes a span the active one in its work and in what follows from that, and nowhere else', async () => {
      expect(tracer.traceparent).toBeUndefined();
      const inside = tracer.run('request', {}, async (span) => {
        const seen = [tracer.traceparent];
        await pause();
        seen.push(tracer.traceparent, await Promise.resolve(tracer.traceparent));
        return { seen, own: span.traceparent };
      });
      expect(tracer.traceparent).toBeUndefined();
      const { seen, own } = await inside;
      expect(seen).toEqual([own, own, own]);
      expect(traceOf(own)).toEqual(where(expect.any(String)));
      expect(tracer.traceparent).toBeUndefined();
    });

    it('keeps what runs at the same time apart', async () => {
      const one = () =>
        tracer.run('request', {}, async (span) => {
          await pause();
          return [span.traceparent, tracer.traceparent];
        });
      const all = await Promise.all([one(), one(), one()]);
      for (const [own, active] of all) expect(active).toBe(own);
      expect(new Set(all.map(([own]) => traceOf(own))).size).toBe(tracer.isOn ? 3 : 1);
    });

    it('puts a span into the trace of the active one, or of its origin, or into one of its own', async () => {
      await tracer.run('request', {}, async ({ traceparent }) => {
        const below = tracer.begin('command', {});
        const remote = tracer.begin('attempt', {}, { parent: REMOTE, links: [OTHER, undefined, 'none'] });
        const alone = tracer.begin('attempt', {}, { parent: undefined });
        expect(traceOf(below.traceparent)).toBe(traceOf(traceparent));
        expect(traceOf(remote.traceparent)).toBe(where(traceOf(REMOTE)));
        expect([traceOf(traceparent), traceOf(REMOTE)]).not.toContain(where(traceOf(alone.traceparent)) ?? 'none');
        for (const span of [below, remote, alone]) span.end();
      });
    });

    it('begins a trace where the origin names none that can be read', () => {
      const span = tracer.begin('request', {}, { parent: 'none', links: [''] });
      expect(traceOf(span.traceparent)).toEqual(where(expect.any(String)));
      span.end();
    });

    it('bears what is told of a span in any order, before and after its end', () => {
      const span = tracer.begin('request', { request_id: 'req_1' });
      span.fail('internal_error');
      span.set({ 'http.response.status_code': 500 });
      span.link(OTHER);
      span.link('none');
      span.end();
      span.set({ events: 1 });
      span.fail('late');
      span.end();
      expect(span.run(() => 7)).toBe(7);
    });

    it('links the active span, where there is one', async () => {
      tracer.link(OTHER);
      await expect(tracer.run('request', {}, async () => tracer.link(OTHER))).resolves.toBeUndefined();
    });

    it('gives log lines the ids of the request and its trace', async () => {
      expect(tracer.logIds).toEqual({});
      await tracer.run('request', { request_id: 'req_1' }, async ({ traceparent }) => {
        const ids = where({ request_id: 'req_1', trace_id: traceOf(traceparent) }) ?? {};
        expect(tracer.logIds).toEqual(ids);
        await tracer.run('command', {}, async () => expect(tracer.logIds).toEqual(ids));
        await tracer.run('attempt', {}, async () => expect(tracer.logIds).toEqual(where({ trace_id: traceOf(REMOTE) }) ?? {}), {
          parent: REMOTE,
        });
      });
    });

    it('closes more than once, and lets work go on', async () => {
      await tracer.close();
      await tracer.close();
      await expect(tracer.run('command', {}, () => Promise.resolve(7))).resolves.toBe(7);
    });
  });
}
