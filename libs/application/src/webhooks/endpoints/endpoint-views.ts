import { Injectable } from '@nestjs/common';
import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import { previousSecretUntil, type Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import type { EndpointView } from './endpoint.commands.js';
import { EndpointHealth, type EndpointCondition } from './endpoint-health.js';

const FRESH: EndpointCondition = { failingSince: null, oldestPendingAt: null };

@Injectable()
export class EndpointViews {
  constructor(
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
  ) {}

  ofNew(endpoint: Endpoint): EndpointView {
    return this.toView(endpoint, FRESH);
  }

  async of(endpoint: Endpoint): Promise<EndpointView> {
    const [view] = await this.all([endpoint]);
    return view ?? this.ofNew(endpoint);
  }

  /** Of endpoints of one project. */
  async all(endpoints: readonly Endpoint[]): Promise<readonly EndpointView[]> {
    const [first] = endpoints;
    if (!first) return [];
    const ids = endpoints.map(({ id }) => id);
    const conditions = await this.health.conditions(first.projectId, ids);
    return endpoints.map((endpoint) => this.toView(endpoint, conditions.get(endpoint.id) ?? FRESH));
  }

  private toView(endpoint: Endpoint, condition: EndpointCondition): EndpointView {
    const { id, url, filters, status, description, sealedHeaders, plainHeaders, metadata } = endpoint;
    const { disabledReason, disableOnGone, rateLimitPerSecond, pausedAt, pausedReason } = endpoint;
    const { secretHint, secretRotatedAt, createdAt, updatedAt } = endpoint;
    const names = Object.keys({ ...plainHeaders, ...sealedHeaders });
    const headers = Object.fromEntries(names.map((name) => [name, MASKED_VALUE]));
    return {
      id,
      url,
      filters,
      status,
      disabledReason,
      disableOnGone,
      rateLimitPerSecond,
      pausedAt,
      pausedReason,
      description,
      headers,
      metadata,
      secretHint,
      secretRotatedAt,
      ...condition,
      createdAt,
      updatedAt,
      previousSecretExpiresAt: previousSecretUntil(endpoint, this.clock.now()),
    };
  }
}
