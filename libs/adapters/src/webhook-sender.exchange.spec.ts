import type { Dispatcher } from 'undici';
import { FakeClock } from '@testing/fake-clock';
import { Exchange } from './webhook-sender.exchange.js';

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
});
