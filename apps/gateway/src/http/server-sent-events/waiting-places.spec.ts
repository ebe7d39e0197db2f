import { WaitingPlaces } from './waiting-places.js';

function taken(places: WaitingPlaces, owner: string): number {
  for (let count = 0; ; count++) {
    try {
      places.enter(owner);
    } catch {
      return count;
    }
  }
}

describe('the places of requests that wait', () => {
  it('are a thousand, and half of them for one project', () => {
    const places = new WaitingPlaces();
    expect(['one', 'two', 'three'].map((owner) => taken(places, owner))).toEqual([500, 500, 0]);
  });

  it('are refused with a time to come again', () => {
    const places = new WaitingPlaces();
    taken(places, 'one');
    const refusal = { code: 'service_unavailable', message: expect.stringContaining('wait'), details: { retryAfter: 2 } };
    expect(() => places.enter('one')).toThrow(expect.objectContaining(refusal));
  });
});
