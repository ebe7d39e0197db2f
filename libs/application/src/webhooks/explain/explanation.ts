import type { DeliveryStatus } from '@domain/delivery/delivery';
import type { Facts, Told } from './facts.js';
import { aboutDelivery } from './about-delivery.js';
import { aboutMissing } from './about-missing.js';

export interface Explanation extends Told {
  /** Of the last delivery; null without one. */
  readonly status: DeliveryStatus | null;
}

export function explanationOf(facts: Facts): Explanation {
  const { last } = facts;
  return last ? { status: last.status, ...aboutDelivery(last, facts) } : { status: null, ...aboutMissing(facts) };
}
