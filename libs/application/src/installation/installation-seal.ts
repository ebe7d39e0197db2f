import { Injectable } from '@nestjs/common';
import { installationDecider } from '@domain/project/installation.decider';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { timerRound } from '../runtime/timer-round.js';
import { StreamRunner } from '../streams/stream-runner.js';

export const INSTALLATION_STREAM = 'installation-default';

/** This process's key is not the one that the installation's secrets are sealed with. */
export class AnotherKey extends Error {}

/** Ensures that the same key is always used: with another, stored secrets and idempotency records are unreadable. */
@Injectable()
export class InstallationSeal {
  constructor(
    private readonly streams: StreamRunner,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Rejects with `AnotherKey`. The first start seals its key in, after `keepKey` has stored it where the next start finds it. */
  async compare(keepKey: () => void): Promise<void> {
    const { state: before } = await this.streams.load(INSTALLATION_STREAM, installationDecider);
    if (before.keyFingerprint === null) keepKey();
    const keyFingerprint = this.secrets.keyedHash('installation', 'seal');
    const seal = { type: 'Seal', at: this.clock.now(), keyFingerprint } as const;
    const { state } = await this.streams.run(INSTALLATION_STREAM, installationDecider, seal, timerRound(this.ids, 'seal'));
    if (state.keyFingerprint !== keyFingerprint) throw new AnotherKey('the installation is sealed with another key');
  }
}
