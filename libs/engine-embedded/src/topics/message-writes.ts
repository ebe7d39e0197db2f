import type { Database } from '../database.js';
import type { ConsumedRequest, MessageRequest, PublishRequest } from '../writer/requests.js';

export class MessageWrites {
  private readonly declare;
  private readonly add;
  private readonly join;
  private readonly partitions;
  private readonly move;
  private readonly clear;

  constructor(db: Database) {
    this.declare = db.prepare('INSERT INTO topics (name, partitions) VALUES (?, ?) ON CONFLICT (name) DO NOTHING');
    this.partitions = db.prepare('SELECT partitions FROM topics WHERE id = ?');
    this.add = db.prepare('INSERT INTO messages (topic, partition, offset, key, value) VALUES (?, ?, ?, ?, ?)');
    this.join = db.prepare(`
      INSERT INTO offsets (topic, partition, consumers, next) VALUES (:topic, :partition, :group, coalesce(
        (SELECT min(offset) FROM messages WHERE topic = :topic AND partition = :partition),
        (SELECT max(next) FROM offsets WHERE topic = :topic AND partition = :partition),
        0)) ON CONFLICT DO NOTHING`);
    this.move = db.prepare('UPDATE offsets SET next = max(next, ?) WHERE topic = ? AND partition = ? AND consumers = ?');
    this.clear = db.prepare(`
      DELETE FROM messages WHERE topic = :topic AND partition = :partition AND offset <
        (SELECT min(next) FROM offsets WHERE topic = :topic AND partition = :partition)`);
  }

  perform(request: MessageRequest): null {
    switch (request.kind) {
      case 'declare':
        for (const [name, partitions] of request.topics) this.declare.run(name, partitions);
        return null;
      case 'publish':
        return this.publish(request);
      case 'join':
        return this.joinGroup(request.topic, request.group);
      case 'consumed':
        return this.consumed(request);
    }
  }

  private publish({ topic, messages }: PublishRequest): null {
    for (const [partition, offset, key, value] of messages) this.add.run(topic, partition, offset, key, value);
    return null;
  }

  private joinGroup(topic: number, group: string): null {
    const [partitions] = this.partitions.get(topic) as [number];
    for (let partition = 0; partition < partitions; partition += 1) this.join.run({ topic, partition, group });
    return null;
  }

  private consumed({ topic, partition, group, next }: ConsumedRequest): null {
    this.move.run(next, topic, partition, group);
    this.clear.run({ topic, partition });
    return null;
  }
}
