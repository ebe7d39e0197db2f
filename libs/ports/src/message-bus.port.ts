export interface TopicDeclaration {
  readonly name: string;
  readonly partitions: number;
  /** How long its messages are held as a rule. An engine that drops messages by their age keeps them a week longer. */
  readonly waitMs?: number;
}

/** How many partitions an engine gives to a new topic: to one whose messages are held, and to any other. */
export interface PartitionCounts {
  readonly held: number;
  readonly other: number;
}

export interface OutgoingMessage {
  /** Messages of one key keep their order while no publish fails: one that is retried may be stored behind later ones. */
  readonly key: string;
  readonly value: string;
}

export interface BusMessage extends OutgoingMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

/** What a handler answers when it is offered a message. */
export type ConsumeResult =
  /** The partition goes on at once. The message counts as consumed when `done` settles, resolved or rejected. */
  | { readonly kind: 'accepted'; readonly done: Promise<void> }
  /**
   * Too early: the partition waits, and offers the message again at this instant (epoch milliseconds), or after as long as it is
   * until then, where the clock is set back meanwhile.
   */
  | { readonly kind: 'held'; readonly until: number }
  /** No room: the partition waits, and offers the message again when `space` resolves. */
  | { readonly kind: 'full'; readonly space: Promise<void> };

export interface Subscription {
  /**
   * Stops offering, waits until accepted messages are done, and commits them. Where processes share the group, those that take
   * more than half a second may be offered to another member, and are committed by that.
   */
  close(): Promise<void>;
}

/** Topics with partitions and keys. A transport and a timer only: the event store can restore every message. */
export abstract class MessageBus {
  /** To be declared, where nothing speaks for another number. */
  abstract readonly partitions: PartitionCounts;

  /** Creates the topics that are missing. A topic that exists keeps its partitions. */
  abstract declare(topics: readonly TopicDeclaration[]): Promise<void>;

  /**
   * Resolves when every message is stored. Rejects with `StoreUnavailable` where the store is to blame; after a rejection each
   * message may or may not be stored and offered.
   */
  abstract publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;

  /**
   * Offers each message of the topics to one member of the group, members of other processes included: at least once, in
   * the order of its partition, from the oldest uncommitted one on. A message whose handler throws is offered again later.
   */
  abstract consume(
    group: string,
    topics: readonly string[],
    handler: (message: BusMessage) => Promise<ConsumeResult>,
  ): Promise<Subscription>;

  /**
   * By topic that is consumed here: how many messages the consumer's whole group has not consumed, held ones included, as they
   * were at most five seconds ago. Throws `StoreUnavailable` while the store does not answer.
   */
  abstract lag(): Readonly<Record<string, number>>;
}
