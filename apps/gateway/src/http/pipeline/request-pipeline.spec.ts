import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { endOfTick } from './request-pipeline.js';

const REQUEST = {} as FastifyRequest;

class Reply {
  sent = false;
  readonly answers: unknown[] = [];

  send(answer: unknown): void {
    this.answers.push(answer);
    this.sent = true;
  }
}

const asReply = (reply: Reply) => reply as unknown as FastifyReply;

describe('the requests of one turn of the event loop', () => {
  it('go on together at its end, in their order', async () => {
    const hook = endOfTick();
    const done: string[] = [];
    for (const name of ['one', 'two', 'three']) hook(REQUEST, asReply(new Reply()), () => void done.push(name));
    await Promise.resolve();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('that come while others go on wait for the end of the next turn', async () => {
    const hook = endOfTick();
    const done: string[] = [];
    hook(REQUEST, asReply(new Reply()), () => hook(REQUEST, asReply(new Reply()), () => void done.push('later')));
    await setImmediate();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['later']);
  });

  it('fail alone: the others go on, and the one that fails is answered with its failure', async () => {
    const hook = endOfTick();
    const done: string[] = [];
    const failing = new Reply();
    const failure = new Error('a step fails');
    hook(REQUEST, asReply(new Reply()), () => void done.push('before'));
    hook(REQUEST, asReply(failing), () => {
      throw failure;
    });
    hook(REQUEST, asReply(new Reply()), () => void done.push('behind'));
    await setImmediate();
    expect([done, failing.answers]).toEqual([['before', 'behind'], [failure]]);
  });

  it('that were answered already are not answered twice', async () => {
    const hook = endOfTick();
    const answered = new Reply();
    hook(REQUEST, asReply(answered), () => {
      answered.send('answer');
      throw new Error('too late');
    });
    await setImmediate();
    expect(answered.answers).toEqual(['answer']);
  });
});
