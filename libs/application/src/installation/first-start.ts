import { Injectable } from '@nestjs/common';
import { installationDecider, type Installation } from '@domain/project/installation.decider';
import { projectDecider } from '@domain/project/project.decider';
import { SCOPES } from '@domain/project/scope';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock, pause } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { AdminPasswords } from '../admin/admin-passwords.js';
import { projectStream } from '../projects/project-directory.js';
import { SecretMint } from '../projects/secret-mint.js';
import { timerRound } from '../runtime/timer-round.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { FirstStartTurn } from './first-start-turn.js';
import { INSTALLATION_STREAM } from './installation-seal.js';

const LOOK_AGAIN_MS = 200;

/** What the operator chose; null where it is generated. */
export interface FirstSecrets {
  readonly apiKey: string | null;
  readonly adminPassword: string | null;
}

/** Shown once. A secret that the operator chose is null: it is never shown. */
export interface Announcement {
  readonly projectId: string;
  readonly projectName: string;
  readonly apiKey: string | null;
  readonly adminPassword: string | null;
}

/** Creates a project, a key with every scope and the admin password. A repeated start replaces only unannounced secrets. */
@Injectable()
export class FirstStart {
  constructor(
    private readonly streams: StreamRunner,
    private readonly mint: SecretMint,
    private readonly passwords: AdminPasswords,
    private readonly turn: FirstStartTurn,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Announces nothing when an earlier start finished. `announce` must have shown the secrets when its promise resolves. */
  async run(chosen: FirstSecrets, announce: (made: Announcement) => Promise<void> | void): Promise<void> {
    while (!(await this.isOver())) {
      if (!(await this.turn.take())) {
        await pause(this.clock, LOOK_AGAIN_MS);
        continue;
      }
      if (await this.isOver()) return;
      const start = timerRound(this.ids, 'first-start');
      await announce(await this.make(chosen, start));
      const complete = { type: 'Complete', at: this.clock.now() } as const;
      await this.streams.run(INSTALLATION_STREAM, installationDecider, complete, start);
      return;
    }
  }

  /** Resolves once a gateway has completed the first start; rejects while the log is unreachable. */
  async finished(): Promise<void> {
    while (!(await this.isOver())) await pause(this.clock, LOOK_AGAIN_MS);
  }

  async isOver(): Promise<boolean> {
    return (await this.streams.load(INSTALLATION_STREAM, installationDecider)).state.completed;
  }

  private async make(chosen: FirstSecrets, start: Envelope): Promise<Announcement> {
    const { projectId, keyId } = await this.begin(start);
    const at = this.clock.now();
    const projectName = 'default';
    const create = { type: 'CreateProject', at, projectId, name: projectName } as const;
    await this.streams.run(projectStream(projectId), projectDecider, create, start);
    const apiKey = chosen.apiKey ?? this.mint.newSecret();
    const fingerprint = this.mint.fingerprintOf(apiKey);
    await this.mint.point(fingerprint, { projectId, keyId }, start);
    const terms = { keyId, name: 'default', scopes: SCOPES, expiresAt: null };
    await this.streams.run(projectStream(projectId), projectDecider, { type: 'IssueApiKey', at, terms, fingerprint }, start);
    const adminPassword = chosen.adminPassword ?? this.passwords.invent();
    await this.passwords.set(adminPassword, start);
    return {
      projectId,
      projectName,
      apiKey: chosen.apiKey === null ? apiKey : null,
      adminPassword: chosen.adminPassword === null ? adminPassword : null,
    };
  }

  private async begin(start: Envelope): Promise<{ projectId: string; keyId: string }> {
    const command = {
      type: 'Begin',
      at: this.clock.now(),
      projectId: this.ids.next('project'),
      keyId: this.ids.next('apiKey'),
    } as const;
    const ran = await this.streams.run(INSTALLATION_STREAM, installationDecider, command, start);
    const { projectId, keyId }: Installation = ran.state;
    if (projectId === null || keyId === null) throw new Error('an installation that began has no project');
    return { projectId, keyId };
  }
}
