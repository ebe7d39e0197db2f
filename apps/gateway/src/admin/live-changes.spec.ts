import type { FastifyReply } from 'fastify';
import type { ChangeFeed, ChangeListener, Listening } from '@application/changes/change-feed';
import type { Change, ChangeBatch } from '@application/changes/pending-changes';
import { settle } from '@testing/fake-clock';
import { EventStream } from '../http/server-sent-events/event-stream.js';
import type { ServerSentEvents } from '../http/server-sent-events/server-sent-events.js';
import { LiveChanges } from './live-changes.js';

const change = (id: string, position: string): Change => ({ object: 'task', id, projectId: 'prj_1', position });
const changed = (id: string, position: string) =>
  `event: changed\ndata: {"object":"task","id":"${id}","project_id":"prj_1"}\nid: ${position}\n\n`;
const reset = (position: string) => `event: reset\ndata: {}\nid: ${position}\n\n`;

let tell: ChangeListener;
let left: number;
let position: string;
let commentId: () => string;

/** The stream of a client that goes on and has missed this much, and whose reading the test does. */
async function begin(missed: ChangeBatch = []): Promise<EventStream> {
  [left, position] = [0, '5'];
  const listen = (_: string, __: string | null, listener: ChangeListener): Promise<Listening> => {
    tell = listener;
    return Promise.resolve({ from: '5', missed, leave: () => left++ });
  };
  const feed = { listen, get position() { return position; } }; // prettier-ignore
  const events = { begin: (_: unknown, id: () => string) => ((commentId = id), new EventStream()) };
  const live = new LiveChanges(feed as unknown as ChangeFeed, events as unknown as ServerSentEvents);
  return live.begin({} as FastifyReply, 'prj_1', null);
}

function readFrom(stream: EventStream): string[] {
  const read: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => read.push(text));
  return read;
}

describe('the live changes of a project', () => {
  it('are what was missed, then what happens, each with its position', async () => {
    const read = readFrom(await begin([change('task_1', '4')]));
    tell([change('task_2', '6'), change('task_3', '7')], '7');
    await settle();
    expect(read.join('')).toBe(changed('task_1', '4') + changed('task_2', '6') + changed('task_3', '7'));
  });

  it('are a reset where too much was missed, or happens', async () => {
    const read = readFrom(await begin(null));
    tell(null, '9');
    await settle();
    expect(read.join('')).toBe(reset('5') + reset('9'));
  });

  it('end with the client', async () => {
    const stream = await begin();
    stream.destroy();
    await settle();
    expect(left).toBe(1);
  });

  it('have comments with the position that everything was told up to', async () => {
    await begin();
    expect(commentId()).toBe('5');
    position = '4';
    expect(commentId()).toBe('5');
    position = '8';
    expect(commentId()).toBe('8');
  });

  it('take no memory for a client that does not read, which is reset once it does', async () => {
    const stream = await begin();
    const many = Array.from({ length: 1_000 }, (_, n) => change(`task_${n}`, '6'));
    tell(many, '6');
    expect(stream.isFull).toBe(true);
    const held = stream.readableLength;
    for (let n = 0; n < 100; n++) tell([change('task_x', '7')], '7');
    expect(stream.readableLength).toBe(held);
    position = '7';
    const read = readFrom(stream);
    for (let n = 0; n < 20; n++) await settle();
    expect(read.join('').endsWith(changed('task_999', '6') + reset('7'))).toBe(true);
    tell([change('task_y', '8')], '8');
    await settle();
    expect(read.at(-1)).toBe(changed('task_y', '8'));
  });
});
