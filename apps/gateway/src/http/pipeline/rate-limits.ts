import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { FastifyReply } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { InstanceRegistry } from '@application/instances/instance-registry';
import type { Caller } from '@application/projects/caller';
import type { RateClass } from '../routes/routes.js';

const BURST_SECONDS = 2;
const REGISTRATIONS_PER_SECOND = 10;
const BUCKETS_CACHED = 20_000;
/** Rates are whole numbers, so a token comes at least every second. */
const RETRY_AFTER_SECONDS = 1;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Token buckets of this gateway's share of the limit. They start full: evicting one grants a few extra requests. */
@Injectable()
export class RateLimits {
  private readonly buckets = new LRUCache<string, Bucket>({ max: BUCKETS_CACHED });

  constructor(
    private readonly clock: Clock,
    private readonly instances: InstanceRegistry,
  ) {}

  /** Sets the rate limit headers, or refuses with `rate_limit_exceeded`. */
  take(caller: Caller, rateClass: RateClass, reply: FastifyReply): void {
    const limit = sustained(caller, rateClass);
    if (limit === 0) return;
    const perSecond = Math.max(1, Math.floor(limit / this.instances.gateways));
    const quota = perSecond * BURST_SECONDS;
    const bucket = this.filled(`${rateClass} ${caller.projectId}`, perSecond, quota);
    const granted = bucket.tokens >= 1;
    if (granted) bucket.tokens -= 1;
    const left = Math.floor(bucket.tokens);
    const fullIn = Math.ceil((quota - bucket.tokens) / perSecond);
    void reply
      .header('ratelimit-policy', `"${rateClass}";q=${quota};w=${BURST_SECONDS}`)
      .header('ratelimit', `"${rateClass}";r=${left};t=${fullIn}`)
      .header('ratelimit-limit', String(quota))
      .header('ratelimit-remaining', String(left))
      .header('ratelimit-reset', String(fullIn));
    if (granted) return;
    throw new DomainError('rate_limit_exceeded', 'Too many requests of this kind.', { retryAfter: RETRY_AFTER_SECONDS });
  }

  /** Undoes a `take` of the same request. */
  giveBack(caller: Caller, rateClass: RateClass): void {
    const bucket = this.buckets.get(`${rateClass} ${caller.projectId}`);
    if (bucket) bucket.tokens += 1;
  }

  private filled(key: string, perSecond: number, quota: number): Bucket {
    const now = this.clock.now();
    const bucket = this.buckets.get(key);
    if (!bucket) return this.fresh(key, quota, now);
    const elapsed = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(quota, bucket.tokens + (elapsed * perSecond) / 1000);
    bucket.filledAt = now;
    return bucket;
  }

  private fresh(key: string, quota: number, now: number): Bucket {
    const bucket = { tokens: quota, filledAt: now };
    this.buckets.set(key, bucket);
    return bucket;
  }
}

/** Registrations are writes with a tighter limit: turning off the limit of writes turns off theirs. */
function sustained({ rateLimits }: Caller, rateClass: RateClass): number {
  if (rateClass !== 'registration') return rateLimits[rateClass];
  return rateLimits.write === 0 ? 0 : REGISTRATIONS_PER_SECOND;
}
