import { Injectable } from '@nestjs/common';
import type { Envelope } from '@domain/kernel/envelope';
import { newApiKeySecret, shownPrefix } from '@domain/project/api-key-secret';
import { keyPointerDecider, type KeyTarget } from '@domain/project/key-pointer.decider';
import type { SecretFingerprint } from '@domain/project/project.events';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { StreamRunner } from '../streams/stream-runner.js';

/** Only the hash and prefix of a secret are stored. */
@Injectable()
export class SecretMint {
  constructor(
    private readonly ids: Ids,
    private readonly secrets: Secrets,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
  ) {}

  newSecret(): string {
    return newApiKeySecret(
      (count) => this.ids.bytes(count),
      (text) => this.secrets.hash(text),
    );
  }

  fingerprintOf(secret: string): SecretFingerprint {
    return { secretHash: this.secrets.hash(secret), prefix: shownPrefix(secret) };
  }

  /** Must run before the key is appended: a pointer without key is harmless, a key without pointer unusable. */
  async point({ secretHash }: SecretFingerprint, { projectId, keyId }: KeyTarget, envelope: Envelope): Promise<void> {
    const command = { type: 'PointKey', at: this.clock.now(), projectId, keyId } as const;
    await this.streams.run(keyStream(secretHash), keyPointerDecider, command, envelope);
  }
}

export function keyStream(secretHash: string): string {
  return `key-${secretHash}`;
}
