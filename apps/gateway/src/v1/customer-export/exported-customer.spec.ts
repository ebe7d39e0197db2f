import type { QueryBus } from '@nestjs/cqrs';
import { GetTranscript } from '@application/conversations/conversation.commands';
import { conversationsProjection } from '@application/conversations/state/conversations.projection';
import type { Page } from '@application/paging/page';
import { ListPage } from '@application/read-models/list-page.query';
import type { Projection } from '@application/read-models/projection';
import { ListSessionTurns } from '@application/sessions/session.commands';
import { sessionsProjection } from '@application/sessions/sessions.projection';
import { appointmentsProjection } from '@application/appointments/appointments.projection';
import { ListEvents } from '@application/webhooks/fan-out/event.queries';
import type { Customer } from '@domain/customer/customer';
import type { DomainEvent } from '@domain/kernel/decider';
import type { EventStore, Recorded } from '@ports/event-store.port';
import { booked, cancelled, confirmed } from '@testing/appointment-events';
import { opened } from '@testing/conversation-events';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { ExportedCustomer } from './exported-customer.js';

const PROJECT = 'prj_1';
const CUSTOMER: Customer = {
  id: 'cust_1',
  projectId: PROJECT,
  phone: null,
  email: null,
  name: 'Kim',
  externalId: null,
  metadata: '{}',
  createdAt: 1,
  updatedAt: 1,
  deletedAt: null,
} as unknown as Customer;
const called = {
  type: 'SessionOpened',
  at: 1,
  sessionId: 'sess_1',
  projectId: PROJECT,
  externalId: null,
  direction: 'inbound',
  from: null,
  to: null,
  customerId: 'cust_1',
  conversationId: null,
  metadata: '{}',
};

function rowOf(projection: Projection<never, object>, stream: string, event: object) {
  const id = stream.slice(stream.indexOf('-') + 1);
  const record = { id: '1', stream, revision: 0, position: '1', event } as unknown as Recorded<never>;
  return { id, sortId: '1', position: '1', ...projection.project(null, record, id)! };
}

const ROWS = {
  conversations: rowOf(conversationsProjection, 'conversation-conv_1', opened),
  sessions: rowOf(sessionsProjection as Projection<never, object>, 'session-sess_1', called),
  appointments: rowOf(appointmentsProjection, 'appointment-apt_1', booked),
} as const;

/** One row of each list, and nothing in those below it. */
function bus() {
  const asked: object[] = [];
  const execute = (query: object): Promise<Page<object>> => {
    asked.push(query);
    const name = query instanceof ListPage ? query.projection.schema.name : '';
    const items = name in ROWS ? [ROWS[name as keyof typeof ROWS]] : [];
    return Promise.resolve({ items, hasMore: false, nextCursor: null });
  };
  return { asked, queries: { execute } as unknown as QueryBus };
}

/** The stream of an appointment, which may have gone on since its row was written. */
const storeOf = (...events: readonly object[]) =>
  ({
    read: () =>
      Promise.resolve(events.map((event, revision) => ({ stream: 'appointment-apt_1', revision, event: event as DomainEvent }))),
  }) as unknown as EventStore;

async function exported(store: EventStore) {
  const { asked, queries } = bus();
  let text = '';
  for await (const part of new ExportedCustomer(queries, store, new FakeClock(), fakeSettings()).textsOf(CUSTOMER)) text += part;
  return { asked, body: JSON.parse(text) };
}

describe('what is kept about a customer', () => {
  it('is looked for in the project of the customer alone, and under that customer alone', async () => {
    const { asked } = await exported(storeOf(booked));
    expect(asked.map((query) => (query as { projectId: string }).projectId)).toEqual(asked.map(() => PROJECT));
    const rows = asked.filter((query) => query instanceof ListPage);
    for (const { filter } of rows) expect(filter).toEqual([[{ field: 'customerId', op: 'eq', value: 'cust_1' }]]);
    const others = asked.filter((query) => !(query instanceof ListPage));
    expect(others).toEqual([
      expect.objectContaining({ conversationId: 'conv_1', role: null }),
      expect.objectContaining({ sessionId: 'sess_1' }),
      expect.objectContaining({ types: [], conditions: [{ field: 'objectId', op: 'in', value: ['apt_1'] }] }),
    ]);
    expect(others.map((query) => query.constructor)).toEqual([GetTranscript, ListSessionTurns, ListEvents]);
  });

  it('tells of an appointment the history that leads to it as it is shown, not what came since', async () => {
    const { body } = await exported(storeOf(booked, confirmed, cancelled));
    const [{ version, history }] = body.appointments;
    expect([version, history.map((change: { version: number }) => change.version)]).toEqual([1, [1]]);
  });
});
