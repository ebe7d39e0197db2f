import { Injectable } from '@nestjs/common';
import { SkippedEventDirectory } from '../../skipped-events/skipped-event-directory.js';

/** Which rows lack an event that could not be applied. */
@Injectable()
export class StaleRows {
  constructor(private readonly skipped: SkippedEventDirectory) {}

  async has(projection: string, id: string): Promise<boolean> {
    const { unresolved } = await this.skipped.load(projection);
    return Object.values(unresolved).some(({ rows }) => rows.includes(id));
  }
}
