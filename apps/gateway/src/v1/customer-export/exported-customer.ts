import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { changesOf } from '@application/appointments/appointment-changes';
import { appointmentsProjection, toAppointment } from '@application/appointments/appointments.projection';
import { GetTranscript } from '@application/conversations/conversation.commands';
import { conversationsProjection, toConversation } from '@application/conversations/state/conversations.projection';
import { allItems, allPages } from '@application/paging/all-items';
import { ListPage } from '@application/read-models/list-page.query';
import type { Projection } from '@application/read-models/projection';
import { ListSessionTurns } from '@application/sessions/session.commands';
import { sessionsProjection, toSessionView } from '@application/sessions/sessions.projection';
import { ListEvents } from '@application/webhooks/fan-out/event.queries';
import { toEventAnswer } from '@application/webhooks/fan-out/event.resource';
import type { Appointment } from '@domain/appointment/appointment';
import type { PastChange } from '@domain/appointment/past-change';
import { asOf } from '@domain/conversation/conversation';
import type { Customer } from '@domain/customer/customer';
import { renderJson } from '@domain/kernel/json-text';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { toAppointmentChange } from '../appointment-change.resource.js';
import { toPublished } from '../appointment.resource.js';
import { toConversationResource } from '../conversation.resource.js';
import { toCustomerResource } from '../customer.resource.js';
import { toMessageResource } from '../message.resource.js';
import { toSessionResource, toSessionTurnResource } from '../session.resource.js';
import { arrayTexts, mapped, objectTexts, type Texts } from './json-texts.js';

/** Everything kept about a customer, as JSON in parts: of each list a page at a time is in memory. All lists are oldest first. */
@Injectable()
export class ExportedCustomer {
  constructor(
    private readonly queries: QueryBus,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async *textsOf(customer: Customer): AsyncGenerator<string> {
    yield `{"object":"customer_export","customer":${renderJson(toCustomerResource(customer))},"conversations":`;
    yield* arrayTexts(this.conversations(customer));
    yield ',"sessions":';
    yield* arrayTexts(this.sessions(customer));
    yield ',"appointments":';
    yield* arrayTexts(this.appointments(customer));
    yield ',"events":';
    yield* arrayTexts(this.events(customer));
    yield '}';
  }

  private conversations(customer: Customer): AsyncGenerator<Texts> {
    const { projectId } = customer;
    return mapped(allItems(this.rowsOf(conversationsProjection, customer)), (stored) => {
      const shown = asOf(toConversation(stored.id, stored), this.clock.now(), this.settings.conversationIdleMs);
      const messages = allItems((page) => this.queries.execute(new GetTranscript(projectId, stored.id, page, null)));
      return objectTexts(
        toConversationResource(shown),
        'messages',
        mapped(messages, (message) => renderJson(toMessageResource(message))),
      );
    });
  }

  private sessions(customer: Customer): AsyncGenerator<Texts> {
    const { projectId } = customer;
    return mapped(allItems(this.rowsOf(sessionsProjection, customer)), (stored) => {
      const turns = allItems((page) => this.queries.execute(new ListSessionTurns(projectId, stored.id, page)));
      return objectTexts(
        toSessionResource(toSessionView(stored)),
        'turns',
        mapped(turns, (turn) => renderJson(toSessionTurnResource(turn))),
      );
    });
  }

  private appointments(customer: Customer): AsyncGenerator<Texts> {
    return mapped(allItems(this.rowsOf(appointmentsProjection, customer)), (stored) => {
      const appointment = toAppointment(stored);
      const history = mapped(upTo(appointment, changesOf(this.store, stored.id)), (change) =>
        renderJson(toAppointmentChange(change)),
      );
      return objectTexts(toPublished(appointment), 'history', history);
    });
  }

  /** Those of some appointments after those of others. */
  private async *events(customer: Customer): AsyncGenerator<string> {
    for await (const appointments of allPages(this.rowsOf(appointmentsProjection, customer))) {
      const ofThese = { field: 'objectId', op: 'in', value: appointments.map(({ id }) => id) } as const;
      const events = allItems((page) => this.queries.execute(new ListEvents(customer.projectId, [], [ofThese], page)));
      yield* mapped(events, (event) => renderJson(toEventAnswer(event)));
    }
  }

  private rowsOf<Row extends object>(projection: Projection<never, Row>, { projectId, id }: Customer) {
    const ofCustomer = [[{ field: 'customerId', op: 'eq', value: id }]] as const;
    return (page: ListPage<Row>['page']) => this.queries.execute(new ListPage<Row>(projection, projectId, ofCustomer, page));
  }
}

/** The stream may have gone on since the row was written: the history leads to the appointment beside it. */
async function* upTo({ version }: Appointment, changes: AsyncIterable<PastChange>): AsyncGenerator<PastChange> {
  for await (const change of changes) {
    if (change.after.version > version) return;
    yield change;
  }
}
