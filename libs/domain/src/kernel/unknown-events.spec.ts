import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { audited } from '@testing/audit-events';
import { booked } from '@testing/appointment-events';
import { opened, posted } from '@testing/conversation-events';
import { frozen, scheduled } from '@testing/delivery-events';
import { issueOpened } from '@testing/issue-events';
import { adminPasswordDecider } from '../admin/admin-password.decider.js';
import { appointmentDecider } from '../appointment/appointment.decider.js';
import { auditDecider } from '../audit/audit.decider.js';
import { claimDecider } from '../claim/claim.decider.js';
import { conversationDecider } from '../conversation/conversation.decider.js';
import { customerDecider } from '../customer/customer.decider.js';
import { deliveriesDecider } from '../delivery/deliveries.decider.js';
import { endpointsDecider } from '../endpoint/endpoints.decider.js';
import { installationDecider } from '../project/installation.decider.js';
import { issueDecider } from '../issue/issue.decider.js';
import { keyPointerDecider } from '../project/key-pointer.decider.js';
import { projectDecider } from '../project/project.decider.js';
import { sessionDecider } from '../session/session.decider.js';
import { skippedEventsDecider } from '../skipped-event/skipped-events.decider.js';
import { taskDecider } from '../task/task.decider.js';
import { taskSlotsDecider } from '../task/task-slots.decider.js';
import { fold, type Decider, type DomainEvent } from './decider.js';

type Case = readonly [decider: Decider<never, never, never>, ...past: readonly object[]];

const happened = { at: 1, projectId: 'prj_1' };
const customer = { customerId: 'cust_1', phone: '+4915112345678', email: null, name: null, externalId: null, metadata: '{}' };
const session = { sessionId: 'sess_1', direction: 'inbound', from: null, to: null, metadata: '{}' };
const endpoint = { endpointId: 'we_1', url: 'https://a.example', filters: [], secret: 's', secretHint: 's' };

const task = { taskId: 'task_1', kind: 'deliveries.retry', endpointId: null, dryRun: false, parameters: {} };

const skipped = { skippedEventId: 'skip_1', position: '1', stream: 'note-1', revision: 0, rows: [], error: 'Error', frames: [] };

const CASES: Readonly<Record<string, Case>> = {
  'admin-password': [adminPasswordDecider as never, { type: 'AdminPasswordSet', at: 1, hash: 'h' }],
  appointment: [appointmentDecider as never, booked],
  audit: [auditDecider as never, audited('aud_1', 1)],
  claim: [claimDecider as never, { type: 'Claimed', at: 1, holder: 'apt_1', creation: null }],
  conversation: [conversationDecider as never, opened, posted('msg_1', 1_000_001)],
  customer: [customerDecider as never, { ...happened, type: 'CustomerCreated', ...customer }],
  deliveries: [deliveriesDecider as never, frozen, scheduled()],
  endpoints: [endpointsDecider as never, { ...happened, type: 'EndpointRegistered', ...endpoint }],
  installation: [installationDecider as never, { type: 'InstallationBegun', at: 1, projectId: 'prj_1', keyId: 'key_1' }],
  issue: [issueDecider as never, issueOpened(1)],
  'key-pointer': [keyPointerDecider as never, { ...happened, type: 'KeyPointed', keyId: 'key_1' }],
  project: [projectDecider as never, { ...happened, type: 'ProjectCreated', name: 'Salon' }],
  task: [taskDecider as never, { ...happened, type: 'TaskCreated', ...task }],
  'task-slots': [taskSlotsDecider as never, { type: 'TaskSlotTaken', at: 1, taskId: 'task_1' }],
  'skipped-events': [
    skippedEventsDecider as never,
    { type: 'EventSkipped', at: 1, attempt: 1, eventType: 'NoteWritten', ...skipped },
  ],
  session: [sessionDecider as never, { ...happened, type: 'SessionOpened', ...session }],
};

/** As a later version may store it, with members of known types. */
const UNKNOWN = { type: 'SomethingOfALaterVersion', at: 2_000_000, deliveryId: 'whd_1', endpointId: 'we_1', holder: 'apt_2' };

describe('an event of a type that this program does not know', () => {
  it.each(Object.entries(CASES))('leaves the state of %s as it is', (name, [decider, ...past]) => {
    const known: object = fold(decider as unknown as Decider<object, never, DomainEvent>, past as DomainEvent[]);
    const after: object = fold(decider as unknown as Decider<object, never, DomainEvent>, [...past, UNKNOWN] as DomainEvent[]);
    // A place in the stream counts all its events, and time never goes back.
    const counted = name === 'deliveries' ? { length: past.length + 1, lastEventAt: UNKNOWN.at } : {};
    expect(after).toEqual({ ...known, ...counted });
  });

  it('is tried on every decider', () => {
    const files = readdirSync(join(__dirname, '..'), { recursive: true, encoding: 'utf8' });
    const deciders = files.flatMap((file) => /([a-z-]+)\.decider\.ts$/.exec(file)?.[1] ?? []);
    expect(deciders.toSorted()).toEqual(Object.keys(CASES).toSorted());
  });
});
