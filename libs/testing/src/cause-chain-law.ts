import fc from 'fast-check';
import { AppointmentToolboxes } from '@application/conversations/tools/appointment-toolboxes';
import { KnownAppointments } from '@application/conversations/tools/known-appointments';
import { conversationStream } from '@application/conversations/state/conversation-stream';
import { TestEndpointHandler } from '@application/webhooks/test-endpoint.handler';
import { TestEndpoint } from '@application/webhooks/delivery.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { correlationOf } from '@domain/kernel/envelope';
import type { EventStore } from '@ports/event-store.port';
import { beginningOf, wholeLog } from './cause-chain.js';
import { DeliveryWorld } from './delivery-world.js';
import { answered } from './fake-sender.js';
import { HALF_HOUR, LEDGER_PROJECT, LedgerWorld, NINE_ON_MONDAY } from './ledger-world.js';

const DAY = 86_400_000;
const ENDS = [
  'DeliverySucceeded',
  'DeliveryRetryScheduled',
  'DeliveryRescheduled',
  'DeliveryFailed',
  'DeliverySuperseded',
  'DeliveryCancelled',
  'DeliveryExpired',
];

type Step = (world: HistoryWorld, which: number) => Promise<unknown>;

const STEPS: Readonly<Record<string, Step>> = {
  'a request books': (world) => world.book(),
  'a message books': (world) => world.bookByMessage(),
  'a request cancels': (world, which) => world.cancel(which),
  'a request replays': (world, which) => world.replay(which),
  'a request tests': (world) => world.test(),
  'the receiver fails': (world) => world.receiverIs(503),
  'the receiver works': (world) => world.receiverIs(200),
  'the endpoint is replaced': (world) => world.replaceEndpoint(),
  'the process is killed': (world) => world.killed(),
  'seconds pass': (world) => world.passes(6_000),
  'a month passes': (world) => world.monthPasses(),
};

/** The law that an outcome of a delivery can be followed back to what caused it, on the log that `make` gives. */
export function causeChainLaw(engine: string, numRuns: number, make?: () => Promise<LogUnderTest>): void {
  const step = fc.record({ name: fc.constantFrom(...Object.keys(STEPS)), which: fc.nat({ max: 5 }) });

  it(`law: whatever happens, each outcome of a delivery leads back to a request or a timer on ${engine}`, async () => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const log = await make?.();
        const world = new HistoryWorld(
          await DeliveryWorld.create({}, undefined, await LedgerWorld.create({ events: log?.store })),
        );
        try {
          await world.begin();
          for (const { name, which } of steps) await STEPS[name]?.(world, which);
          for (const end of await world.ends()) ends.add(end);
        } finally {
          await world.close();
          await log?.close();
        }
      }),
      { numRuns },
    );
    expect([...ends].map((end) => end.replace(/_.*/, '_'))).toContain('req_');
  });
}

export interface LogUnderTest {
  readonly store: EventStore;
  close(): Promise<void>;
}

class HistoryWorld {
  private endpointId = '';
  private slots = 0;
  private readonly booked: string[] = [];

  constructor(private world: DeliveryWorld) {}

  async begin(): Promise<void> {
    this.endpointId = (await this.world.register()).endpoint.id;
    await this.book();
  }

  async book(): Promise<void> {
    const { appointment } = await this.world.ledger.book({ startsAt: this.slot() });
    this.booked.push(appointment.id);
    await this.world.quiet();
  }

  /** As a turn of the agent does it, whose message a request posted. */
  async bookByMessage(): Promise<void> {
    const { ledger } = this.world;
    const { clock, ids, streams, ports, fresh, appointments, booking, changing } = ledger;
    const [conversationId, messageId] = [ids.next('conversation'), ids.next('message')];
    const context = ledger.context();
    await this.post(context, conversationId, messageId);
    const known = new KnownAppointments(ports.events, ports.readModels, fresh, clock);
    const toolboxes = new AppointmentToolboxes(appointments, known, booking, changing, ids, clock);
    const about = { projectId: LEDGER_PROJECT, conversationId, customerId: null, messageId, revision: 1, request: context };
    const times = { isRetry: false, windowEndsAt: Infinity, timeZone: 'UTC', givenUp: new AbortController().signal };
    const starts_at = new Date(Math.max(this.slot(), clock.now() + DAY)).toISOString();
    await toolboxes.open({ ...about, ...times }).call('book_appointment', { service: 'haircut', starts_at });
    await streams.load(conversationStream(conversationId), conversationDecider);
    await this.world.quiet();
  }

  async cancel(which: number): Promise<void> {
    const id = this.booked[which % this.booked.length] ?? '';
    await this.world.ledger.change(id, { type: 'CancelAppointment', cancelledBy: 'business', reason: null });
    await this.world.quiet();
  }

  /** Refusals are no part of the law. */
  async replay(which: number): Promise<void> {
    const frozen = (await wholeLog(this.store)).filter(({ event }) => event.type === 'DeliveryScheduled');
    const found = frozen[which % Math.max(1, frozen.length)];
    if (!found) return;
    const { deliveryId } = found.event as unknown as { readonly deliveryId: string };
    await this.world.replay(found.stream.slice('deliveries-'.length), deliveryId).catch(ignored);
    await this.world.quiet();
  }

  async test(): Promise<void> {
    const { directory, streams, scheduling, ledger } = this.world;
    const handler = new TestEndpointHandler(directory, streams, scheduling, ledger.clock, ledger.ids);
    await handler.execute(new TestEndpoint(ledger.context(), this.endpointId, 'appointment.created', {}));
    await this.world.quiet();
  }

  async receiverIs(status: number): Promise<void> {
    this.world.sender.answer = () => answered(status);
    await Promise.resolve();
  }

  async replaceEndpoint(): Promise<void> {
    const { ledger, directory } = this.world;
    const { endpointId } = this;
    this.endpointId = (await this.world.register()).endpoint.id;
    await directory.run(LEDGER_PROJECT, (at) => ({ type: 'DeleteEndpoint', at, endpointId }), ledger.context());
    await this.world.quiet();
  }

  async killed(): Promise<void> {
    this.world = await (await this.world.killed()).working();
    await this.world.quiet();
  }

  async passes(ms: number): Promise<void> {
    await this.world.elapse(ms, 1_000);
  }

  /** The deliveries of last month expire, and their streams are dropped. */
  async monthPasses(): Promise<void> {
    const { ledger, retention } = this.world;
    ledger.clock.set(ledger.clock.now() + 31 * DAY);
    await this.world.quiet();
    await ledger.sweep(retention);
    await this.world.quiet();
  }

  /** What the outcomes lead back to. */
  async ends(): Promise<readonly string[]> {
    await this.world.quiet();
    const log = await wholeLog(this.store);
    return log.filter(({ event }) => ENDS.includes(event.type)).map((event) => beginningOf(event, log));
  }

  async close(): Promise<void> {
    await this.world.close();
  }

  private get store(): EventStore {
    return this.world.ledger.ports.events;
  }

  private slot(): number {
    return NINE_ON_MONDAY + this.slots++ * HALF_HOUR;
  }

  private async post({ envelope }: RequestContext, conversationId: string, messageId: string): Promise<void> {
    const { clock, streams } = this.world.ledger;
    const at = clock.now();
    const nothing = { externalId: null, customerId: null, metadata: '{}', timeZone: null };
    const open = { type: 'OpenConversation', at, conversationId, projectId: LEDGER_PROJECT, ...nothing } as const;
    const text = { messageId, content: 'Book me a haircut.', plainText: false };
    const post = { type: 'PostMessage', at, ...text, windowEndsAt: at, owner: 'one', waits: false } as const;
    const cause = { ...envelope, $correlationId: correlationOf(messageId) };
    const options = { idleMs: DAY, whenHandedOff: 'refuse' } as const;
    await streams.run(conversationStream(conversationId), conversationDecider, [open, { ...post, ...options }], cause);
  }
}

const ignored = (): undefined => undefined;
