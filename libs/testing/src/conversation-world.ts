import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { Claims } from '@application/claims/claims';
import { InstanceRegistry } from '@application/instances/instance-registry';
import {
  EndConversation,
  PostMessage,
  type MessageTarget,
  type PostOptions,
} from '@application/conversations/conversation.commands';
import { newestFirst } from '@application/conversations/state/conversation-stream';
import { EndConversationHandler, GetConversationHandler } from '@application/conversations/conversation.handlers';
import { HandOffConversationHandler, ResumeConversationHandler } from '@application/conversations/handoff.handlers';
import { PendingReplies } from '@application/conversations/post/pending-replies';
import { ConversationQueue, ConversationRouter } from '@application/conversations/post/conversation-router';
import { MessageWriter } from '@application/conversations/post/message-writer';
import { OpenConversationHandler } from '@application/conversations/open-conversation.handler';
import { PostAsHumanHandler } from '@application/conversations/post-as-human.handler';
import { PostMessageHandler } from '@application/conversations/post/post-message.handler';
import { Threads } from '@application/conversations/threads';
import { DeleteCustomer, UpdateCustomer } from '@application/customers/customer.commands';
import { DeleteCustomerHandler, UpdateCustomerHandler } from '@application/customers/customer.handlers';
import { CustomerDirectory } from '@application/customers/customer-directory';
import { StreamCache } from '@application/streams/stream-cache';
import { requestEnvelope, type RequestContext } from '@application/runtime/request-context';
import { ProjectDirectory } from '@application/projects/project-directory';
import { Shutdown } from '@application/runtime/shutdown';
import { FreshRows } from '@application/read-models/fresh-rows';
import { FlushRequests } from '@application/read-models/flush-requests';
import { StreamRunner } from '@application/streams/stream-runner';
import { AgentReplies } from '@application/conversations/turns/agent-replies';
import { CustomerMemories } from '@application/conversations/memory/customer-memory';
import { EarlierConversations } from '@application/conversations/memory/earlier-conversations';
import type { Toolboxes } from '@application/conversations/tools/toolboxes';
import { LiveReplies } from '@application/conversations/turns/live-replies';
import { TurnOutcomes } from '@application/conversations/turns/turn-outcomes';
import { TranscriptBudget, TurnContext } from '@application/conversations/turns/turn-context';
import { TurnRunner } from '@application/conversations/turns/turn-runner';
import { adaptersOver, openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { CustomerChanges } from '@domain/customer/customer';
import { Settings } from '@ports/settings.port';
import { FakeClock, settle } from './fake-clock.js';
import { FakeEngine } from './fake-engine.js';
import { FakeExpiringRecords } from './fake-expiring-records.js';
import { FakeIds } from './fake-ids.js';
import { PatientAgent } from './scripted-turns.js';

export const PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const MINUTE = 60_000;

class TestSettings extends Settings {
  readonly replyWindowMs = MINUTE / 2;
  readonly conversationIdleMs = 30 * MINUTE;
  readonly rateLimits = { read: 0, write: 0, messages: 0 };
  readonly retrySchedule = { waits: [0], mode: 'gap', jitter: 0 } as const;
  readonly webhookTimeoutMs = 15_000;
  readonly webhookDelivery = 'on';
  readonly webhookAutoPauseAfterMs = null;
  readonly webhookAllowHttp = true;
  readonly webhookAllowCidrs = [];
  operatorWebhook = null;
}

export const noAppointments = { appointmentsOf: () => Promise.resolve([]) };
const plainText = { strip: (text: string) => Promise.resolve(text.replaceAll('*', '')) };

function noTools(recalled: string[]): Toolboxes {
  return {
    open: ({ messageId }) => ({
      tools: [],
      effects: [],
      isInDoubt: false,
      recall: () => Promise.resolve(void recalled.push(messageId)),
      call: () => Promise.resolve({ ok: false, code: 'unknown_tool', message: '' } as const),
    }),
  };
}

/** Conversations on a real engine in a temporary directory; the test controls the clock and the agent. */
export class ConversationWorld {
  readonly agent = new PatientAgent();
  /** Ids of messages whose turns looked for the effects of earlier attempts. */
  readonly recalled: string[] = [];
  readonly settings = new TestSettings();
  readonly transcripts = new TranscriptBudget();
  readonly replies: PendingReplies;
  readonly send: PostMessageHandler;
  readonly open: OpenConversationHandler;
  readonly end: EndConversationHandler;
  readonly get: GetConversationHandler;
  readonly handOff: HandOffConversationHandler;
  readonly resume: ResumeConversationHandler;
  readonly postAsHuman: PostAsHumanHandler;
  readonly turns: TurnRunner;
  readonly outcomes: TurnOutcomes;
  readonly customers: CustomerDirectory;
  readonly threads: Threads;
  readonly claims: Claims;
  readonly streams: StreamRunner;
  readonly live = new LiveReplies();
  private count = 0;

  private constructor(
    readonly directory: string,
    readonly ports: EmbeddedPorts,
    readonly clock: FakeClock,
    readonly ids: FakeIds,
    readonly instances = new InstanceRegistry(ports.records, ports.engine, clock, ids, { role: 'gateway', version: '1.2.3' }),
    readonly shutdown = new Shutdown(),
  ) {
    const { events } = ports;
    const { settings } = this;
    const secrets = new NodeCryptoSecrets(Buffer.alloc(32, 7));
    const streams = (this.streams = new StreamRunner(events, new StreamCache(events), clock, ids));
    const claims = (this.claims = new Claims(streams, events, secrets, clock));
    this.customers = new CustomerDirectory(streams, claims, clock);
    const threads = (this.threads = new Threads(streams, claims, this.customers, clock, ids, settings));
    const agentReplies = new AgentReplies(this.agent, this.turnContext(), noTools(this.recalled), plainText, clock);
    const turns = (this.turns = new TurnRunner(agentReplies, this.live, streams, events, clock, ids));
    this.outcomes = new TurnOutcomes(turns, streams, events, this.instances, clock, settings);
    const queue = new ConversationQueue();
    const messages = new MessageWriter(streams, events, threads, this.instances, clock, settings);
    const router = new ConversationRouter(threads, queue, streams, clock, ids);
    this.replies = new PendingReplies(clock, shutdown);
    this.send = new PostMessageHandler(this.replies, router, messages, turns, this.outcomes, clock);
    this.open = new OpenConversationHandler(threads, streams, clock, settings, ids);
    this.end = new EndConversationHandler(streams, queue, clock, settings);
    this.get = new GetConversationHandler(streams, clock, settings);
    this.handOff = new HandOffConversationHandler(streams, queue, clock, settings);
    this.resume = new ResumeConversationHandler(streams, clock, settings);
    this.postAsHuman = new PostAsHumanHandler(streams, clock, ids, settings);
  }

  private turnContext(): TurnContext {
    const { settings, streams, clock } = this;
    const { events, readModels } = this.ports;
    const fresh = new FreshRows(events, readModels, new FlushRequests());
    const earlier = new EarlierConversations(events, readModels, fresh, streams, clock, settings);
    const projects = new ProjectDirectory(streams, clock, settings);
    const memories = new CustomerMemories(noAppointments, earlier, clock);
    return new TurnContext(streams, events, projects, memories, this.transcripts, clock);
  }

  static async create(
    directory = mkdtempSync(join(tmpdir(), 'conversations-')),
    clock = new FakeClock(),
    seed = 1,
  ): Promise<ConversationWorld> {
    const ports = await openEmbeddedEngine(directory, clock);
    return new ConversationWorld(directory, ports, clock, new FakeIds(clock, seed));
  }

  /** Two gateways on one engine. The leases of each are in records that can be cut off, as a dead process is. */
  static async pair() {
    const one = await ConversationWorld.create();
    const { clock } = one;
    const stored = new FakeExpiringRecords(clock);
    const gateways = await Promise.all(
      [1, 2].map(async (seed) => {
        const [records, ids] = [new FakeExpiringRecords(clock, stored.all), new FakeIds(clock, seed)];
        const instances = new InstanceRegistry(records, new FakeEngine(), clock, ids, { role: 'gateway', version: '1.2.3' });
        await instances.onModuleInit();
        const ports = { ...one.ports, ...adaptersOver(one.ports.store) };
        return { records, instances, world: new ConversationWorld(one.directory, ports, clock, ids, instances) };
      }),
    );
    return { gateways: gateways as [(typeof gateways)[0], (typeof gateways)[0]], clock, close: () => one.close() };
  }

  /** A new process over the stored data; everything in memory is lost. */
  async restarted(): Promise<ConversationWorld> {
    await this.ports.engine.close();
    this.clock.set(this.clock.now() + 1);
    return ConversationWorld.create(this.directory, this.clock, this.count + 1_000);
  }

  async close(): Promise<void> {
    await this.ports.engine.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The context of a request. The same key makes the same ids; `isRetry` marks every execution but the first. */
  context(key: string | null = null, isRetry = false): RequestContext {
    const name = key ?? `request ${++this.count} of ${this.directory}`;
    const [idSeed, requestId, startedAt] = [[name], 'req_1', 1_700_000_000_000];
    const envelope = requestEnvelope(this.ids, { startedAt, idSeed }, requestId, { type: 'client', id: 'key_1' });
    return { projectId: PROJECT, requestId, idempotencyKey: key, startedAt, isRetry, commandId: name, idSeed, envelope };
  }

  /** Waits for the reply. */
  async post(content: string, target: MessageTarget = inThread('thread'), context = this.context()) {
    const posted = await this.postBy({}, content, target, context);
    if (!posted.reply) throw new Error('There is no reply.');
    return { ...posted, reply: posted.reply };
  }

  postBy(options: Partial<PostOptions>, content: string, target: MessageTarget = inThread('thread'), context = this.context()) {
    const usual = { windowMs: this.settings.replyWindowMs, wait: 'reply', whenHandedOff: 'refuse' } as const;
    return this.send.execute(new PostMessage(context, target, content, false, { ...usual, ...options }));
  }

  endOf(conversationId: string, note: string | null = null) {
    return this.end.execute(new EndConversation(this.context(), conversationId, note));
  }

  async typesOf(conversationId: string): Promise<string[]> {
    const types: string[] = [];
    for await (const { event } of newestFirst(this.ports.events, conversationId)) types.unshift(event.type);
    return types;
  }

  deleteCustomer(customerId: string) {
    return new DeleteCustomerHandler(this.customers, this.streams, this.clock).execute(
      new DeleteCustomer(this.context(), customerId),
    );
  }

  updateCustomer(customerId: string, changes: CustomerChanges, context = this.context()) {
    return new UpdateCustomerHandler(this.customers, this.streams, this.clock).execute(
      new UpdateCustomer(context, customerId, changes),
    );
  }

  /** Advances the clock in steps of 10 ms until the work settles. */
  async whileTimePasses<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finish = () => (done = true);
    work.then(finish, finish);
    while (!done) await this.clock.advance(10);
    return work;
  }

  /** Waits until the agent has been asked `count` times. */
  async askedTimes(count: number): Promise<void> {
    while (this.agent.asked.length < count) await settle();
  }
}

export function inThread(externalId: string): MessageTarget {
  return { kind: 'thread', externalId, customer: null, metadata: '{}', timeZone: null };
}
