import { StreamPlaces } from './stream-places.js';

const places = () => new StreamPlaces({ most: 3, mostOfOwner: 2, retryAfterSeconds: 10 });

describe('the places of streams', () => {
  it('are limited for each owner, and in all', () => {
    const all = places();
    all.enter('one');
    all.enter('one');
    expect(() => all.enter('one')).toThrow(expect.objectContaining({ code: 'service_unavailable', details: { retryAfter: 10 } }));
    all.enter('two');
    expect(() => all.enter('three')).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
  });

  it('are free again once left, which counts once', () => {
    const all = places();
    const leave = all.enter('one');
    all.enter('one');
    leave();
    leave();
    all.enter('one');
    expect(() => all.enter('one')).toThrow('Too many streams');
  });
});
