import { Injectable } from '@nestjs/common';
import { Engine, type EnginePart } from '@ports/engine.port';
import { inTime } from './deadline.js';

const PROBE_MS = 2_000;

/** Whether requests are served, and which part is to blame when not. */
@Injectable()
export class Readiness {
  private serving = false;

  constructor(private readonly engine: Engine) {}

  set(serving: boolean): void {
    this.serving = serving;
  }

  async parts(): Promise<readonly EnginePart[]> {
    return [{ name: 'gateway', ready: this.serving }, ...(await this.engineParts())];
  }

  /** A part that does not answer is as good as gone. */
  private async engineParts(): Promise<readonly EnginePart[]> {
    const silent: readonly EnginePart[] = [{ name: 'engine', ready: false }];
    try {
      return await inTime(this.engine.parts(), PROBE_MS, silent);
    } catch {
      return silent;
    }
  }
}
