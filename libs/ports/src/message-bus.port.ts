export interface TopicDeclaration {
  readonly name: string;
  readonly partitions: number;
}

export interface OutgoingMessage {
  /** Messages of one key keep their order. */
  readonly key: string;
  readonly value: string;
}

export interface BusMessage extends OutgoingMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

/** What a consumer says to a message it is offered. */
export type Admission =
  /** Taken. The partition goes on at once; the message counts as consumed when `done` settles, either way. */
  | { readonly kind: 'accepted'; readonly done: Promise<void> }
  /** Not before this instant (epoch milliseconds): the partition holds here and offers it again then. */
  | { readonly kind: 'held'; readonly until: number }
  /** No room: the partition holds here and offers it again when `space` resolves. */
  | { readonly kind: 'full'; readonly space: Promise<void> };

export interface Subscription {
  /** Stops offering, lets accepted messages settle, commits what is done. */
  close(): Promise<void>;
}

/** Topics with partitions and keys. Transport and timer only: losing every topic loses nothing. */
export abstract class MessageBus {
  /** Makes sure that topics exist; a topic that exists keeps its partitions. */
  abstract declare(topics: readonly TopicDeclaration[]): Promise<void>;

  /** Resolves when every message is stored. A rejection means: stored or not, offered or not. */
  abstract publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;

  /**
   * Offers each message of the topics to one member of the group, at least once, in order within a partition,
   * from the oldest uncommitted one on. `handler` must not throw; if it does, the message is offered again later.
   */
  abstract consume(
    group: string,
    topics: readonly string[],
    handler: (message: BusMessage) => Promise<Admission>,
  ): Promise<Subscription>;
}
