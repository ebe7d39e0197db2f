import type { Dispatcher } from 'undici';
import { FakeClock } from '@testing/fake-clock';
import { Exchange } from './exchange.js';

const CONTROLLER = {} as Dispatcher.DispatchController;

describe('an answer in very many pieces', () => {
  it('is whole, up to as much as is kept', async () => {
    const exchange = new Exchange(new FakeClock());
    exchange.onResponseStart(CONTROLLER, 200, {});
    const pieces = Array.from({ length: 500 }, (_, index) => `${index} `);
    for (const piece of pieces) exchange.onResponseData(CONTROLLER, Buffer.from(piece));
    exchange.onResponseEnd();
    expect(await exchange.result).toMatchObject({ body: pieces.join(''), bodyTruncated: false });
  });

  it('is cut off when they are more than a thousand, with its connection', async () => {
    const destroyed = jest.fn();
    const exchange = new Exchange(new FakeClock());
    exchange.useRoute({ socket: { destroy: destroyed }, interim: null, remoteAddress: '192.0.2.1' });
    exchange.onRequestStart(CONTROLLER);
    exchange.onResponseStart(CONTROLLER, 200, {});
    for (let count = 0; count < 1_024; count++) exchange.onResponseData(CONTROLLER, Buffer.from('x'));
    expect([exchange.settled, destroyed.mock.calls.length]).toEqual([false, 0]);
    exchange.onResponseData(CONTROLLER, Buffer.from('x'));
    expect(await exchange.result).toMatchObject({ kind: 'answered', status: 200, bodyTruncated: true });
    expect(destroyed.mock.calls).toHaveLength(1);
  });
});
