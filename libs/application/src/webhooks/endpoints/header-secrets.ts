import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import type { Endpoint } from '@domain/endpoint/endpoint';
import type { SealedHeaders, SealedSecret } from '@domain/endpoint/endpoint.events';
import type { HeaderChanges } from '@domain/endpoint/header-changes';
import type { Envelope } from '@domain/kernel/envelope';
import { Secrets } from '@ports/secrets.port';
import { EndpointDirectory } from './endpoint-directory.js';

const VALUES_CACHED = 2_000;

type Headers = Readonly<Record<string, string>>;
type Owner = Pick<Endpoint, 'projectId' | 'id'>;

/** Custom header values are secrets: stored encrypted, decrypted to be sent. */
@Injectable()
export class HeaderSecrets {
  /** Decrypted values by context and ciphertext: each webhook of an endpoint needs them. */
  private readonly opened = new LRUCache<string, string>({ max: VALUES_CACHED });

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly secrets: Secrets,
  ) {}

  sealed(owner: Owner, headers: Headers): SealedHeaders {
    return mapped(headers, (value, name) => this.secrets.seal(value, contextOf(owner, name)));
  }

  /** An unchanged value is not encrypted again, and a masked one is kept. */
  changed(endpoint: Endpoint, headers: Headers): HeaderChanges {
    const present = this.values(endpoint);
    return mapped(headers, (value, name) => {
      if (value === MASKED_VALUE) return null;
      const before = endpoint.sealedHeaders[name];
      return before !== undefined && present[name] === value ? before : this.secrets.seal(value, contextOf(endpoint, name));
    });
  }

  values(endpoint: Endpoint): Headers {
    return { ...endpoint.plainHeaders, ...mapped(endpoint.sealedHeaders, (sealed, name) => this.open(endpoint, name, sealed)) };
  }

  /** Seals plain values of earlier versions, with one event per endpoint. */
  async sealStored(projectId: string, envelope: Envelope): Promise<void> {
    const { endpoints } = await this.directory.all(projectId);
    for (const { id: endpointId, plainHeaders } of endpoints) {
      if (Object.keys(plainHeaders).length === 0) continue;
      const sealedHeaders = this.sealed({ projectId, id: endpointId }, plainHeaders);
      const command = { type: 'SealEndpointHeaders', endpointId, plainHeaders, sealedHeaders } as const;
      await this.directory.run(projectId, (at) => ({ at, ...command }), {
        commandId: `seal ${endpointId}`,
        envelope,
      });
    }
  }

  private open(owner: Owner, name: string, sealed: SealedSecret): string {
    const context = contextOf(owner, name);
    const key = `${context} ${sealed}`;
    let value = this.opened.get(key);
    if (value === undefined) {
      value = this.secrets.open(sealed, context);
      this.opened.set(key, value);
    }
    return value;
  }
}

function mapped<Value>(headers: Headers, map: (value: string, name: string) => Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value, name)]));
}

/** Header names are case-insensitive. */
function contextOf({ projectId, id }: Owner, name: string): string {
  return `header ${projectId} ${id} ${name.toLowerCase()}`;
}
