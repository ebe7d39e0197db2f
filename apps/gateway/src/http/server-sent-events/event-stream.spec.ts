import { PassThrough } from 'node:stream';
import { settle } from '@testing/fake-clock';
import { commentText, EventStream, eventText } from './event-stream.js';

const KIB = 'x'.repeat(1_024);

describe('the text of server-sent events', () => {
  it('has a name, data in one line and an id', () => {
    expect(eventText({ event: 'changed', data: { text: 'two\nlines' }, id: '7' })).toBe(
      'event: changed\ndata: {"text":"two\\nlines"}\nid: 7\n\n',
    );
  });

  it('has comments, which may move the id', () => {
    expect([commentText('open'), commentText('alive', '7')]).toEqual([': open\n\n', ': alive\nid: 7\n\n']);
  });
});

describe('a stream', () => {
  it('passes on what is sent, and ends', async () => {
    const stream = new EventStream();
    const read: string[] = [];
    stream.setEncoding('utf8').on('data', (text: string) => read.push(text));
    stream.send('one');
    stream.send('two');
    stream.finish();
    stream.send('after the end');
    stream.finish();
    await settle();
    expect([read.join(''), stream.destroyed]).toEqual(['onetwo', true]);
  });

  it('is full once its reader does not read, and calls back when there is room again', async () => {
    const stream = new EventStream();
    const reader = new PassThrough({ highWaterMark: 1 });
    stream.pipe(reader);
    await settle();
    let calls = 0;
    stream.onRoom(() => calls++);
    let sent = 0;
    while (!stream.isFull) {
      stream.send(KIB);
      sent++;
    }
    expect(sent).toBeLessThan(100);
    await settle();
    expect([stream.isFull, calls]).toEqual([true, 0]);
    reader.resume();
    for (let n = 0; n < 200; n++) await settle();
    expect([stream.isFull, calls]).toEqual([false, 1]);
  });

  it('takes nothing any more once its client is gone', () => {
    const stream = new EventStream();
    stream.destroy();
    stream.send(KIB);
    stream.finish();
    expect(stream.readableLength).toBe(0);
  });
});
