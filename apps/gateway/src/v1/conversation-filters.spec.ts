import type { Condition } from '@ports/read-models.port';
import { readFilter } from '../http/paging/list-filters.js';
import { CONVERSATION_FILTERS, withIdleEnds } from './conversation-filters.js';

const NOW = 1_000_000;
const rows = [
  { name: 'fresh', status: 'active', idleSince: NOW + 1, customerId: 'cust_c' },
  { name: 'idled out at this very instant', status: 'active', idleSince: NOW, customerId: 'cust_c' },
  { name: 'idled out long ago', status: 'active', idleSince: 0, customerId: 'cust_d' },
  { name: 'busy', status: 'active', idleSince: null, customerId: 'cust_c' },
  { name: 'handed off', status: 'handed_off', idleSince: null, customerId: 'cust_c' },
  { name: 'ended', status: 'ended', idleSince: null, customerId: 'cust_c' },
] as const;

function meets(row: Record<string, unknown>, { field, op, value }: Condition): boolean {
  const found = row[field];
  if (op === 'eq') return found === value;
  if (typeof found !== 'number' || typeof value !== 'number') return false;
  return op === 'gt' ? found > value : op === 'lte' && found <= value;
}

function listed(query: Record<string, string>): readonly string[] {
  const filter = withIdleEnds(readFilter(query, CONVERSATION_FILTERS), NOW);
  const passes = (row: (typeof rows)[number]) => filter.length === 0 || filter.some((all) => all.every((one) => meets(row, one)));
  return rows.filter(passes).map(({ name }) => name);
}

describe('conversations by status', () => {
  it('count as ended from the instant idling is over', () => {
    expect(listed({ status: 'active' })).toEqual(['fresh', 'busy']);
    expect(listed({ status: 'ended' })).toEqual(['idled out at this very instant', 'idled out long ago', 'ended']);
    expect(listed({ status: 'handed_off' })).toEqual(['handed off']);
  });

  it('are narrowed by other filters as well', () => {
    expect(listed({ status: 'ended', customer_id: 'cust_d' })).toEqual(['idled out long ago']);
    expect(listed({ customer_id: 'cust_d' })).toEqual(['idled out long ago']);
  });

  it('are all of them when nothing is asked', () => expect(listed({})).toHaveLength(rows.length));
});
