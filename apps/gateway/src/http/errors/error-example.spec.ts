import type { ErrorCode } from '@domain/kernel/domain-error';
import { ERROR_CATALOGUE, catalogueEntry } from './error-catalogue.js';
import { errorExample } from './error-example.js';

describe('the example of an error', () => {
  it.each(Object.keys(ERROR_CATALOGUE) as ErrorCode[])('has every member that its cause speaks of: %s', (code) => {
    const { cause } = catalogueEntry(code);
    const members = [...cause.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, name]) => name);
    expect(Object.keys(errorExample(code, { scope: 'events:read' }).error)).toEqual(expect.arrayContaining(members));
  });

  it('is a sentence without marks', () => {
    expect(errorExample('external_id_taken', { scope: 'events:read' })).toMatchObject({
      error: {
        message: 'A live conversation already has this external_id; existing_id names it.',
        existing_id: expect.stringMatching(/^conv_/) as unknown,
      },
    });
  });

  it('names a parameter of a route that has only those', () => {
    const filters = { window: { kind: 'text', schema: {}, description: 'How far back.', read: () => [] } } as const;
    expect(errorExample('parameter_invalid', { scope: 'webhooks:read', filters }).error).toMatchObject({ param: 'window' });
  });

  it('names the scope that the route asks for', () => {
    expect(errorExample('insufficient_scope', { scope: 'events:read' }).error).toMatchObject({ required_scope: 'events:read' });
  });
});
