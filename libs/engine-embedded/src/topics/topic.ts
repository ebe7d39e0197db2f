import type { OutgoingMessage } from '@ports/message-bus.port';

export interface PlacedMessage extends OutgoingMessage {
  readonly partition: number;
  readonly offset: number;
}

export class Topic {
  constructor(
    readonly id: number,
    readonly name: string,
    private readonly next: number[],
  ) {}

  get partitions(): number {
    return this.next.length;
  }

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

function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
