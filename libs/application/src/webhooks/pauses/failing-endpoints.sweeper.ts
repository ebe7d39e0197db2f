import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { Ids } from '@ports/ids.port';
import { ReadModels, type DueKey, type StoredRow } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import { duePage } from '../../read-models/due-page.js';
import { TrustedTime } from '../../runtime/log-time.js';
import type { Sweeper } from '../../runtime/sweeper.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../endpoint-health-row.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';

const EVERY_MS = 5_000;
/** A round judges so many and the next continues behind them: disabled and deleted endpoints stay in the list for ever. */
const PAGE = 100;

type Health = StoredRow<EndpointHealthRow>;

/** Pauses endpoints that have failed for long. What failed before an endpoint was resumed or enabled does not count again. */
@Injectable()
export class FailingEndpointsSweeper implements Sweeper {
  readonly name = 'failing-endpoints';
  readonly everyMs = EVERY_MS;
  private readonly log = new Logger('webhooks');
  private from: DueKey | null = null;

  constructor(
    private readonly readModels: ReadModels,
    private readonly endpoints: EndpointDirectory,
    private readonly instances: InstanceRegistry,
    private readonly settings: Settings,
    private readonly time: TrustedTime,
    private readonly ids: Ids,
  ) {}

  async sweep(_: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const { webhookAutoPauseAfterMs: afterMs, webhookDelivery } = this.settings;
    if (afterMs === null || webhookDelivery === 'hold') return;
    const upTo = this.time.now() - afterMs;
    const { rows, next } = await duePage<EndpointHealthRow>(this.readModels, LONG_SINCE, upTo, PAGE, this.from);
    for (const health of rows) {
      signal.throwIfAborted();
      if ((await this.isToPause(health, upTo)) && !(await this.instances.olderLives())) await this.pause(health, round);
    }
    this.from = next;
  }

  private async isToPause({ id, projectId, row }: Health, upTo: number): Promise<boolean> {
    const endpoint = await this.endpoints.find(projectId, id);
    if (endpoint?.status !== 'enabled') return false;
    const since = Math.max(row.longSince ?? Infinity, endpoint.enabledAt);
    return since <= upTo && row.lost.every((at) => at >= since);
  }

  private async pause({ id: endpointId, projectId, row }: Health, envelope: Envelope): Promise<void> {
    const commandId = this.ids.uuid();
    const command = { type: 'PauseEndpoint', endpointId, commandId, reason: 'auto_failing' } as const;
    try {
      await this.endpoints.run(projectId, (at) => ({ at, ...command }), { commandId, envelope });
    } catch (error) {
      // It was disabled or deleted meanwhile.
      if (error instanceof DomainError) return;
      throw error;
    }
    const failing_since = new Date(row.failingSince ?? 0).toISOString();
    this.log.warn('webhook endpoint is paused, it fails for long', {
      endpoint_id: endpointId,
      project_id: projectId,
      failing_since,
    });
  }
}

const LONG_SINCE = [ENDPOINT_HEALTH.name, 'longSince' satisfies keyof EndpointHealthRow] as const;
