import { Injectable } from '@nestjs/common';
import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import { previousSecretUntil, type Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import type { EndpointView } from './endpoint.commands.js';
import { EndpointHealth } from './endpoint-health.js';

@Injectable()
export class EndpointViews {
  constructor(
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
  ) {}

  ofNew(endpoint: Endpoint): EndpointView {
    return this.toView(endpoint, null);
  }

  async of(endpoint: Endpoint): Promise<EndpointView> {
    const [view] = await this.all([endpoint]);
    return view ?? this.ofNew(endpoint);
  }

  async all(endpoints: readonly Endpoint[]): Promise<readonly EndpointView[]> {
    if (endpoints.length === 0) return [];
    const failingSince = await this.health.failingSince(endpoints.map(({ id }) => id));
    return endpoints.map((endpoint) => this.toView(endpoint, failingSince.get(endpoint.id) ?? null));
  }

  private toView(endpoint: Endpoint, failingSince: number | null): EndpointView {
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
      failingSince,
      createdAt,
      updatedAt,
      previousSecretExpiresAt: previousSecretUntil(endpoint, this.clock.now()),
    };
  }
}
