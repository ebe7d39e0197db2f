import { ProjectPlaces } from './project-places.js';

describe('the requests of a project that wait for their bodies or replies', () => {
  it('are a quarter of all connections at most, and have room again once one leaves', () => {
    const places = new ProjectPlaces();
    const taken = Array.from({ length: 1_000 }, () => places.enter('prj_1'));
    expect([taken.includes(null), places.enter('prj_1')]).toEqual([false, null]);
    taken[0]?.leave();
    expect([places.enter('prj_1'), places.enter('prj_1')]).toEqual([expect.anything(), null]);
  });

  it('leave those of other projects alone', () => {
    const places = new ProjectPlaces();
    for (const project of ['prj_1', 'prj_2', 'prj_3']) for (let n = 0; n < 250; n++) places.enter(project);
    expect(places.enter('prj_4')).not.toBeNull();
  });
});
