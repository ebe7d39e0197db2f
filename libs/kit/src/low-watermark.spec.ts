import fc from 'fast-check';
import { LowWatermark } from './low-watermark.js';

describe('a low watermark', () => {
  it('is the oldest place that is not done, in whatever order places are done', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.gen(), (count, gen) => {
        const watermark = new LowWatermark<number>();
        const places = Array.from({ length: count }, (_, place) => place);
        const finish = places.map((place) => watermark.take(place));
        const open = new Set(places);
        expect(watermark.oldest).toBe(0);
        for (const place of gen(fc.shuffledSubarray, places, { minLength: count })) {
          finish[place]?.();
          open.delete(place);
          expect(watermark.oldest).toBe(open.size > 0 ? Math.min(...open) : undefined);
        }
      }),
    ));

  it('is not moved by a place that is done twice', () => {
    const watermark = new LowWatermark<number>();
    const finish = watermark.take(1);
    finish();
    watermark.take(2);
    finish();
    expect(watermark.oldest).toBe(2);
  });
});
