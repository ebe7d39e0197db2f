import { Injectable } from '@nestjs/common';
import { knownKey } from '@domain/project/api-key';
import { projectDecider, type ProjectCommand } from '@domain/project/project.decider';
import type { SecretFingerprint } from '@domain/project/project.events';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { idFor, type RequestContext } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { ProjectDirectory, projectStream } from './project-directory.js';
import type { IssuedKey, Untimed } from './project.commands.js';
import { SecretMint } from './secret-mint.js';

type KeyCreation = Untimed<Extract<ProjectCommand, { type: 'IssueApiKey' | 'RotateApiKey' }>>;

@Injectable()
export class KeyIssue {
  constructor(
    private readonly directory: ProjectDirectory,
    private readonly mint: SecretMint,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Every execution makes a new secret: a retry replaces the first one, which was never handed out. */
  async run(
    context: RequestContext,
    projectId: string,
    toCommand: (keyId: string, fingerprint: SecretFingerprint) => KeyCreation,
  ): Promise<IssuedKey> {
    const project = await this.directory.load(projectId);
    const keyId = idFor(this.ids, context, 'apiKey', 'key');
    const secret = this.mint.newSecret();
    const fingerprint = this.mint.fingerprintOf(secret);
    const command: ProjectCommand = { ...toCommand(keyId, fingerprint), at: this.clock.now() };
    // Decide first: a refusal must not leave a pointer to a key that will never exist.
    projectDecider.decide(command, project);
    await this.mint.point(fingerprint, { projectId, keyId }, context.envelope);
    const commandId = `${context.commandId}:${fingerprint.secretHash}`;
    const { state } = await this.streams.run(projectStream(projectId), projectDecider, command, context.envelope, { commandId });
    return { projectId, key: knownKey(state.keys, keyId), secret };
  }
}
