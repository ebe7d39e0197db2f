import { specFor } from '@testing/decider-spec';
import { fold } from '../kernel/decider.js';
import type { EndpointEvent } from './endpoint.events.js';
import { endpointsDecider } from './endpoints.decider.js';
import { originOf } from './header-changes.js';

const { given } = specFor(endpointsDecider);
const URL = 'https://a.example/hooks';
const common = { at: 10, endpointId: 'we_1' } as const;
const registered = (headers: object): EndpointEvent => ({
  type: 'EndpointRegistered',
  ...common,
  projectId: 'prj_1',
  secret: 's',
  secretHint: '…s',
  url: URL,
  filters: [],
  description: null,
  metadata: '{}',
  ...headers,
});
const sealed = registered({ sealedHeaders: { Authorization: 'sealed-1', 'X-Env': 'sealed-2' } });
const plain = registered({ headers: { Authorization: 'Bearer 1' } });
const update = (changes: object) => ({ type: 'UpdateEndpoint', ...common, commandId: 'cmd', changes }) as const;
const updated = (changes: object): EndpointEvent => ({ type: 'EndpointUpdated', ...common, changes, commandId: 'cmd' });
const headersAfter = (...events: readonly EndpointEvent[]) =>
  fold(endpointsDecider, events).endpoints.map(({ sealedHeaders, plainHeaders }) => [sealedHeaders, plainHeaders]);

describe('the custom headers of an endpoint', () => {
  it('are replaced by others', () => {
    given(sealed)
      .when(update({ sealedHeaders: { 'X-Env': 'sealed-3' } }))
      .then(updated({ sealedHeaders: { 'X-Env': 'sealed-3' } }));
    given(sealed)
      .when(update({ sealedHeaders: {} }))
      .then(updated({ sealedHeaders: {} }));
  });

  it('keep a value that is sent back masked, under the name in any spelling', () =>
    given(sealed)
      .when(update({ sealedHeaders: { authorization: null, 'X-New': 'sealed-3' } }))
      .then(updated({ sealedHeaders: { authorization: 'sealed-1', 'X-New': 'sealed-3' } })));

  it('are as before when all are sent back masked', () =>
    given(sealed)
      .when(update({ sealedHeaders: { Authorization: null, 'X-Env': null } }))
      .thenNothing());

  it('have no value behind a mask that was never set', () =>
    given(sealed)
      .when(update({ sealedHeaders: { 'X-Other': null } }))
      .thenRejects('parameter_invalid', { param: 'headers' }));

  it.each(['https://b.example/hooks', 'https://a.example:8443/hooks', 'http://a.example/hooks', 'https://a.example.evil/'])(
    'are cleared when the endpoint moves to %s',
    (url) => {
      given(sealed)
        .when(update({ url }))
        .then(updated({ url, sealedHeaders: {} }));
      given(sealed)
        .when(update({ url, sealedHeaders: { Authorization: null } }))
        .thenRejects('parameter_invalid', { param: 'headers' });
      given(sealed)
        .when(update({ url, sealedHeaders: { Authorization: 'sealed-3' } }))
        .then(updated({ url, sealedHeaders: { Authorization: 'sealed-3' } }));
    },
  );

  it.each(['https://a.example/other?x=1', 'HTTPS://A.Example:443/hooks'])('stay when it moves to %s, on the same host', (url) =>
    given(sealed).when(update({ url })).then(updated({ url })),
  );

  it('are left out of a move where there are none', () =>
    given(registered({ sealedHeaders: {} }))
      .when(update({ url: 'https://b.example' }))
      .then(updated({ url: 'https://b.example' })));
});

describe('custom headers that an earlier version stored as they are', () => {
  const seal = {
    type: 'SealEndpointHeaders',
    ...common,
    plainHeaders: { Authorization: 'Bearer 1' },
    sealedHeaders: { Authorization: 'sealed-1' },
  } as const;
  const sealing: EndpointEvent = { type: 'EndpointHeadersSealed', ...common, sealedHeaders: seal.sealedHeaders };

  it('are sealed by an event of their own, once', () => {
    given(plain).when(seal).then(sealing);
    given(plain, sealing).when(seal).thenNothing();
    given(sealed).when(seal).thenNothing();
    given().when(seal).thenNothing();
    expect(headersAfter(plain)).toEqual([[{}, { Authorization: 'Bearer 1' }]]);
    expect(headersAfter(plain, sealing)).toEqual([[{ Authorization: 'sealed-1' }, {}]]);
  });

  it('are not sealed as what they no longer are', () => {
    const changed = updated({ headers: { Authorization: 'Bearer 2' } });
    given(plain, changed).when(seal).thenNothing();
    expect(headersAfter(sealed, changed)).toEqual([[{}, { Authorization: 'Bearer 2' }]]);
  });

  it('are replaced, and cleared by a move, before they are sealed', () => {
    given(plain)
      .when(update({ sealedHeaders: {} }))
      .then(updated({ sealedHeaders: {} }));
    given(plain)
      .when(update({ url: 'https://b.example' }))
      .then(updated({ url: 'https://b.example', sealedHeaders: {} }));
    expect(headersAfter(plain, updated({ sealedHeaders: {} }))).toEqual([[{}, {}]]);
  });
});

describe('the origin of a URL', () => {
  it.each([
    ['https://a.example', 'https://a.example'],
    ['HTTPS://A.example:443?x', 'https://a.example'],
    ['http://a.example:80/', 'http://a.example'],
    ['http://a.example:443/', 'http://a.example:443'],
    ['https://[::1]:443/', 'https://[::1]'],
  ])('of %s is %s', (url, origin) => expect(originOf(url)).toBe(origin));
});
