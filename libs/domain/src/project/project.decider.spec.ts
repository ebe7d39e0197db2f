import { specFor } from '@testing/decider-spec';
import { createdKey, MAX_LIVE_KEYS } from './api-key.js';
import { projectDecider } from './project.decider.js';
import type { ApiKeyCreated, ProjectEvent } from './project.events.js';

const { given } = specFor(projectDecider);
const DAY = 86_400_000;

const created: ProjectEvent = { type: 'ProjectCreated', at: 1_000, projectId: 'prj_1', name: 'default' };
const fingerprint = { secretHash: 'hash', prefix: 'sk_abcd' };
const fresh = { secretHash: 'fresh', prefix: 'sk_efgh' };

function key(keyId: string, more: Partial<ApiKeyCreated> = {}): ApiKeyCreated {
  return { type: 'ApiKeyCreated', at: 2_000, keyId, name: keyId, scopes: ['agent'], expiresAt: null, ...fingerprint, ...more };
}
const fifty = Array.from({ length: MAX_LIVE_KEYS }, (_, index) => key(`key_${index}`));
const issue = (keyId: string, at = 5_000, expiresAt: number | null = null) =>
  ({ type: 'IssueApiKey', at, terms: { keyId, name: keyId, scopes: ['agent'], expiresAt }, fingerprint }) as const;
const rotate = (keyId: string, at = 5_000, graceMs = DAY) =>
  ({ type: 'RotateApiKey', at, keyId, graceMs, successorId: 'key_new', fingerprint: fresh }) as const;

describe('a project', () => {
  const create = { type: 'CreateProject', at: 1_000, projectId: 'prj_1', name: 'default' } as const;

  it('is created once', () => {
    given().when(create).then(created);
    given(created).when(create).thenNothing();
  });

  it('is unknown before', () =>
    given()
      .when({ type: 'UpdateProject', commandId: 'cmd', at: 1, changes: { name: 'x' } })
      .thenRejects('resource_missing', { param: 'id' }));

  it('records only what changes', () => {
    const changes = { name: 'default', replyWindowMs: 5_000, rateLimits: { read: 10 } };
    given(created)
      .when({ type: 'UpdateProject', commandId: 'cmd', at: 2_000, changes })
      .then({
        type: 'ProjectUpdated',
        at: 2_000,
        changes: { replyWindowMs: 5_000, rateLimits: { read: 10 } },
        commandId: 'cmd',
      });
    given(created)
      .when(
        { type: 'UpdateProject', commandId: 'first', at: 2_000, changes },
        { type: 'UpdateProject', commandId: 'second', at: 3_000, changes },
      )
      .thenState({ replyWindowMs: 5_000, rateLimits: { read: 10 }, updatedAt: 2_000 });
  });

  it('sets each rate limit by itself and can follow the operator again', () =>
    given(created)
      .when(
        { type: 'UpdateProject', commandId: 'first', at: 2_000, changes: { rateLimits: { read: 0, write: 7 } } },
        {
          type: 'UpdateProject',
          commandId: 'second',
          at: 3_000,
          changes: { rateLimits: { write: null }, instructions: 'Be kind.' },
        },
        { type: 'UpdateProject', commandId: 'third', at: 4_000, changes: { instructions: null } },
      )
      .thenState({ rateLimits: { read: 0, write: null }, instructions: null }));

  it('never goes back in time', () =>
    given(created)
      .when({ type: 'UpdateProject', commandId: 'cmd', at: 10, changes: { name: 'x' } })
      .then({ type: 'ProjectUpdated', at: 1_000, changes: { name: 'x' }, commandId: 'cmd' }));

  it('drops a change that comes again after another one', () => {
    const rename = (commandId: string, name: string) =>
      ({ type: 'UpdateProject', commandId, at: 2_000, changes: { name } }) as const;
    given(created)
      .when(rename('first', 'shop'), rename('second', 'practice'), rename('first', 'shop'))
      .thenState({ name: 'practice' });
  });
});

describe('an API key', () => {
  it('is issued with its terms and the fingerprint of its secret', () =>
    given(created)
      .when(issue('key_1'))
      .then(key('key_1', { at: 5_000 })));

  it('issued again with the same secret changes nothing', () => given(created, key('key_1')).when(issue('key_1')).thenNothing());

  it('issued again with another secret replaces the one nobody was told', () =>
    given(created, key('key_1'))
      .when({ ...issue('key_1'), fingerprint: fresh })
      .then({ type: 'ApiKeySecretReplaced', at: 5_000, keyId: 'key_1', ...fresh }));

  it('is refused as the 51st live one', () =>
    given(created, ...fifty)
      .when(issue('key_more'))
      .thenRejects('limit_exceeded'));

  it('finds room once another is revoked or expired', () => {
    const room = key('key_more', { at: 5_000 });
    given(created, ...fifty, { type: 'ApiKeyRevoked', at: 3_000, keyId: 'key_7' })
      .when(issue('key_more'))
      .then(room);
    given(created, ...fifty.slice(1), key('key_0', { expiresAt: 5_000 }))
      .when(issue('key_more'))
      .then(room);
  });

  it('is revoked once and for good', () => {
    const revoke = { type: 'RevokeApiKey', at: 5_000, keyId: 'key_1' } as const;
    const revoked: ProjectEvent = { type: 'ApiKeyRevoked', at: 5_000, keyId: 'key_1' };
    given(created, key('key_1')).when(revoke).then(revoked);
    given(created, key('key_1'), revoked).when(revoke).thenNothing();
    given(created, key('key_1'), revoked).when(rotate('key_1')).thenRejects('resource_missing');
    given(created, key('key_1'), revoked)
      .when({ type: 'UpdateApiKey', commandId: 'cmd', at: 6_000, keyId: 'key_1', changes: { expiresAt: null } })
      .thenRejects('resource_missing');
    given(created).when(revoke).thenRejects('resource_missing');
  });

  it('changes its name, scopes and expiry', () => {
    const changes = { name: 'phone', scopes: ['events:read'], expiresAt: 9_000 } as const;
    given(created, key('key_1'))
      .when({ type: 'UpdateApiKey', commandId: 'cmd', at: 6_000, keyId: 'key_1', changes })
      .then({ type: 'ApiKeyUpdated', at: 6_000, keyId: 'key_1', changes, commandId: 'cmd' });
    given(created, key('key_1'))
      .when({ type: 'UpdateApiKey', commandId: 'cmd', at: 6_000, keyId: 'key_1', changes: { name: 'key_1', scopes: ['agent'] } })
      .thenNothing();
  });

  it('drops a change that comes again after another one', () => {
    const expire = (commandId: string, expiresAt: number | null) =>
      ({ type: 'UpdateApiKey', commandId, at: 6_000, keyId: 'key_1', changes: { expiresAt } }) as const;
    given(created, key('key_1', { expiresAt: 9_000 }))
      .when(expire('first', null), expire('second', 7_000), expire('first', null))
      .thenState({ keys: [expect.objectContaining({ expiresAt: 7_000 }) as never] });
  });

  it('cannot come back as the 51st by a later expiry', () =>
    given(created, ...fifty, key('key_old', { expiresAt: 3_000 }))
      .when({ type: 'UpdateApiKey', commandId: 'cmd', at: 6_000, keyId: 'key_old', changes: { expiresAt: null } })
      .thenRejects('limit_exceeded'));
});

describe('a rotation', () => {
  it('creates a successor of the same terms and lets the old key end after the grace', () =>
    given(created, key('key_1', { scopes: ['events:read'] }))
      .when(rotate('key_1'))
      .then(key('key_new', { at: 5_000, name: 'key_1', scopes: ['events:read'], ...fresh }), {
        type: 'ApiKeyRotated',
        at: 5_000,
        keyId: 'key_1',
        successorId: 'key_new',
        expiresAt: 5_000 + DAY,
      }));

  it('without grace ends the old key at once, also where the clock was set back since the last change', () =>
    given(created, key('key_1', { at: 5_000 + DAY }))
      .when(rotate('key_1', 5_000, 0))
      .then(key('key_new', { at: 5_000 + DAY, name: 'key_1', ...fresh }), {
        type: 'ApiKeyRotated',
        at: 5_000 + DAY,
        keyId: 'key_1',
        successorId: 'key_new',
        expiresAt: 5_000,
      }));

  it('of a key in its grace is granted as long as the key opens, also where the clock was set back since the last change', () =>
    given(created, key('key_1', { at: 5_000 + 2 * DAY }))
      .when(rotate('key_1'), { ...rotate('key_1', 6_000), successorId: 'key_newer' })
      .thenState({ keys: ['key_1', 'key_new', 'key_newer'].map((id) => expect.objectContaining({ id }) as never) }));

  it('never lengthens a life', () =>
    given(created, key('key_1', { expiresAt: 6_000 }))
      .when(rotate('key_1'))
      .then(key('key_new', { at: 5_000, name: 'key_1', expiresAt: 6_000, ...fresh }), {
        type: 'ApiKeyRotated',
        at: 5_000,
        keyId: 'key_1',
        successorId: 'key_new',
        expiresAt: 6_000,
      }));

  it('works in a full project, since the old key makes room', () =>
    given(created, ...fifty)
      .when(rotate('key_3'))
      .thenState({ lastEventAt: 5_000 }));

  it('of a key that gave way before needs room of its own', () =>
    given(created, ...fifty)
      .when(rotate('key_3'), { ...rotate('key_3'), successorId: 'key_newer' })
      .thenRejects('limit_exceeded'));

  describe('while fifty rotated keys are in their grace', () => {
    const rotated = fifty.flatMap(({ keyId }): ProjectEvent[] => [
      key(`${keyId}_next`),
      { type: 'ApiKeyRotated', at: 5_000, keyId, successorId: `${keyId}_next`, expiresAt: 5_000 + DAY },
    ]);
    it('is refused, but for one without grace', () => {
      given(created, ...fifty, ...rotated)
        .when(rotate('key_3_next'))
        .thenRejects('limit_exceeded');
      given(created, ...fifty, ...rotated)
        .when(rotate('key_3_next', 5_000, 0))
        .thenState({ lastEventAt: 5_000 });
    });
    it('is granted to one of them, where there is room for its successor', () =>
      given(created, ...fifty, ...rotated, { type: 'ApiKeyRevoked', at: 5_000, keyId: 'key_7_next' })
        .when(rotate('key_3'))
        .thenState({ lastEventAt: 5_000 }));
    it('is granted once one of them is revoked, or its grace is over', () => {
      given(created, ...fifty, ...rotated, { type: 'ApiKeyRevoked', at: 5_000, keyId: 'key_7' })
        .when(rotate('key_3_next'))
        .thenState({ lastEventAt: 5_000 });
      given(created, ...fifty, ...rotated)
        .when(rotate('key_3_next', 5_000 + DAY))
        .thenState({ lastEventAt: 5_000 + DAY });
    });
  });

  it('leaves a key in its grace that takes up no room, unless it is given a later expiry', () => {
    const inGrace = [created, ...fifty.slice(1)] as const;
    const stays = { type: 'UpdateApiKey', commandId: 'cmd', at: 6_000, keyId: 'key_3', changes: { expiresAt: null } } as const;
    given(...inGrace)
      .when(rotate('key_3'), { ...issue('key_more'), at: 6_000 })
      .thenState({ lastEventAt: 6_000 });
    given(...inGrace)
      .when(rotate('key_3'), stays, issue('key_more'))
      .thenRejects('limit_exceeded');
    given(created, ...fifty)
      .when(rotate('key_3'), { ...stays, changes: { name: 'phone' } })
      .thenState({ lastEventAt: 6_000 });
  });

  it('hands on the limit of a key that is in its grace', () => {
    const second = { ...rotate('key_1', 6_000, 10_000), successorId: 'key_newer' };
    given(created, key('key_1', { expiresAt: 2 * DAY }))
      .when(rotate('key_1', 5_000, 60_000), second)
      .then(
        key('key_new', { at: 5_000, name: 'key_1', expiresAt: 2 * DAY, ...fresh }),
        { type: 'ApiKeyRotated', at: 5_000, keyId: 'key_1', successorId: 'key_new', expiresAt: 65_000 },
        key('key_newer', { at: 6_000, name: 'key_1', expiresAt: 2 * DAY, ...fresh }),
        { type: 'ApiKeyRotated', at: 6_000, keyId: 'key_1', successorId: 'key_newer', expiresAt: 16_000 },
      );
  });

  it('hands on a limit that was set later', () =>
    given(created, key('key_1'), { type: 'ApiKeyUpdated', at: 3_000, keyId: 'key_1', changes: { expiresAt: 9_000 } })
      .when(rotate('key_1'))
      .then(key('key_new', { at: 5_000, name: 'key_1', expiresAt: 9_000, ...fresh }), {
        type: 'ApiKeyRotated',
        at: 5_000,
        keyId: 'key_1',
        successorId: 'key_new',
        expiresAt: 9_000,
      }));

  it('of a key that has expired is refused', () => {
    given(created, key('key_1', { expiresAt: 5_000 }))
      .when(rotate('key_1'))
      .thenRejects('parameter_invalid', { param: 'id' });
    given(created, key('key_1'))
      .when(rotate('key_1', 5_000, 0), { ...rotate('key_1', 6_000), successorId: 'key_newer' })
      .thenRejects('parameter_invalid', { param: 'id' });
  });

  it('that runs again replaces the secret nobody was told and leaves the old key alone', () =>
    given(created, key('key_1'))
      .when(rotate('key_1'), { ...rotate('key_1', 6_000), fingerprint: { secretHash: 'again', prefix: 'sk_again' } })
      .then(
        key('key_new', { at: 5_000, name: 'key_1', ...fresh }),
        { type: 'ApiKeyRotated', at: 5_000, keyId: 'key_1', successorId: 'key_new', expiresAt: 5_000 + DAY },
        { type: 'ApiKeySecretReplaced', at: 6_000, keyId: 'key_new', secretHash: 'again', prefix: 'sk_again' },
      ));
});

it('what happens to a key is folded without a look at the many that were issued before it', () => {
  let looks = 0;
  const issued = Array.from({ length: 1_000 }, (_, n) => ({ ...createdKey(key(`key_${n}`)) }));
  for (const [n, old] of issued.entries()) Object.defineProperty(old, 'id', { get: () => `key_${(looks++, n)}` });
  const before = projectDecider.evolve({ ...projectDecider.initial, keys: issued }, key('key_last'));
  const after = projectDecider.evolve(before, { type: 'ApiKeyRevoked', at: 3_000, keyId: 'key_last' });
  expect([after.keys.length, after.keys.at(-1)?.revokedAt, looks]).toEqual([1_001, 3_000, 0]);
});
