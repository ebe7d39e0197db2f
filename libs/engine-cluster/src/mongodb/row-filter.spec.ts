import type { CollectionSchema, Condition, PageQuery } from '@ports/read-models.port';
import { dueFilter, expressionOf, rowFilter } from './row-filter.js';

const schema: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status', 'phone'], dueFields: ['dueAt'] };
const query: PageQuery = { projectId: 'p', filter: [], order: 'desc', limit: 20 };
const scope = { projectId: { $eq: 'p' }, deleted: { $eq: false } };
const filterOf = (...filter: Condition[][]) => rowFilter(schema, { ...query, filter });

describe('the filter of a page', () => {
  it('has the rows of one project that are not deleted', () => expect(filterOf()).toEqual({ $and: [scope] }));

  it('has the deleted rows too when asked for', () =>
    expect(rowFilter(schema, { ...query, includeDeleted: true })).toEqual({
      $and: [{ projectId: { $eq: 'p' }, deleted: { $in: [false, true] } }],
    }));

  it('is one range of keys for each alternative', () => {
    const after = { createdAt: 5, sortId: 's' };
    const beyond = { createdAt: { $lte: 5 }, $nor: [{ createdAt: { $eq: 5 }, sortId: { $gte: 's' } }] };
    const filter: PageQuery['filter'] = [
      [{ field: 'status', op: 'eq', value: 'a' }],
      [{ field: 'createdAt', op: 'gt', value: 3 }],
    ];
    expect(rowFilter(schema, { ...query, filter, after })).toEqual({
      $or: [{ $and: [scope, beyond, { 'f.status': { $eq: 'a' } }] }, { $and: [scope, beyond, { createdAt: { $gt: 3 } }] }],
    });
  });

  it('takes an operator in a value for text', () =>
    expect(filterOf([{ field: 'status', op: 'eq', value: '$ne' }])).toEqual({
      $or: [{ $and: [scope, { 'f.status': { $eq: '$ne' } }] }],
    }));

  it.each([
    ['+49', { $gte: '+49', $lt: '+4:' }],
    ['\u{10ffff}', { $gte: '\u{10ffff}' }],
    ['', { $gte: '' }],
  ])('finds what begins with %j as a range', (value, range) =>
    expect(filterOf([{ field: 'phone', op: 'prefix', value }])).toEqual({ $or: [{ $and: [scope, { 'f.phone': range }] }] }),
  );

  it('names a field that there is not', () => {
    expect(() => filterOf([{ field: 'title', op: 'eq', value: 'x' }])).toThrow('title');
    expect(() => dueFilter(schema, 'status', 1)).toThrow('status');
  });
});

describe('a condition as an expression', () => {
  it('compares values of one kind, as a filter does', () =>
    expect(JSON.stringify(expressionOf(schema, { field: 'status', op: 'lte', value: 'x' }))).toContain('"$type"'));

  it('takes its value as it is', () =>
    expect(expressionOf(schema, { field: 'status', op: 'eq', value: '$$ROOT' })).toEqual({
      $eq: ['$f.status', { $literal: '$$ROOT' }],
    }));
});

describe('what is due', () => {
  it('goes on beyond a key', () =>
    expect(dueFilter(schema, 'dueAt', 9, { value: 5, id: 'a' })).toEqual({
      deleted: { $eq: false },
      'f.dueAt': { $type: 'number', $lte: 9, $gte: 5 },
      $or: [{ 'f.dueAt': { $gt: 5 } }, { _id: { $gt: 'a' } }],
    }));
});
