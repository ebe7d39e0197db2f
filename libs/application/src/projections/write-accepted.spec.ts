import fc from 'fast-check';
import { START } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';
import { settle } from '@testing/fake-clock';
import { writeAccepted } from './write-accepted.js';

const rowOf = (id: string) => ({ id }) as StoredRow;
const idsOf = (rows: readonly StoredRow[]) => rows.map(({ id }) => id);

describe('rows among which the store refuses some', () => {
  it('law: are stored, all others, by the time that each of those has been told of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (taken) => {
        const rows = taken.map((_, index) => rowOf(String(index)));
        const isTaken = ({ id }: StoredRow) => taken[Number(id)] === true;
        const stored: StoredRow[] = [];
        const refused: StoredRow[] = [];
        const apply = async (part: readonly StoredRow[]) => {
          await settle();
          if (!part.every(isTaken)) throw new RowsRefused('too large');
          stored.push(...part);
        };
        await writeAccepted(rows, START, apply, (row) => void refused.push(row));
        expect(idsOf(stored)).toEqual(idsOf(rows.filter(isTaken)));
        expect(idsOf(refused)).toEqual(idsOf(rows.filter((row) => !isTaken(row))));
      }),
      { numRuns: 60 },
    );
  });
});
