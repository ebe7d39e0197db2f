import type { ITopicConfig } from 'kafkajs';
import type { TopicDeclaration } from '@ports/message-bus.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const DAY_MS = 86_400_000;
/** A segment is deleted when its newest message is old enough. */
const SEGMENT_MS = DAY_MS;
const { retentionBeyondWaitMs } = ENGINE_CONSTANTS.kafka;
const FOR_EVER = -1;

/** Why the brokers cannot serve a topic as declared, in words for the operator. */
export class TopicRefused extends Error {
  override readonly name = 'TopicRefused';
}

/** No message is deleted before its wait is over plus twice the longest outage. */
export function topicConfig(
  topic: string,
  { partitions, waitMs = 0 }: TopicDeclaration,
  replicationFactor: number,
): ITopicConfig {
  const configs = {
    'cleanup.policy': 'delete',
    'retention.ms': waitMs + 2 * retentionBeyondWaitMs,
    'retention.bytes': FOR_EVER,
    'segment.ms': SEGMENT_MS,
    // Pointers are too small to be worth compressing.
    'compression.type': 'producer',
    // Message ages must not depend on publishers' clocks.
    'message.timestamp.type': 'LogAppendTime',
    'unclean.leader.election.enable': false,
    'min.insync.replicas': replicationFactor >= 3 ? 2 : 1,
  };
  const configEntries = Object.entries(configs).map(([name, value]) => ({ name, value: String(value) }));
  return { topic, numPartitions: partitions, replicationFactor, configEntries };
}

/** Throws if a topic with these settings would drop messages still needed. */
export function expectToKeep(topic: string, { waitMs = 0 }: TopicDeclaration, settings: ReadonlyMap<string, string>): void {
  const policy = settings.get('cleanup.policy');
  if (policy !== undefined && policy !== 'delete') {
    throw new TopicRefused(`topic ${topic}: cleanup.policy is ${policy}, and must be delete`);
  }
  const retention = Number(settings.get('retention.ms'));
  const needed = waitMs + retentionBeyondWaitMs;
  if (retention !== FOR_EVER && retention < needed) {
    throw new TopicRefused(`topic ${topic}: retention.ms is ${retention}, and must be at least ${needed}`);
  }
}
