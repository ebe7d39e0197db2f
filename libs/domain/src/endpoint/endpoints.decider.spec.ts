import { specFor } from '@testing/decider-spec';
import { fold } from '../kernel/decider.js';
import { endpointOf, previousSecretUntil, secretOf, signingSecrets, wanting } from './endpoint.js';
import { MAX_ENDPOINTS, endpointsDecider } from './endpoints.decider.js';
import type { EndpointDetails, EndpointEvent } from './endpoint.events.js';
import { isEventFilter, matches } from './event-filter.js';

const { given } = specFor(endpointsDecider);

const details: EndpointDetails = {
  url: 'https://a.example/hooks',
  filters: [],
  description: null,
  sealedHeaders: {},
  metadata: '{}',
  disableOnGone: false,
  rateLimitPerSecond: null,
};
const registered = (endpointId = 'we_1', filters: readonly string[] = []): EndpointEvent => ({
  type: 'EndpointRegistered',
  at: 10,
  endpointId,
  projectId: 'prj_1',
  secret: 'sealed-1',
  secretHint: '…gISIj',
  ...details,
  filters,
});
const register = (endpointId = 'we_1', filters: readonly string[] = []) =>
  ({
    type: 'RegisterEndpoint',
    at: 10,
    endpointId,
    projectId: 'prj_1',
    secret: 'sealed-1',
    secretHint: '…gISIj',
    details: { ...details, filters },
  }) as const;
const update = (changes: object, commandId = 'cmd') =>
  ({ type: 'UpdateEndpoint', at: 20, endpointId: 'we_1', commandId, changes }) as const;
const updated = (changes: object, commandId = 'cmd'): EndpointEvent => ({
  type: 'EndpointUpdated',
  at: 20,
  endpointId: 'we_1',
  changes,
  commandId,
});
const rotate = {
  type: 'RotateEndpointSecret',
  at: 20,
  endpointId: 'we_1',
  rotationId: 'r1',
  secret: 's2',
  secretHint: '…2',
  graceMs: 80,
} as const;
const rotated = (rotationId: string, secret: string, at: number, previousUntil: number) =>
  ({
    type: 'EndpointSecretRotated',
    at,
    endpointId: 'we_1',
    rotationId,
    secret,
    secretHint: '…2',
    previousUntil,
  }) satisfies EndpointEvent;
const remove = { type: 'DeleteEndpoint', at: 30, endpointId: 'we_1' } as const;
const deleted: EndpointEvent = { type: 'EndpointDeleted', at: 30, endpointId: 'we_1' };

describe('webhook endpoints', () => {
  it('are registered once', () => {
    given().when(register()).then(registered());
    given(registered()).when(register()).thenNothing();
  });
  it('are fifty at most, deleted ones not counted', () => {
    const all = Array.from({ length: MAX_ENDPOINTS }, (_, index) => registered(`we_${index}`));
    given(...all)
      .when(register('we_new'))
      .thenRejects('limit_exceeded');
    given(...all, deleted)
      .when(register('we_new'))
      .then({ ...registered('we_new'), at: 30 });
  });
  it('are refused with a filter nobody could match', () => {
    given()
      .when(register('we_1', ['appointment.*', 'Appointment.created']))
      .thenRejects('event_filter_invalid', { param: 'event_filters' });
    given(registered())
      .when(update({ filters: ['a..b'] }))
      .thenRejects('event_filter_invalid');
  });
  it('change only what differs', () => {
    given(registered())
      .when(update({ url: 'https://b.example', filters: [], status: 'disabled' }))
      .then(updated({ url: 'https://b.example', status: 'disabled' }));
    given(registered())
      .when(update({ status: 'enabled', sealedHeaders: {} }))
      .thenNothing();
  });
  it('drop a change that comes again after another one', () => {
    const past = [registered(), updated({ status: 'disabled' }, 'first'), updated({ status: 'enabled' }, 'second')] as const;
    given(...past)
      .when(update({ status: 'disabled' }, 'first'))
      .thenNothing();
    given(...past)
      .when(update({ status: 'disabled' }, 'third'))
      .then(updated({ status: 'disabled' }, 'third'));
  });
  it('have a place of their own in lists, though others are deleted', () => {
    const state = fold(endpointsDecider, [
      registered('we_1'),
      registered('we_2'),
      deleted,
      registered('we_3'),
      registered('we_4'),
    ]);
    expect(state.endpoints.map(({ id, ordinal }) => [id, ordinal])).toEqual([
      ['we_2', 1],
      ['we_3', 2],
      ['we_4', 3],
    ]);
  });
  it('are gone once deleted', () => {
    given(registered()).when(remove).then(deleted);
    given(registered(), deleted).thenState({ endpoints: [] });
    for (const command of [remove, rotate, update({})])
      given(registered(), deleted).when(command).thenRejects('resource_missing', { param: 'id' });
  });
  it('rotate their secret once for one request, also when another came in between', () => {
    given(registered(), rotated('r1', 's2', 20, 100), rotated('r2', 's3', 21, 100))
      .when(rotate)
      .thenNothing();
    given(registered())
      .when(rotate)
      .then({ ...rotated('r1', 's2', 20, 100), rotatedAt: 20 });
    given(registered(), rotated('r1', 's2', 20, 100))
      .when(rotate)
      .thenNothing();
  });
});

describe('a webhook endpoint whose receiver is gone', () => {
  const { url } = details;
  const gone = { type: 'DisableGoneEndpoint', at: 25, endpointId: 'we_1', url, disablings: 0 } as const;
  const disabled: EndpointEvent = {
    type: 'EndpointUpdated',
    at: 25,
    endpointId: 'we_1',
    changes: { status: 'disabled', disabledReason: 'gone' },
  };
  const willing: EndpointEvent = updated({ disableOnGone: true });

  it('is disabled, if that was asked for', () => {
    given(registered(), willing).when(gone).then(disabled);
    given(registered()).when(gone).thenNothing();
    given(registered(), willing, updated({ disableOnGone: false }))
      .when(gone)
      .thenNothing();
  });
  it('is left alone by an attempt from before it was disabled, moved or deleted', () => {
    given(registered(), willing, disabled).when(gone).thenNothing();
    given(registered(), willing, disabled, updated({ status: 'enabled' }))
      .when(gone)
      .thenNothing();
    given(registered(), willing, updated({ url: 'https://b.example' }))
      .when(gone)
      .thenNothing();
    given(registered(), willing, deleted).when(gone).thenNothing();
  });
  it('shows why it is disabled until it is enabled again', () => {
    const reasonAfter = (...events: EndpointEvent[]) =>
      endpointOf(fold(endpointsDecider, [registered(), willing, ...events]), 'we_1')?.disabledReason;
    expect(reasonAfter(disabled)).toBe('gone');
    expect(reasonAfter(disabled, updated({ description: 'old' }))).toBe('gone');
    expect(reasonAfter(disabled, updated({ status: 'enabled' }))).toBeNull();
    expect(reasonAfter(updated({ status: 'disabled' }))).toBeNull();
  });
});

describe('a webhook endpoint of an earlier version', () => {
  it('is not disabled by a 410 and has no limit of its rate', () => {
    const {
      disableOnGone: _,
      rateLimitPerSecond: __,
      ...before
    } = registered() as Extract<EndpointEvent, { type: 'EndpointRegistered' }>;
    given(before).thenState({
      endpoints: [expect.objectContaining({ disableOnGone: false, rateLimitPerSecond: null })] as never,
    });
  });
});

describe('signing secrets', () => {
  const after = (...events: EndpointEvent[]) => endpointOf(fold(endpointsDecider, [registered(), ...events]), 'we_1')!;

  it('are the present one first and the one before until its grace is over', () => {
    const endpoint = after(rotated('r1', 's2', 20, 100));
    expect(signingSecrets(endpoint, 99)).toEqual(['s2', 'sealed-1']);
    expect(signingSecrets(endpoint, 100)).toEqual(['s2']);
    expect(previousSecretUntil(endpoint, 99)).toBe(100);
    expect(previousSecretUntil(endpoint, 100)).toBeNull();
  });
  it('are three at most', () => {
    const endpoint = after(rotated('r1', 's2', 20, 100), rotated('r2', 's3', 21, 100), rotated('r3', 's4', 22, 100));
    expect(signingSecrets(endpoint, 30)).toEqual(['s4', 's3', 's2']);
  });
  it('are told to whoever rotated, each their own, whichever came after it', () => {
    const endpoint = after(rotated('r1', 's2', 20, 100), rotated('r2', 's3', 21, 100));
    expect(['r1', 'r2'].map((rotationId) => secretOf(endpoint, rotationId))).toEqual(['s2', 's3']);
  });
  it('are only the new one after a rotation without grace', () => {
    expect(signingSecrets(after(rotated('r1', 's2', 20, 100), rotated('r2', 's3', 21, 21)), 21)).toEqual(['s3']);
  });

  describe('where the clock was set back since the last change', () => {
    const changed: EndpointEvent = { ...registered(), at: 5_000 };
    const rotating = (rotationId: string, at: number, graceMs: number) => ({
      ...rotate,
      rotationId,
      at,
      graceMs,
      secret: `of ${rotationId}`,
    });
    const afterRotations = (...commands: readonly ReturnType<typeof rotating>[]) => {
      const events = commands.reduce<readonly EndpointEvent[]>(
        (before, command) => [...before, ...endpointsDecider.decide(command, fold(endpointsDecider, before))],
        [changed],
      );
      return endpointOf(fold(endpointsDecider, events), 'we_1')!;
    };

    it('sign for their grace from now on, and no longer', () => {
      const endpoint = afterRotations(rotating('r1', 20, 80));
      expect(signingSecrets(endpoint, 99)).toEqual(['of r1', 'sealed-1']);
      expect(signingSecrets(endpoint, 100)).toEqual(['of r1']);
      expect(previousSecretUntil(endpoint, 99)).toBe(100);
    });
    it('sign on beside those of a later rotation, unless it has no grace', () => {
      expect(signingSecrets(afterRotations(rotating('r1', 20, 80), rotating('r2', 30, 80)), 99)).toEqual([
        'of r2',
        'of r1',
        'sealed-1',
      ]);
      expect(signingSecrets(afterRotations(rotating('r1', 20, 80), rotating('r2', 30, 0)), 30)).toEqual(['of r2']);
    });
    it('leave no room to those whose grace is over', () => {
      const endpoint = afterRotations(rotating('r1', 20, 80), rotating('r2', 30, 10), rotating('r3', 50, 80));
      expect(signingSecrets(endpoint, 99)).toEqual(['of r3', 'of r2', 'sealed-1']);
    });
  });
});

describe('event filters', () => {
  it.each(['*', 'appointment.*', 'appointment.created', 'a_1.b2.*', 'appointment'])('may be %s', (filter) =>
    expect(isEventFilter(filter)).toBe(true),
  );
  it.each(['', '.', 'appointment.', '.created', 'appointment.*.x', '**', 'a*', 'Appointment.created', 'a b', 'x'.repeat(256)])(
    'may not be "%s"',
    (filter) => expect(isEventFilter(filter)).toBe(false),
  );
  it('want everything when there are none', () => expect(matches([], 'appointment.created')).toBe(true));
  it('want what they name, exactly or by its beginning', () => {
    expect(matches(['appointment.created'], 'appointment.created')).toBe(true);
    expect(matches(['appointment.created'], 'appointment.confirmed')).toBe(false);
    expect(matches(['appointment.create'], 'appointment.created')).toBe(false);
    expect(matches(['appointment'], 'appointment.created')).toBe(false);
    expect(matches(['appointment.*'], 'appointment.confirmed')).toBe(true);
    expect(matches(['appoint.*'], 'appointment.confirmed')).toBe(false);
    expect(matches(['*'], 'anything')).toBe(true);
    expect(matches(['x.y', 'appointment.*'], 'appointment.failed')).toBe(true);
  });
  it('count only for enabled endpoints', () => {
    const state = fold(endpointsDecider, [
      registered('we_1'),
      registered('we_2', ['other.*']),
      registered('we_3', ['appointment.*']),
    ]);
    expect(wanting(state, 'appointment.created').map(({ id }) => id)).toEqual(['we_1', 'we_3']);
    const disabled = fold(endpointsDecider, [updated({ status: 'disabled' })], state);
    expect(wanting(disabled, 'appointment.created').map(({ id }) => id)).toEqual(['we_3']);
  });
});
