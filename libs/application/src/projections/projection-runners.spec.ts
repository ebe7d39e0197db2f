import { Logger } from '@nestjs/common';
import { START } from '@ports/event-store.port';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld, type NoteRow } from '@testing/notes-world';

let world: NotesWorld;
afterEach(() => world.close());

describe('a read model', () => {
  it('holds what the events say, each row with its place and its guard', async () => {
    world = await NotesWorld.hosting();
    const at = world.clock.now();
    const id = await world.write('one');
    const made = await world.ports.events.head();
    world.clock.set(at + 5_000);
    const amended = await world.amend(id, 'two');
    await world.projected();
    expect(await world.dump()).toEqual([
      {
        id,
        projectId: expect.any(String),
        createdAt: at,
        sortId: made,
        position: amended,
        deleted: false,
        row: { text: 'two', amendments: 1 },
      },
    ]);
  });

  it('goes on where it stopped', async () => {
    world = await NotesWorld.hosting();
    const id = await world.write('before');
    await world.projected();
    world = await world.reopened();
    await world.append('other', { type: 'NoteWritten', at: 1, projectId: 'prj_other', text: 'of somebody else' });
    expect(await world.dump()).toMatchObject([{ id, row: { text: 'before' } }]);
    await world.host.onApplicationBootstrap();
    await world.projected();
    expect(await world.dump('prj_other')).toMatchObject([{ id: 'other' }]);
    expect(await world.dump()).toHaveLength(1);
  });

  it('tells the log at a start that its rows are projected anew, and only where they are laid out in another way', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    world = await NotesWorld.hosting();
    await world.write('before');
    await world.projected();
    world = await world.reopened();
    await world.host.onApplicationBootstrap();
    expect(warn.mock.calls).toEqual([]);
    const schema = { ...notesProjection.schema, version: notesProjection.schema.version + 1 };
    world = await world.reopened({ projections: [{ ...notesProjection, schema }] });
    await world.host.onApplicationBootstrap();
    await world.projected();
    await settle();
    await world.write('after');
    await world.projected();
    await settle();
    expect(warn.mock.calls).toEqual([
      ['rows are projected anew; until that is done their lists answer 503'],
      ['rows are complete; their lists answer again', { rows: 1, duration_ms: expect.any(Number) }],
    ]);
    warn.mockRestore();
  });

  it('skips an event that cannot be projected, counts it, tells the log which it was and shows the rest', async () => {
    const told = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    world = await NotesWorld.hosting();
    const id = await world.write('fine');
    await world.append(id, { type: 'NoteCursed', at: 1 });
    const [, cursed] = await world.ports.events.read(`note-${id}`);
    const later = await world.write('also fine');
    await world.projected();
    expect(await world.dump()).toMatchObject([
      { id, row: { text: 'fine' } },
      { id: later, row: { text: 'also fine' } },
    ]);
    expect(await world.projections.status()).toMatchObject([{ name: 'notes', skipped: 1, lagMs: 0, rebuild: null, restarts: 0 }]);
    expect(told.mock.calls).toEqual([[expect.stringContaining(`skipped event ${cursed?.id} `)]]);
    told.mockRestore();
  });

  it('sets aside a row that the store does not take, counts it, tells the log which it was and shows the rest', async () => {
    const told = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const project: typeof notesProjection.project = (...given) => {
      const after = notesProjection.project(...given);
      return after?.row.text === 'too much' ? { ...after, row: { ...after.row, text: 1n as unknown as string } } : after;
    };
    world = await NotesWorld.hosting({ projections: [{ ...notesProjection, project }] });
    const [first = '', ...rest] = await Promise.all(['a', 'b', 'c', 'd'].map((text) => world.write(text)));
    await world.projected();
    await Promise.all([world.amend(first, 'too much'), ...rest.map((id) => world.amend(id, 'more'))]);
    await world.projected();
    const texts = async () => (await world.dump()).map(({ row }) => (row as NoteRow).text);
    expect(await texts()).toEqual(['a', 'more', 'more', 'more']);
    expect(await world.projections.status()).toMatchObject([{ refused: 1, skipped: 0, restarts: 0, lagMs: 0 }]);
    expect(told.mock.calls).toEqual([[expect.stringContaining(`row ${first} is not kept`)]]);
    told.mockRestore();
    await world.amend(first, 'less');
    await world.projected();
    expect(await texts()).toEqual(['less', 'more', 'more', 'more']);
    await world.projections.rebuild('notes').finished;
    expect(await world.dump()).toMatchObject([{ row: { text: 'less', amendments: 2 } }, {}, {}, {}]);
  });

  it('begins again from what is stored when the rows are out of reach for a while', async () => {
    world = await NotesWorld.open();
    const { readModels } = world.ports;
    const apply = readModels.apply.bind(readModels);
    let refusals = 3;
    readModels.apply = (...rows) => (refusals-- > 0 ? Promise.reject(new Error('out of reach')) : apply(...rows));
    await world.host.onApplicationBootstrap();
    const id = await world.write('patient');
    while (refusals > 0) await world.clock.advance(100);
    await world.clock.advance(1_000);
    await world.projected();
    expect(await world.dump()).toMatchObject([{ id, row: { text: 'patient' } }]);
    expect(await world.projections.status()).toMatchObject([{ restarts: 3, skipped: 0 }]);
  });

  it('tells the log of rows that stay out of reach at first and once a minute, and of the end of it', async () => {
    world = await NotesWorld.open();
    const told: unknown[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void told.push(line));
    const { readModels } = world.ports;
    const apply = readModels.apply.bind(readModels);
    readModels.apply = () => Promise.reject(new Error('out of reach'));
    await world.host.onApplicationBootstrap();
    await world.write('patient');
    for (let passed = 0; passed < 70_000; passed += 100) await world.clock.advance(100);
    readModels.apply = apply;
    await world.clock.advance(6_000);
    await world.projected();
    warn.mockRestore();
    const again = (count: string) => expect.stringMatching(`^starting again .*failure ${count} in a row.*: Error: out of reach$`);
    expect(told).toEqual([again('1'), again('\\d\\d'), 'goes on']);
  });

  it('waits longer from time to time while its rows are out of reach', async () => {
    world = await NotesWorld.open();
    const refusedAt: number[] = [];
    world.ports.readModels.apply = () => {
      refusedAt.push(world.clock.now());
      return Promise.reject(new Error('out of reach'));
    };
    await world.host.onApplicationBootstrap();
    await world.write('patient');
    while (refusedAt.length < 5) await world.clock.advance(10);
    const pauses = refusedAt.slice(1).map((at, index) => at - (refusedAt[index] ?? 0));
    expect(pauses).toEqual([120, 220, 420, 820]);
  });

  it('does not begin again while its rows are there', async () => {
    world = await NotesWorld.hosting();
    await world.write('kept');
    await world.projected();
    await world.clock.advance(60_000);
    expect(await world.projections.status()).toMatchObject([{ restarts: 0 }]);
  });

  it('tells how old the oldest event is that readers may not see, after long silence as after a start', async () => {
    world = await NotesWorld.open();
    const lag = async () => (await world.projections.status())[0]?.lagMs;
    expect(await lag()).toBe(0);
    await world.write('early');
    await world.clock.advance(7_000);
    await world.write('late');
    expect(await lag()).toBe(7_000);
    await world.host.onApplicationBootstrap();
    await world.projected();
    expect(await lag()).toBe(0);
    await world.clock.advance(3_600_000);
    await world.write('much later');
    expect(await lag()).toBe(0);
  });

  it('notices that its rows have gone and makes them again', async () => {
    world = await NotesWorld.hosting();
    const id = await world.write('lost');
    await world.projected();
    const emptied = await world.ports.readModels.rebuild('notes');
    await emptied.apply([], START);
    await emptied.switchOver();
    await world.clock.advance(5_000);
    await world.projected();
    expect(await world.dump()).toMatchObject([{ id, row: { text: 'lost' } }]);
  });
});

describe('a rebuild', () => {
  it('gives the very same rows', async () => {
    world = await NotesWorld.hosting();
    await world.notesOfEveryKind();
    await world.projected();
    const live = await world.dump();
    expect(live.length).toBe(40);
    await world.projections.rebuild('notes').finished;
    expect(JSON.stringify(await world.dump())).toBe(JSON.stringify(live));
    expect(await world.projections.status()).toMatchObject([{ rebuild: { state: 'done', percent: 100 }, lagMs: 0 }]);
  });

  it('loses and repeats nothing of what is written meanwhile', async () => {
    world = await NotesWorld.hosting();
    await world.notesOfEveryKind();
    const { finished } = world.projections.rebuild('notes');
    let over = false;
    void finished.then(() => (over = true));
    const meanwhile: string[] = [];
    while (!over || meanwhile.length < 20) meanwhile.push(await world.write(`meanwhile ${meanwhile.length}`));
    await finished;
    await world.amend(meanwhile[0]!, 'after the switch');
    await world.projected();
    const texts = (await world.dump()).map(({ row }) => (row as { text: string }).text);
    expect(texts).toHaveLength(40 + meanwhile.length);
    expect(texts).toContain('after the switch');
    const live = JSON.stringify(await world.dump());
    await world.projections.rebuild('notes').finished;
    expect(JSON.stringify(await world.dump())).toBe(live);
  });

  it('never shows a reader less than before', async () => {
    world = await NotesWorld.hosting();
    await world.notesOfEveryKind();
    await world.projected();
    const count = (await world.dump()).length;
    const { finished } = world.projections.rebuild('notes');
    let over = false;
    void finished.then(() => (over = true));
    while (!over) {
      expect((await world.dump()).length).toBe(count);
      await settle();
    }
  });

  it('counts what it skips and what the store does not take of it', async () => {
    let limit = 'none';
    const project: typeof notesProjection.project = (...given) => {
      const after = notesProjection.project(...given);
      return after?.row.text === limit ? { ...after, row: { ...after.row, text: 1n as unknown as string } } : after;
    };
    world = await NotesWorld.hosting({ projections: [{ ...notesProjection, project }] });
    await world.write('too much');
    await world.append(await world.write('fine'), { type: 'NoteCursed', at: 1 });
    await world.projected();
    expect(await world.projections.status()).toMatchObject([{ skipped: 1, refused: 0 }]);
    limit = 'too much';
    await world.projections.rebuild('notes').finished;
    expect(await world.projections.status()).toMatchObject([{ skipped: 2, refused: 1 }]);
  });

  it('is refused while one is under way, and of a model nobody knows', async () => {
    world = await NotesWorld.hosting();
    await world.notesOfEveryKind();
    const { finished } = world.projections.rebuild('notes');
    expect(() => world.projections.rebuild('notes')).toThrow(expect.objectContaining({ code: 'parameter_conflict' }));
    expect(() => world.projections.rebuild('songs')).toThrow(expect.objectContaining({ code: 'resource_missing' }));
    await finished;
    await world.projections.rebuild('notes').finished;
  });

  it('cut short leaves the live rows alone and can be asked for again after the next start', async () => {
    world = await NotesWorld.hosting();
    await world.notesOfEveryKind();
    await world.projected();
    const live = JSON.stringify(await world.dump());
    const { finished } = world.projections.rebuild('notes');
    const outcome = finished.catch(() => 'cut short');
    world = await world.reopened();
    expect(await outcome).toBe('cut short');
    expect(JSON.stringify(await world.dump())).toBe(live);
    await world.host.onApplicationBootstrap();
    await world.projections.rebuild('notes').finished;
    expect(JSON.stringify(await world.dump())).toBe(live);
  });
});
