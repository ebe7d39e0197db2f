import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { booked } from '@testing/appointment-events';
import { changedResources, SHOWN_CATEGORIES } from './changed-resources.js';

/** The categories of the log of which the API shows nothing in a project: claims, pointers, checkpoints, the installation's own. */
const NOT_SHOWN = [
  'thread',
  'phone',
  'email',
  'call',
  'booking',
  'key',
  'taskslots',
  'reactor',
  'admin',
  'audit',
  'installation',
  'skipped',
];

const APPLICATION = join(__dirname, '..');
const STREAM_NAME = /(?:return|stream =|STREAM =) [`']([a-z]+)-(?:\$\{|[a-z])/g;
const CLAIM_KINDS = /type ClaimKind = (.+);/;

/** The categories that occur in the names of streams, in the sources. */
function categoriesOfTheLog(): readonly string[] {
  const files = readdirSync(APPLICATION, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!spec)\.ts$/.test(file));
  const sources = files.map((file) => readFileSync(join(APPLICATION, file), 'utf8'));
  const named = sources.flatMap((source) => Array.from(source.matchAll(STREAM_NAME), ([, category = '']) => category));
  const claims = CLAIM_KINDS.exec(sources.find((source) => CLAIM_KINDS.test(source)) ?? '')?.[1] ?? '';
  return [...new Set([...named, ...Array.from(claims.matchAll(/\w+/g), ([kind]) => kind)])];
}

const of = (stream: string, event: object) =>
  changedResources({ id: 'e', stream, revision: 0, position: '1', event: { at: 1, ...event } as never }).map(
    ({ object, id }) => `${object} ${id}`,
  );

describe('every category of the log', () => {
  it('is told as resources, or is known to be shown nowhere', () => {
    expect([...SHOWN_CATEGORIES, ...NOT_SHOWN].toSorted()).toEqual(categoriesOfTheLog().toSorted());
  });
});

describe('the resources that an event changes', () => {
  it.each([
    ['conversation-conv_1', { type: 'MessagePosted' }, ['conversation conv_1']],
    ['customer-cust_1', { type: 'CustomerUpdated' }, ['customer cust_1']],
    ['session-sess_1', { type: 'SessionTurnAdded' }, ['session sess_1']],
    ['endpoints-prj_1', { type: 'EndpointPaused', endpointId: 'we_1' }, ['webhook_endpoint we_1']],
    ['issue-disk_low-all', { type: 'IssueClosed', issueId: 'iss_1' }, ['issue iss_1']],
    ['task-task_1', { type: 'TaskAdvanced' }, ['task task_1']],
    ['project-prj_1', { type: 'ProjectUpdated' }, ['project prj_1']],
    ['project-prj_1', { type: 'ApiKeyRevoked', keyId: 'key_1' }, ['api_key key_1']],
    ['project-prj_1', { type: 'ApiKeyRotated', keyId: 'key_1', successorId: 'key_2' }, ['api_key key_1', 'api_key key_2']],
    ['deliveries-evt_1', { type: 'DeliveryClaimed', deliveryId: 'whd_1' }, ['webhook_delivery whd_1', 'event evt_1']],
    ['deliveries-evt_1', { type: 'EventFrozen' }, ['event evt_1']],
    ['appointment-apt_1', { type: 'AppointmentAmended' }, ['appointment apt_1']],
    ['reactor-time', { type: 'Checkpoint' }, []],
    ['endpoints-prj_1', { type: 'SomethingOfALaterVersion' }, []],
  ])('of %s by %o are %j', (stream, event, resources) => {
    expect(of(stream, event)).toEqual(resources);
  });

  it('are the appointment, its event and its call where it is booked on one', () => {
    const told = of('appointment-apt_1', { ...booked, sessionId: 'sess_1' });
    expect(told).toEqual(['appointment apt_1', expect.stringMatching(/^event evt_/), 'session sess_1']);
  });
});
