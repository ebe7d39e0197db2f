import type { ApiKey } from '@domain/project/api-key';
import { ApiKeysController } from './api-keys.controller.js';

const key: ApiKey = {
  id: 'key_1',
  name: 'backend',
  scopes: ['api'],
  prefix: 'sk_1',
  secretHash: 'hash',
  createdAt: 0,
  expiresAt: 10_000,
  ownExpiresAt: 10_000,
  revokedAt: null,
  successorId: null,
} as never;

describe('a list of API keys', () => {
  it.each([
    [9_999, 'active'],
    [10_000, 'expired'],
  ])('shows them by the time that they expire by: at %i the key is %s', async (now, status) => {
    const queries = { execute: () => Promise.resolve({ items: [{ key, lastUsedAt: null }], hasMore: false, nextCursor: null }) };
    const controller = new ApiKeysController({} as never, queries as never, {} as never, { now: () => now });
    const list = await controller.list({ params: { id: 'prj_1' }, query: {} } as never);
    expect(list).toMatchObject({ data: [{ id: 'key_1', status }] });
  });
});
