import { Engine, type EnginePart } from '@ports/engine.port';
import type { Settings } from '@ports/settings.port';
import { withinDeadline } from './deadline.js';

const PROBE_MS = 2_000;

/** Whether requests are served, and what is missing when they are not, or not all of them. */
export class Readiness {
  private serving = false;

  /** @param name what the process itself is called among the parts */
  constructor(
    private readonly engine: Engine,
    private readonly name: string,
    private readonly settings: Pick<Settings, 'webhookDelivery'>,
  ) {}

  set(serving: boolean): void {
    this.serving = serving;
  }

  async parts(): Promise<readonly EnginePart[]> {
    const held = this.settings.webhookDelivery === 'hold' ? [{ name: 'webhook_delivery', ready: false, needed: false }] : [];
    return [{ name: this.name, ready: this.serving, needed: true }, ...held, ...(await this.engineParts())];
  }

  /** An engine that does not answer in time, or fails to, counts as one needed part that is out of reach. */
  private async engineParts(): Promise<readonly EnginePart[]> {
    const silent: readonly EnginePart[] = [{ name: 'engine', ready: false, needed: true }];
    try {
      return await withinDeadline(this.engine.parts(), PROBE_MS, silent);
    } catch {
      return silent;
    }
  }
}
