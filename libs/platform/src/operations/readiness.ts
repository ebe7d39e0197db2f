import { Engine, type EnginePart } from '@ports/engine.port';
import type { Settings } from '@ports/settings.port';
import { withinDeadline } from './deadline.js';

const PROBE_MS = 2_000;

export class Readiness {
  private serving = false;

  /**
   * @param name the name of this process among the parts
   * @param missingRows the read models whose rows this process waits for
   */
  constructor(
    private readonly engine: Engine,
    private readonly name: string,
    private readonly settings: Pick<Settings, 'webhookDelivery'>,
    private readonly missingRows: () => Promise<readonly string[]> = () => Promise.resolve([]),
  ) {}

  set(serving: boolean): void {
    this.serving = serving;
  }

  async parts(): Promise<readonly EnginePart[]> {
    const held = this.settings.webhookDelivery === 'hold' ? [{ name: 'webhook_delivery', ready: false, needed: false }] : [];
    const [engine, rows] = await Promise.all([this.engineParts(), this.rowsParts()]);
    return [{ name: this.name, ready: this.serving, needed: true }, ...held, ...engine, ...rows];
  }

  /** None while the store does not answer: that is a part of the engine. */
  private async rowsParts(): Promise<readonly EnginePart[]> {
    const missing = await withinDeadline(this.missingRows(), PROBE_MS, []).catch(() => []);
    return missing.map((name) => ({ name: `rows_of_${name}`, ready: false, needed: true }));
  }

  /** An engine that fails to answer in time counts as one needed part that is down. */
  private async engineParts(): Promise<readonly EnginePart[]> {
    const silent: readonly EnginePart[] = [{ name: 'engine', ready: false, needed: true }];
    try {
      return await withinDeadline(this.engine.parts(), PROBE_MS, silent);
    } catch {
      return silent;
    }
  }
}
