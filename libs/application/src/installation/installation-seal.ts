import { Injectable } from '@nestjs/common';
import { installationDecider } from '@domain/project/installation.decider';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { timerRound } from '../runtime/timer-round.js';
import { StreamRunner } from '../streams/stream-runner.js';

export const INSTALLATION_STREAM = 'installation-default';

/** This process has another key than the one that the installation's secrets are sealed with. */
export class AnotherKey extends Error {}

/** Holds an installation to the key it began with: under another its secrets stay shut, and no repeated request is known. */
@Injectable()
export class InstallationSeal {
  constructor(
    private readonly streams: StreamRunner,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Rejects with `AnotherKey`. The first start decides which key it is: it is sealed in once `keepKey` has put it where
   * the next start finds it.
   */
  async compare(keepKey: () => void): Promise<void> {
    const { state: before } = await this.streams.load(INSTALLATION_STREAM, installationDecider);
    if (before.keyTrace === null) keepKey();
    const keyTrace = this.secrets.keyedHash('installation', 'seal');
    const seal = { type: 'Seal', at: this.clock.now(), keyTrace } as const;
    const { state } = await this.streams.run(INSTALLATION_STREAM, installationDecider, seal, timerRound(this.ids, 'seal'));
    if (state.keyTrace !== keyTrace) throw new AnotherKey('the installation is sealed with another key');
  }
}
