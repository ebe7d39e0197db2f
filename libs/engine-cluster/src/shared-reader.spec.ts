import { SharedReader } from './shared-reader.js';

describe('a shared reader', () => {
  const readings: ((value: Promise<string>) => void)[] = [];
  const reader = new SharedReader(() => new Promise<string>((resolve) => readings.push(resolve)));
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  beforeEach(() => readings.splice(0));

  it('reads once for all who ask before it begins', async () => {
    const asked = [reader.read(), reader.read(), reader.read()];
    await settled();
    readings[0]?.(Promise.resolve('one'));
    expect(await Promise.all(asked)).toEqual(['one', 'one', 'one']);
    expect(readings).toHaveLength(1);
  });

  it('reads again, once, for all who ask while it reads', async () => {
    const first = reader.read();
    await settled();
    const later = [reader.read(), reader.read()];
    await settled();
    expect(readings).toHaveLength(1);
    readings[0]?.(Promise.resolve('one'));
    expect(await first).toBe('one');
    await settled();
    readings[1]?.(Promise.resolve('two'));
    expect(await Promise.all(later)).toEqual(['two', 'two']);
    expect(readings).toHaveLength(2);
  });

  it('fails those alone whose reading failed', async () => {
    const first = reader.read();
    await settled();
    const later = reader.read();
    readings[0]?.(Promise.reject(new Error('away')));
    await expect(first).rejects.toThrow('away');
    await settled();
    readings[1]?.(Promise.resolve('back'));
    expect(await later).toBe('back');
  });
});
