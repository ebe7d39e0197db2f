import type { AttemptTimings } from '@domain/delivery/attempt-timings';
import type { Clock } from '@ports/clock.port';

type Step = 'dnsMs' | 'connectMs' | 'tlsMs';

/** How long each step of making a connection took; of a step that is made again the last time counts. */
export class DialTimings {
  private readonly taken: Partial<Record<Step, number>> = {};

  constructor(private readonly clock: Clock) {}

  /** A step that fails is not noted. */
  async note<Result>(step: Step, work: () => Promise<Result>): Promise<Result> {
    const begunAt = this.clock.elapsed();
    const result = await work();
    this.taken[step] = Math.round(this.clock.elapsed() - begunAt);
    return result;
  }

  get all(): Pick<AttemptTimings, Step> {
    const { dnsMs = null, connectMs = null, tlsMs = null } = this.taken;
    return { dnsMs, connectMs, tlsMs };
  }
}
