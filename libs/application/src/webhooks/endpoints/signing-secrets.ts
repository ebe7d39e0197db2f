import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { signingSecrets, type Endpoint } from '@domain/endpoint/endpoint';
import type { SealedSecret } from '@domain/endpoint/endpoint.events';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { signatureHeaders, SIGNING_SECRET_PREFIX, type Signed } from './signatures.js';

const RANDOM_BYTES = 36;
const HINT_LENGTH = 5;
const SECRETS_CACHED = 1_000;

export interface NewSecret {
  readonly sealed: string;
  readonly hint: string;
}

/** Stored encrypted, decrypted to sign and to be shown once. */
@Injectable()
export class SigningSecrets {
  private readonly opened = new LRUCache<string, string>({ max: SECRETS_CACHED });

  constructor(
    private readonly ids: Ids,
    private readonly secrets: Secrets,
  ) {}

  make(projectId: string, endpointId: string): NewSecret {
    const secret = SIGNING_SECRET_PREFIX + Buffer.from(this.ids.bytes(RANDOM_BYTES)).toString('base64');
    const sealed = this.secrets.seal(secret, contextOf(projectId, endpointId));
    return { sealed, hint: `…${secret.slice(-HINT_LENGTH)}` };
  }

  shown({ projectId, id }: Endpoint, sealed: SealedSecret): string {
    return this.secrets.open(sealed, contextOf(projectId, id));
  }

  /** One signature for every secret that is valid at this instant. */
  signatures(endpoint: Endpoint, at: number, signed: Signed): Readonly<Record<string, string>> {
    const context = contextOf(endpoint.projectId, endpoint.id);
    const secrets = signingSecrets(endpoint, at).map((sealed) => this.open(sealed, context));
    return signatureHeaders((key, message, encoding) => this.secrets.hmac(key, message, encoding), secrets, signed);
  }

  private open(sealed: string, context: string): string {
    const name = `${context} ${sealed}`;
    let secret = this.opened.get(name);
    if (secret === undefined) {
      secret = this.secrets.open(sealed, context);
      this.opened.set(name, secret);
    }
    return secret;
  }
}

function contextOf(projectId: string, endpointId: string): string {
  return `endpoint ${projectId} ${endpointId}`;
}
