export interface TopicDeclaration {
  readonly name: string;
  readonly partitions: number;
  /** The usual time that messages are held. An engine that deletes messages by age keeps them a week longer. */
  readonly waitMs?: number;
}

/** The partitions of a new topic: of one that holds messages, and of any other. */
export interface PartitionCounts {
  readonly held: number;
  readonly other: number;
}

export interface OutgoingMessage {
  /** Messages of one key keep their order unless a publish fails: a retried one may be stored behind later ones. */
  readonly key: string;
  readonly value: string;
}

/** A partition in the hands of one member of a group, from when it gets it until it loses it. */
export interface Assignment {
  /** `Clock.elapsed()` when the member got the partition. */
  readonly since: number;
  /** Whether the partition has gone to another member, or this one has left the group or lost touch with it. */
  readonly isRevoked: boolean;
}

export interface BusMessage extends OutgoingMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  /** Shared by the partition's messages until it is revoked. */
  readonly assignment: Assignment;
}

export type ConsumeResult =
  /** The partition continues at once. The message counts as consumed when `done` settles, resolved or rejected. */
  | { readonly kind: 'accepted'; readonly done: Promise<void> }
  /** Too early: offered again at this instant (epoch milliseconds). If the clock is set back, the wait does not grow. */
  | { readonly kind: 'held'; readonly until: number }
  /** No room: the partition waits, and offers the message again when `space` resolves. */
  | { readonly kind: 'full'; readonly space: Promise<void> };

export interface Subscription {
  /** Stops offering, waits for accepted messages and commits them. In a shared group, those over 500 ms may be offered elsewhere. */
  close(): Promise<void>;
}

/** Topics with partitions and keys. Only transport and timer: every message can be restored from the event store. */
export abstract class MessageBus {
  /** The default numbers for `declare`. */
  abstract readonly partitions: PartitionCounts;

  /** Creates missing topics. An existing topic keeps its partitions. */
  abstract declare(topics: readonly TopicDeclaration[]): Promise<void>;

  /** Resolves when all are stored. Rejects with `StoreUnavailable` if the store is at fault; each message may then be stored or not. */
  abstract publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;

  /**
   * Each message goes to one member of the group: at least once, in partition order, from the oldest uncommitted one. If the handler
   * throws, the message is offered again later.
   */
  abstract consume(
    group: string,
    topics: readonly string[],
    handler: (message: BusMessage) => Promise<ConsumeResult>,
  ): Promise<Subscription>;

  /** Per topic consumed here: messages not yet consumed, held ones too, at most 5 s old. Throws `StoreUnavailable` in an outage. */
  abstract lag(): Readonly<Record<string, number>>;
}
