import { specFor } from '@testing/decider-spec';
import { fold } from '../kernel/decider.js';
import { endpointOf, wanting } from './endpoint.js';
import { endpointsDecider, type EndpointCommand } from './endpoints.decider.js';
import type { EndpointEvent } from './endpoint.events.js';

const { given } = specFor(endpointsDecider);

const about = { endpointId: 'we_1' } as const;
const details = { url: 'https://a.example', filters: [], description: null, sealedHeaders: {}, metadata: '{}' };
const owner = { ...about, projectId: 'prj_1', secret: 's', secretHint: 'h' };
const registered: EndpointEvent = { type: 'EndpointRegistered', at: 10, ...owner, ...details };
const pause = (commandId = 'pause', reason: 'user' | 'auto_failing' = 'user') =>
  ({ type: 'PauseEndpoint', at: 20, ...about, commandId, reason }) as const;
const resume = (commandId = 'resume') => ({ type: 'ResumeEndpoint', at: 30, ...about, commandId }) as const;
const change = (status: 'enabled' | 'disabled') =>
  ({ type: 'UpdateEndpoint', at: 40, ...about, commandId: status, changes: { status } }) as const;
const paused = (reason: 'user' | 'auto_failing' = 'user'): EndpointEvent => ({
  type: 'EndpointPaused',
  at: 20,
  ...about,
  reason,
  commandId: 'pause',
});
const resumed: EndpointEvent = { type: 'EndpointResumed', at: 30, ...about, commandId: 'resume' };
const changed = (status: 'enabled' | 'disabled'): EndpointEvent => ({
  type: 'EndpointUpdated',
  at: 40,
  ...about,
  commandId: status,
  changes: { status },
});
const after = (...events: EndpointEvent[]) => fold(endpointsDecider, [registered, ...events]);

describe('an endpoint', () => {
  it('is paused and resumed, once each however often it is asked for', () => {
    given(registered).when(pause(), pause('again'), pause('third', 'auto_failing')).then(paused());
    given(registered, paused()).when(resume(), resume('again')).then(resumed);
    given(registered).when(resume()).thenNothing();
  });
  it('drops a pause that comes again after it was resumed, and a resumption after the next pause', () => {
    given(registered, paused(), resumed).when(pause()).thenNothing();
    given(registered, paused(), resumed, { ...paused(), at: 31, commandId: 'next' } as EndpointEvent)
      .when(resume())
      .thenNothing();
  });
  it('that is paused tells since when and why, until it is resumed, enabled or disabled', () => {
    expect(endpointOf(after(paused('auto_failing')), 'we_1')).toMatchObject({
      status: 'paused',
      pausedAt: 20,
      pausedReason: 'auto_failing',
      updatedAt: 20,
    });
    for (const [end, status] of [
      [resumed, 'enabled'],
      [changed('enabled'), 'enabled'],
      [changed('disabled'), 'disabled'],
    ] as const)
      expect(endpointOf(after(paused(), end), 'we_1')).toMatchObject({ status, pausedAt: null, pausedReason: null });
  });
  it('that is paused is resumed by a change to enabled, and disabled by one to disabled', () => {
    for (const status of ['enabled', 'disabled'] as const) given(registered, paused()).when(change(status)).then(changed(status));
  });
  it('that is disabled is neither paused nor resumed', () => {
    for (const command of [pause(), resume()])
      given(registered, changed('disabled')).when(command).thenRejects('webhook_endpoint_disabled');
  });
  it('that is unknown or deleted is neither paused nor resumed', () => {
    const commands: EndpointCommand[] = [pause(), resume()];
    for (const command of commands) {
      given().when(command).thenRejects('resource_missing', { param: 'id' });
      given(registered, { type: 'EndpointDeleted', at: 15, ...about })
        .when(command)
        .thenRejects('resource_missing', { param: 'id' });
    }
  });
  it('that is paused goes on getting events', () => expect(wanting(after(paused()), 'appointment.created')).toHaveLength(1));
  it('was enabled when it was registered, resumed or changed to enabled the last time', () => {
    const enabledAt = (...events: EndpointEvent[]) => endpointOf(after(...events), 'we_1')?.enabledAt;
    expect([enabledAt(), enabledAt(paused()), enabledAt(paused(), resumed)]).toEqual([10, 10, 30]);
    expect([enabledAt(changed('disabled')), enabledAt(changed('disabled'), changed('enabled'))]).toEqual([10, 40]);
  });
});
