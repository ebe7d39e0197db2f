import { readFilter, timeRange } from './list-query.js';

const FILTERS = { created_at: timeRange('When it was created.', 'createdAt') };
const ROW = Date.parse('2026-03-01T09:00:10.564Z');

function finds(operator: string, time: string): boolean {
  const [[condition] = []] = readFilter({ created_at: { [operator]: time } }, FILTERS);
  const value = condition?.value as number;
  return { gte: ROW >= value, gt: ROW > value, lte: ROW <= value, lt: ROW < value }[condition?.op as 'gte'];
}

describe('a row of a certain millisecond', () => {
  it.each([
    ['2026-03-01T09:00:10.5639999Z', ['gte', 'gt']],
    ['2026-03-01T09:00:10.564Z', ['gte', 'lte']],
    ['2026-03-01T09:00:10.564000Z', ['gte', 'lte']],
    ['2026-03-01T09:00:10.5640001Z', ['lte', 'lt']],
    ['2026-03-01T10:00:10.5649+01:00', ['lte', 'lt']],
    ['2026-03-01T09:00:10.565Z', ['lte', 'lt']],
  ])('lies as it should to %s', (time, operators) => {
    expect(['gte', 'gt', 'lte', 'lt'].filter((operator) => finds(operator, time))).toEqual(operators);
  });
});
