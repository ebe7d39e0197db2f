import type { OutgoingMessage } from '@ports/message-bus.port';

export interface PlacedMessage extends OutgoingMessage {
  readonly partition: number;
  readonly offset: number;
}

/** A topic and the next offset of each of its partitions. */
export class Topic {
  constructor(
    readonly id: number,
    readonly name: string,
    private readonly next: number[],
  ) {}

  get partitions(): number {
    return this.next.length;
  }

  /** The offset of the next message. */
  end(partition: number): number {
    return this.next[partition] ?? 0;
  }

  place({ key, value }: OutgoingMessage): PlacedMessage {
    const partition = hashOf(key) % this.next.length;
    const offset = this.next[partition] ?? 0;
    this.next[partition] = offset + 1;
    return { partition, offset, key, value };
  }
}

/** FNV-1a over the key's UTF-16 units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
