import type { ErrorCode } from '@domain/kernel/domain-error';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { statusOf } from '@domain/project/api-key';
import { projectDecider } from '@domain/project/project.decider';
import { SCOPES, type Scope } from '@domain/project/scope';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { FakeIds } from '@testing/fake-ids';
import { fakeSettings } from '@testing/fake-settings';
import { StreamCache } from '../streams/stream-cache.js';
import type { RequestContext } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { EventStoreApiKeys } from './api-keys.event-store.js';
import { KeyIssue } from './key-issue.js';
import { KeyUsage } from './key-usage.js';
import { ChangeProjectHandler, CreateProjectHandler, IssueApiKeyHandler, RotateApiKeyHandler } from './project.handlers.js';
import type { IssuedKey, ProjectChange } from './project.commands.js';
import { ProjectDirectory, projectStream } from './project-directory.js';
import { SecretMint } from './secret-mint.js';

const clock = new FakeClock();
const secrets = new NodeCryptoSecrets(new Uint8Array(32).fill(7));
const HOUR = 3_600_000;

/** A gateway; several may share a store. */
function gateway(store: FakeEventStore, records: FakeExpiringRecords, ids: FakeIds) {
  const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
  const directory = new ProjectDirectory(streams, clock, fakeSettings());
  const usage = new KeyUsage(records, clock);
  const mint = new SecretMint(ids, secrets, streams, clock);
  const issue = new KeyIssue(directory, mint, streams, clock, ids);
  let requests = 0;
  const context = (): RequestContext => {
    const commandId = ids.uuid();
    return {
      projectId: 'installation',
      requestId: `req_${++requests}`,
      idempotencyKey: null,
      startedAt: clock.now(),
      isRetry: false,
      commandId,
      idSeed: [commandId],
      envelope: ENVELOPE,
    };
  };
  const change = new ChangeProjectHandler(streams, clock);
  return {
    directory,
    usage,
    context,
    keys: new EventStoreApiKeys(directory, usage, streams, secrets, clock),
    create: (name: string) => new CreateProjectHandler(streams, clock, ids).execute({ context: context(), name } as never),
    change: (projectId: string, what: ProjectChange, from = context()) =>
      change.execute({ context: from, projectId, change: what } as never),
    issue: (projectId: string, expiresAt: number | null = null, scopes: readonly Scope[] = SCOPES, from = context()) =>
      new IssueApiKeyHandler(issue).execute({ context: from, projectId, terms: { name: 'key', scopes, expiresAt } } as never),
    rotate: (projectId: string, keyId: string, graceMs: number) =>
      new RotateApiKeyHandler(issue).execute({ context: context(), projectId, keyId, graceMs } as never),
  };
}

describe('API keys', () => {
  let store: FakeEventStore;
  let records: FakeExpiringRecords;
  let here: ReturnType<typeof gateway>;
  let there: ReturnType<typeof gateway>;
  let projectId: string;
  let issued: IssuedKey;

  beforeEach(async () => {
    store = new FakeEventStore();
    records = new FakeExpiringRecords(clock);
    here = gateway(store, records, new FakeIds(clock, 1));
    there = gateway(store, records, new FakeIds(clock, 2));
    projectId = (await here.create('default')).id;
    issued = await here.issue(projectId, null, ['agent']);
  });

  const refused = (secret: string | null, code: ErrorCode, who = here) =>
    expect(who.keys.authenticate(secret)).rejects.toMatchObject({ code });
  const revoke = () => here.change(projectId, { type: 'RevokeApiKey', keyId: issued.key.id });

  it('speak for their project with their scopes and what the project allows', async () => {
    expect(await here.keys.authenticate(issued.secret)).toEqual({
      projectId,
      keyId: issued.key.id,
      scopes: ['agent'],
      replyWindowMs: 30_000,
      rateLimits: { read: 100, write: 100, messages: 25 },
    });
  });

  it('are refused when missing, unknown or altered', async () => {
    await refused(null, 'api_key_missing');
    await refused('', 'api_key_missing');
    await refused('adm_something', 'api_key_invalid');
    await refused('sk_something', 'api_key_invalid');
    await refused(`${issued.secret}x`, 'api_key_invalid');
  });

  it('are told active or not without a use that counts', async () => {
    expect(await here.keys.isActive(issued.secret)).toBe(true);
    expect(await here.keys.isActive('sk_something')).toBe(false);
    await revoke();
    expect(await here.keys.isActive(issued.secret)).toBe(false);
    expect(await here.usage.lastUse(issued.key.id)).toBeNull();
    store.read = () => Promise.reject(new Error('out of reach'));
    await expect(there.keys.isActive(issued.secret)).rejects.toThrow('out of reach');
  });

  it('read nothing from the store within a second', async () => {
    await here.keys.authenticate(issued.secret);
    store.reads.length = 0;
    await clock.advance(999);
    await here.keys.authenticate(issued.secret);
    expect(store.reads).toEqual([]);
    await clock.advance(1);
    await Promise.all([1, 2, 3].map(() => here.keys.authenticate(issued.secret)));
    expect(store.reads).toEqual([projectStream(projectId)]);
  });

  it('end at once where they are revoked, and elsewhere within a second', async () => {
    await here.keys.authenticate(issued.secret);
    await there.keys.authenticate(issued.secret);
    await revoke();
    await refused(issued.secret, 'api_key_revoked');
    await clock.advance(1_000);
    await refused(issued.secret, 'api_key_revoked', there);
  });

  it('work elsewhere the moment they are issued', async () => {
    await there.keys.authenticate(issued.secret);
    const second = await here.issue(projectId);
    expect(await there.keys.authenticate(second.secret)).toMatchObject({ projectId });
  });

  it('end at their expiry, to the millisecond', async () => {
    const brief = await here.issue(projectId, clock.now() + HOUR);
    await clock.advance(HOUR - 1);
    await here.keys.authenticate(brief.secret);
    await clock.advance(1);
    await refused(brief.secret, 'api_key_expired');
  });

  it('overlap for the grace of a rotation', async () => {
    const successor = await here.rotate(projectId, issued.key.id, HOUR);
    await here.keys.authenticate(issued.secret);
    expect(await here.keys.authenticate(successor.secret)).toMatchObject({ scopes: ['agent'] });
    await clock.advance(HOUR);
    await refused(issued.secret, 'api_key_expired');
    await here.keys.authenticate(successor.secret);
  });

  it('follow a change of the project with the next request', async () => {
    await here.keys.authenticate(issued.secret);
    await here.change(projectId, { type: 'UpdateProject', changes: { replyWindowMs: 2_000, rateLimits: { messages: 0 } } });
    const caller = await here.keys.authenticate(issued.secret);
    expect(caller).toMatchObject({ replyWindowMs: 2_000, rateLimits: { read: 100, messages: 0 } });
    expect(await here.directory.settings(projectId)).toMatchObject({ replyWindowMs: 2_000 });
  });

  it('keep the name that the last of many changes gave them when the first one runs again', async () => {
    const { id: keyId } = issued.key;
    const context = here.context();
    const rename = (name: string, from = here.context()) =>
      here.change(projectId, { type: 'UpdateApiKey', keyId, changes: { name } }, from);
    await rename('first', context);
    for (let time = 0; time < 12; time++) await rename(`then ${time}`);
    expect((await rename('first', { ...context, isRetry: true })).keys.find(({ id }) => id === keyId)?.name).toBe('then 11');
  });

  it('are changed by a request that runs again when nothing came of it before', async () => {
    const { id: keyId } = issued.key;
    const lost = { ...here.context(), isRetry: true };
    const { keys } = await here.change(projectId, { type: 'UpdateApiKey', keyId, changes: { name: 'renamed' } }, lost);
    expect(keys.find(({ id }) => id === keyId)?.name).toBe('renamed');
  });

  it('issued again by a repeated request have one secret, the one told last', async () => {
    const context = here.context();
    const untold = await here.issue(projectId, null, SCOPES, context);
    const told = await here.issue(projectId, null, SCOPES, context);
    expect(told.key.id).toBe(untold.key.id);
    await here.keys.authenticate(told.secret);
    await refused(untold.secret, 'api_key_invalid');
  });

  it('leave their secret nowhere', async () => {
    await here.keys.authenticate(issued.secret);
    const everything = JSON.stringify([store.log, [...records.all]]);
    expect(everything).not.toContain(issued.secret.slice(7));
  });

  it('tell when they were last used, to the minute', async () => {
    await here.keys.authenticate(issued.secret);
    const first = clock.now();
    await clock.advance(59_000);
    await here.keys.authenticate(issued.secret);
    expect(await there.usage.lastUse(issued.key.id)).toBe(first);
    await clock.advance(1_000);
    await here.keys.authenticate(issued.secret);
    expect(await here.usage.lastUse(issued.key.id)).toBe(clock.now());
    expect(await there.usage.lastUse(issued.key.id)).toBe(clock.now());
    expect(await here.usage.lastUse('key_other')).toBeNull();
  });

  it('are at most fifty, and a refused one leaves nothing behind', async () => {
    for (let count = 1; count < 50; count++) await here.issue(projectId);
    const before = store.log.length;
    await expect(here.issue(projectId)).rejects.toMatchObject({ code: 'limit_exceeded' });
    expect(store.log).toHaveLength(before);
    const { state } = await new StreamRunner(store, new StreamCache(store), clock, new FakeIds()).load(
      projectStream(projectId),
      projectDecider,
    );
    expect(state.keys.filter((key) => statusOf(key, clock.now()) === 'active')).toHaveLength(50);
  });
});
