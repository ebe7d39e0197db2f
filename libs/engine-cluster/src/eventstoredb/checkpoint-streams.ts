import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { Connection } from './connection.js';

const { deadlineMs, keptCheckpoints } = ENGINE_CONSTANTS.eventStoreDb;

/** Has the server keep only the newest events of reactors' checkpoint streams. */
export class CheckpointStreams {
  private readonly bounded = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly prefix: string,
  ) {}

  /** Bounds the stream once per process. Called after each append, so a failure is retried. */
  async bound(stream: string): Promise<void> {
    if (!stream.startsWith('reactor-') || this.bounded.has(stream)) return;
    this.bounded.add(stream);
    try {
      const name = this.prefix + stream;
      const { metadata } = await this.connection.call(deadlineMs, (client, options) => client.getStreamMetadata(name, options));
      if (metadata?.maxCount === keptCheckpoints) return;
      const bound = { ...metadata, maxCount: keptCheckpoints };
      await this.connection.call(deadlineMs, (client, options) => client.setStreamMetadata(name, bound, options));
    } catch {
      this.bounded.delete(stream);
    }
  }
}
