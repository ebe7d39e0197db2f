import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { whenReadToTheEnd } from './when-read-to-the-end.js';

type Message = PassThrough & { complete: boolean; headers: Record<string, string> };

let message: Message;
let told: boolean[];
/** The listeners of the message before it is read. */
let before: number[];

beforeEach(() => {
  jest.useFakeTimers();
  message = Object.assign(new PassThrough(), { complete: false, headers: { 'transfer-encoding': 'chunked' } });
  told = [];
  before = listening();
});
afterEach(() => void jest.useRealTimers());

const listening = () => ['data', 'end', 'close'].map((event) => message.listenerCount(event));
const readOn = () => whenReadToTheEnd(message as unknown as IncomingMessage, (isRead) => void told.push(isRead));

function sent(count: number, bytes: number): void {
  for (let n = 0; n < count; n++) message.emit('data', Buffer.alloc(bytes));
}

function expectNothingLeft(): void {
  expect(jest.getTimerCount()).toBe(0);
  expect(listening()).toEqual(before);
}

describe('the rest of a body that nobody wants', () => {
  it('is read to its end', () => {
    readOn();
    sent(3, 65_536);
    expect(told).toEqual([]);
    message.complete = true;
    message.emit('end');
    message.emit('close');
    expect(told).toEqual([true]);
    expectNothingLeft();
  });

  it('is not there where all has come', () => {
    message.complete = true;
    readOn();
    expect(told).toEqual([true]);
    expectNothingLeft();
  });

  it.each([
    ['sixteen megabytes', 256, 65_536],
    ['four thousand chunks, however short', 4_096, 1],
  ])('is given up beyond %s', (_, chunks, bytes) => {
    readOn();
    sent(chunks, bytes);
    expect(told).toEqual([]);
    sent(2, bytes);
    expect(told).toEqual([false]);
    expectNothingLeft();
  });

  it('is given up after three seconds', () => {
    readOn();
    jest.advanceTimersByTime(2_999);
    expect(told).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(told).toEqual([false]);
  });

  it('is not waited for once its client has gone', () => {
    readOn();
    message.emit('close');
    expect(told).toEqual([false]);
    expectNothingLeft();
  });
});
