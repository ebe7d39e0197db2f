import { FakeClock } from '@testing/fake-clock';
import fc from 'fast-check';
import type { Producer, ProducerRecord } from 'kafkajs';
import type { DeclaredTopics } from './declared-topics.js';
import { LastingClient } from './lasting-client.js';
import { MessageSender } from './message-sender.js';
import { TopicRefused } from './topic-config.js';

const BYTES_AT_ONCE = 524_288;

function sender(ready: () => Promise<void> = () => Promise.resolve()) {
  const sent: ProducerRecord[] = [];
  const producer = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    send: (record: ProducerRecord) => Promise.resolve(void sent.push(record)),
  };
  const topics = { nameOf: (topic: string) => `run.${topic}`, ready } as unknown as DeclaredTopics;
  const told: string[] = [];
  const log = { tell: (sentence: string) => void told.push(sentence) };
  const client = new LastingClient(() => producer as unknown as Producer, new FakeClock());
  return { sent, told, sender: new MessageSender(client, topics, log) };
}

describe('publishing', () => {
  it('stores nothing for no messages', async () => {
    const under = sender();
    await under.sender.publish('topic', []);
    expect(under.sent).toEqual([]);
  });

  it('fails for a topic that is not there', async () => {
    const under = sender(() => Promise.reject(new TopicRefused('topic is not declared')));
    await expect(under.sender.publish('topic', [{ key: 'k', value: 'v' }])).rejects.toThrow('not declared');
    expect(under.sent).toEqual([]);
    expect(under.told).toEqual(['Kafka does not store messages: topic is not declared']);
  });

  it('law: stores every message once and in order, in requests that a broker takes, by all replicas in sync', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 400_000 }), { minLength: 1, maxLength: 12 }), async (sizes) => {
        const under = sender();
        const messages = sizes.map((size, index) => ({ key: String(index), value: 'ä'.repeat(size / 2) }));
        await under.sender.publish('topic', messages);
        expect(under.sent.flatMap((record) => record.messages)).toEqual(messages);
        for (const { topic, acks, messages: part } of under.sent) {
          expect([topic, acks]).toEqual(['run.topic', -1]);
          const bytes = part.reduce(
            (sum, { key, value }) => sum + Buffer.byteLength(key ?? '') + Buffer.byteLength(value ?? ''),
            0,
          );
          expect(bytes <= BYTES_AT_ONCE || part.length === 1).toBe(true);
        }
      }),
      { numRuns: 30 },
    ));
});
