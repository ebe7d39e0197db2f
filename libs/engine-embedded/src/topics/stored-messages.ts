import type { Reading } from '../database.js';
import type { PlacedMessage } from './topic.js';

export class StoredMessages {
  private readonly allTopics;
  private readonly lastOffset;
  private readonly lastCommitted;
  private readonly committedBy;
  private readonly from;

  constructor(db: Reading) {
    this.allTopics = db.prepare('SELECT id, name, partitions FROM topics');
    this.lastOffset = db.prepare('SELECT max(offset) FROM messages WHERE topic = ? AND partition = ?');
    this.lastCommitted = db.prepare('SELECT max(next) FROM offsets WHERE topic = ? AND partition = ?');
    this.committedBy = db.prepare('SELECT next FROM offsets WHERE topic = ? AND partition = ? AND consumers = ?');
    this.from = db.prepare(
      'SELECT offset, key, value FROM messages WHERE topic = ? AND partition = ? AND offset >= ? ORDER BY offset LIMIT ?',
    );
  }

  topics(): readonly { id: number; name: string; partitions: number }[] {
    const rows = this.allTopics.all() as unknown as [number, string, number][];
    return rows.map(([id, name, partitions]) => ({ id, name, partitions }));
  }

  /** The next free offset, beyond all ever stored, consumed ones included. */
  nextOffset(topic: number, partition: number): number {
    const [last] = this.lastOffset.get(topic, partition) as unknown as [number | null];
    const [committed] = this.lastCommitted.get(topic, partition) as unknown as [number | null];
    return Math.max((last ?? -1) + 1, committed ?? 0);
  }

  committed(topic: number, partition: number, group: string): number {
    return (this.committedBy.get(topic, partition, group) as unknown as [number] | undefined)?.[0] ?? 0;
  }

  read(topic: number, partition: number, from: number, limit: number): PlacedMessage[] {
    const rows = this.from.all(topic, partition, from, limit) as unknown as [number, string, string][];
    return rows.map(([offset, key, value]) => ({ partition, offset, key, value }));
  }
}
