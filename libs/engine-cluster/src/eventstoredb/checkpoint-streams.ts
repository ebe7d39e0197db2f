import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { Connection } from './connection.js';

const { deadlineMs, keptCheckpoints } = ENGINE_CONSTANTS.eventStoreDb;

/** The streams of the reactors' checkpoints: the server keeps the newest few events of each, where only the last one counts. */
export class CheckpointStreams {
  private readonly bounded = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly prefix: string,
  ) {}

  /** Sees to it that the stream is bounded, once in this process. Called after each append; a failure is made up for by the next. */
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
