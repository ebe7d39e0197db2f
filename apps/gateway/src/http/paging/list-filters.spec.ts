import { emailIs, idOf, oneOf, phoneIs, readFilter, readFlag, severalOf, timeRange } from './list-filters.js';

const FILTERS = { created_at: timeRange('Only those created', 'createdAt') };
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

describe('a list', () => {
  const filters = {
    phone: phoneIs('phone'),
    email: emailIs('email'),
    status: severalOf('Any of these.', 'status', ['pending', 'confirmed']),
    customer_id: idOf('customer', 'Whose.', 'customerId'),
    role: oneOf('Who said it.', 'role', ['user', 'assistant']),
    ...FILTERS,
  };
  const found = (query: object) => readFilter(query as Record<string, unknown>, filters).flat();

  it('is narrowed by a phone number whose plus sign has become a space', () => {
    expect(found({ phone: ' 4915112345678' })).toEqual([{ field: 'phone', op: 'eq', value: '+4915112345678' }]);
  });

  it('is narrowed by an e-mail address however its letters are written', () => {
    expect(found({ email: 'Ada@Example.COM' })).toEqual([{ field: 'email', op: 'eq', value: 'ada@example.com' }]);
  });

  it.each(['cust_01JT0000000000000000000000', 'cust_of_nobody'])('is narrowed by the id %s', (value) => {
    expect(found({ customer_id: value })).toEqual([{ field: 'customerId', op: 'eq', value }]);
  });

  it('is narrowed by several bounds at once', () => {
    const bounds = found({ created_at: { gte: '2026-03-01T00:00:00Z', lt: '2026-03-02T00:00:00Z' } });
    expect(bounds.map(({ op }) => op)).toEqual(['gte', 'lt']);
  });

  it.each([
    { status: 'pending,gone' },
    { status: ['pending', 'confirmed'] },
    { role: 'nobody' },
    { customer_id: 'conv_01JT0000000000000000000000' },
    { customer_id: 'Ada' },
    { customer_id: '' },
    { created_at: { gte: '2026-03-01T00:00:00Z', lt: 'soon' } },
    { created_at: '2026-03-01T00:00:00Z' },
  ])('is not narrowed by %j', (query) => {
    const [param] = Object.keys(query);
    expect(() => found(query)).toThrow(expect.objectContaining({ code: 'parameter_invalid', details: { param } }));
  });

  it('may be asked yes or no, which are true and false', () => {
    const said = [undefined, 'true', 'false'].map((value) => readFlag({ total: value }, 'total'));
    expect(said).toEqual([false, true, false]);
    expect(() => readFlag({ total: '' }, 'total')).toThrow(expect.objectContaining({ code: 'parameter_invalid' }));
  });
});
