import { Injectable } from '@nestjs/common';
import { auditDecider, type AuditCommand } from '@domain/audit/audit.decider';
import type { AuditedRequest, AuditEvent } from '@domain/audit/audit.events';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { StreamRunner } from '../streams/stream-runner.js';
import { auditStream } from './audit-entries.projection.js';

/** An entry has less than 2 KiB, and an append may have 1 MiB. */
const MAX_ENTRIES_AN_APPEND = 200;

interface Waiting {
  readonly request: AuditedRequest;
  readonly envelope: Envelope;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What was asked of the admin API. All of a day is one stream: requests that wait for an append go with the next one together. */
@Injectable()
export class AuditTrail {
  private waiting: Waiting[] = [];
  private isAppending = false;

  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the entry is durable. Rejects with the store's error. */
  record(request: AuditedRequest, envelope: Envelope): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, envelope, resolve, reject });
      if (!this.isAppending) void this.appendAll();
    });
  }

  /** Never rejects. */
  private async appendAll(): Promise<void> {
    this.isAppending = true;
    while (this.waiting.length > 0) {
      const entries = this.waiting.splice(0, MAX_ENTRIES_AN_APPEND);
      try {
        await this.append(entries);
        for (const { resolve } of entries) resolve();
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }
    this.isAppending = false;
  }

  private async append(entries: readonly Waiting[]): Promise<void> {
    const at = this.clock.now();
    const stream = auditStream(at);
    const commands = entries.map(({ request }): AuditCommand => ({
      type: 'AuditRequest',
      at,
      entryId: this.ids.next('audit', at),
      request,
    }));
    await this.findEnd(stream);
    await this.streams.run(
      stream,
      auditDecider,
      commands,
      entries.map(({ envelope }) => envelope),
    );
  }

  /** Nothing is folded, so the last event is enough: the day may have many. */
  private async findEnd(stream: string): Promise<void> {
    if (this.streams.cache.get(stream)) return;
    this.streams.cache.prime(
      stream,
      auditDecider,
      await this.store.read<AuditEvent>(stream, { direction: 'backwards', limit: 1 }),
    );
  }
}
