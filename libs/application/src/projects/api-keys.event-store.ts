import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '@domain/kernel/domain-error';
import { statusOf, type ApiKey } from '@domain/project/api-key';
import { API_KEY_PREFIX } from '@domain/project/api-key-secret';
import { keyPointerDecider, type KeyTarget } from '@domain/project/key-pointer.decider';
import type { Project } from '@domain/project/project.decider';
import { Secrets } from '@ports/secrets.port';
import { StreamRunner } from '../streams/stream-runner.js';
import { ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';
import { TrustedTime } from '../runtime/log-time.js';
import { KeyUsage } from './key-usage.js';
import { ProjectDirectory } from './project-directory.js';
import { keyStream } from './secret-mint.js';

const SECRETS_CACHED = 10_000;

interface Known {
  readonly target: KeyTarget;
  readonly project: Project;
  readonly key: ApiKey;
  readonly caller: Caller;
}

/** Finds callers by the hash of their secret. A key used within the last second costs one hash and no read. */
@Injectable()
export class EventStoreApiKeys extends ApiKeys {
  private readonly remembered = new LRUCache<string, Known>({ max: SECRETS_CACHED });

  constructor(
    private readonly directory: ProjectDirectory,
    private readonly usage: KeyUsage,
    private readonly streams: StreamRunner,
    private readonly secrets: Secrets,
    private readonly time: TrustedTime,
  ) {
    super();
  }

  async authenticate(secret: string | null): Promise<Caller> {
    if (secret === null || secret === '') throw new DomainError('api_key_missing', 'Send an API key: Authorization: Bearer sk_…');
    if (!secret.startsWith(API_KEY_PREFIX)) throw invalid();
    const hash = this.secrets.hash(secret);
    return this.used(this.stillGood(hash, await this.recentProject(hash)) ?? (await this.judge(hash)));
  }

  async isActive(secret: string): Promise<boolean> {
    try {
      await this.judge(this.secrets.hash(secret));
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private used({ key, caller }: Known): Caller {
    this.usage.note(key.id);
    return caller;
  }

  private async recentProject(hash: string): Promise<Project | null> {
    const known = this.remembered.get(hash);
    return known ? this.directory.recent(known.target.projectId) : null;
  }

  private stillGood(hash: string, project: Project | null): Known | null {
    const known = this.remembered.get(hash);
    if (!known || !project) return null;
    if (known.project === project) return statusOf(known.key, this.time.now()) === 'active' ? known : null;
    return this.remember(hash, known.target, project);
  }

  /** Authenticates against the newest state: a refusal by an older one could be wrong, as the key may be newer. */
  private async judge(hash: string): Promise<Known> {
    const { state: target } = await this.streams.load(keyStream(hash), keyPointerDecider);
    if (!target) throw invalid();
    const project = await this.directory.load(target.projectId);
    const known = this.remember(hash, target, project);
    if (known) return known;
    const key = keyWith(hash, target, project);
    if (!key) throw invalid();
    if (key.revokedAt !== null) throw new DomainError('api_key_revoked', 'This API key was revoked.');
    throw new DomainError('api_key_expired', 'This API key has expired.');
  }

  private remember(hash: string, target: KeyTarget, project: Project): Known | null {
    this.remembered.delete(hash);
    const key = keyWith(hash, target, project);
    if (!key || statusOf(key, this.time.now()) !== 'active') return null;
    const known = { target, project, key, caller: this.callerOf(project, key) };
    this.remembered.set(hash, known);
    return known;
  }

  private callerOf(project: Project, { id: keyId, scopes }: ApiKey): Caller {
    const { replyWindowMs, rateLimits } = this.directory.settingsOf(project);
    return { projectId: project.id, keyId, scopes, replyWindowMs, rateLimits };
  }
}

function keyWith(hash: string, { keyId }: KeyTarget, { keys }: Project): ApiKey | undefined {
  return keys.find(({ id, secretHash }) => id === keyId && secretHash === hash);
}

function invalid(): DomainError {
  return new DomainError('api_key_invalid', 'This API key is unknown.');
}
