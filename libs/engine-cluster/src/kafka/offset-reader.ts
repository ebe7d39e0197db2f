import type { Admin } from 'kafkajs';
import type { LastingClient } from './lasting-client.js';

export class OffsetReader {
  constructor(
    private readonly admin: LastingClient<Admin>,
    private readonly group: string,
  ) {}

  /** By partition; null if it has none. Partitions unknown to the driver are missing. */
  async of(topic: string): Promise<ReadonlyMap<number, bigint | null>> {
    const [found] = await this.admin.use((admin) => admin.fetchOffsets({ groupId: this.group, topics: [topic] }));
    const offsets = (found?.partitions ?? []).map(({ partition, offset }) => [partition, BigInt(offset)] as const);
    return new Map(offsets.map(([partition, offset]) => [partition, offset >= 0n ? offset : null]));
  }
}

export interface LogBounds {
  readonly low: bigint;
  readonly high: bigint;
}

export async function logBounds(admin: LastingClient<Admin>, topic: string): Promise<ReadonlyMap<number, LogBounds>> {
  const offsets = await admin.use((client) => client.fetchTopicOffsets(topic));
  return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
}
