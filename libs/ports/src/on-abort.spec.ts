import { FakeClock } from '@testing/fake-clock';
import { getEventListeners } from 'node:events';
import { pause } from './clock.port.js';
import { onAbort } from './on-abort.js';

const MANY = 50;

describe('the end of a signal', () => {
  it('is told to each who waits for it, of whom any number is one listener', () => {
    const controller = new AbortController();
    const told: number[] = [];
    for (let index = 0; index < MANY; index += 1) onAbort(controller.signal, () => void told.push(index));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    expect(told).toEqual(Array.from({ length: MANY }, (_, index) => index));
  });

  it('is not told to those who have left', () => {
    const controller = new AbortController();
    const told: string[] = [];
    onAbort(controller.signal, () => void told.push('left'))();
    onAbort(controller.signal, () => void told.push('stayed'));
    controller.abort();
    expect(told).toEqual(['stayed']);
  });

  it('ends any number of pauses, which are one listener too', async () => {
    const [clock, controller] = [new FakeClock(), new AbortController()];
    const pauses = Array.from({ length: MANY }, () => pause(clock, 60_000, controller.signal));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort();
    await Promise.all(pauses);
    expect(clock.pending).toBe(0);
  });
});
