import { StoreDamaged, StoreUnavailable } from '@ports/event-store.port';
import type { Database } from './database.js';
import { StoreReader } from './store-reader.js';
import { RESULT_CODES } from './writer/store-trouble.js';

const DRIVER = { code: 'ERR_SQLITE_ERROR' };
const AWAY = [3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 22];
const DAMAGED = [11, 26];
/** SQLite's other primary codes: a bad statement, bad values, or a conflict. */
const MISTAKES = [1, 2, 4, 12, 16, 17, 18, 19, 20, 21, 23, 24, 25, 27];

let reasons: string[];
beforeEach(() => (reasons = []));

function readFailingWith(failure: object): unknown {
  const fail = (): never => {
    throw Object.assign(new Error(), DRIVER, failure);
  };
  const db = { prepare: () => ({ get: fail, all: fail, run: fail }) } as unknown as Database;
  const statement = new StoreReader(db, (reason) => reasons.push(reason)).prepare('SELECT 1');
  const outcomes = (['get', 'all', 'run'] as const).map((name) => {
    try {
      return statement[name]();
    } catch (error) {
      return error;
    }
  });
  expect(new Set(outcomes.map((outcome) => (outcome as Error).constructor)).size).toBe(1);
  return outcomes[0];
}

describe('a read that fails', () => {
  it.each(AWAY)('because the disk or the system does not do it is to be asked again: code %i', (errcode) => {
    for (const extended of [errcode, errcode | (4 << 8)]) {
      expect(readFailingWith({ errcode: extended })).toBeInstanceOf(StoreUnavailable);
    }
    expect(reasons).toEqual([]);
  });

  it.each(DAMAGED)('because the file is damaged is told, and not to be asked again: code %i', (errcode) => {
    expect(readFailingWith({ errcode, message: 'malformed' })).toBeInstanceOf(StoreDamaged);
    expect(reasons).toContain('malformed');
  });

  it.each(MISTAKES)('for any other reason fails as it is: code %i', (errcode) => {
    expect(readFailingWith({ errcode })).toMatchObject({ errcode });
    expect(reasons).toEqual([]);
  });

  it('is known by what SQLite says where the driver gives no code', () => {
    for (const { code, text } of RESULT_CODES) {
      expect(readFailingWith({ message: text })).toBeInstanceOf(DAMAGED.includes(code) ? StoreDamaged : StoreUnavailable);
    }
    expect(readFailingWith({ message: 'no such table: notes' })).not.toBeInstanceOf(StoreUnavailable);
  });
});
