import { Injectable } from '@nestjs/common';
import { refuseBadHeaders, refuseMaskedHeaders } from '@domain/endpoint/custom-headers';
import type { Endpoint } from '@domain/endpoint/endpoint';
import type { EndpointDetails } from '@domain/endpoint/endpoint.events';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { AddressGuard } from '@ports/address-guard.port';
import { EndpointDirectory } from './endpoint-directory.js';
import type { EndpointInput, EndpointInputChanges } from './endpoint.commands.js';
import { HeaderSecrets } from './header-secrets.js';

/** Validates what clients send about endpoints, and seals the headers in it. */
@Injectable()
export class EndpointInputs {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly headers: HeaderSecrets,
    private readonly guard: AddressGuard,
  ) {}

  registered(owner: Pick<Endpoint, 'projectId' | 'id'>, { headers, ...others }: EndpointInput): EndpointDetails {
    this.refuseBadUrl(others.url);
    refuseBadHeaders(headers);
    refuseMaskedHeaders(headers);
    return { ...others, sealedHeaders: this.headers.sealed(owner, headers) };
  }

  async changed({ projectId, id }: Endpoint, { headers, ...others }: EndpointInputChanges, envelope: Envelope) {
    if (others.url !== undefined) this.refuseBadUrl(others.url);
    if (headers === undefined) return others;
    refuseBadHeaders(headers);
    await this.headers.sealStored(projectId, envelope);
    const endpoint = await this.directory.load(projectId, id);
    return { ...others, sealedHeaders: this.headers.changed(endpoint, headers) };
  }

  private refuseBadUrl(url: string): void {
    const objection = this.guard.objection(url);
    if (objection !== null) throw new DomainError('url_invalid', `The URL ${objection}.`, { param: 'url' });
  }
}
