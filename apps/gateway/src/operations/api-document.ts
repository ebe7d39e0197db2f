import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { listeningUrl } from '@composition/startup/listening-url';
import type { DocumentName } from '../http/docs/audience.js';
import { applyRouteDocs } from '../http/docs/route-docs.js';
import { completeDocument } from './complete-document.js';

const ABOUT_ADDRESS = 'Where the service is reached.';
/** Placeholder for the server's address in the cached document; no real host has this name. */
const PLACEHOLDER = 'http://address.invalid';
/** Limit of cached documents, one per address, so that made-up hosts cannot fill the memory. */
const MAX_ADDRESSES = 16;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

interface DocumentFacts {
  readonly name: DocumentName;
  readonly title: string;
  /** The path of the page that shows it. */
  readonly page: string;
  /** The module whose routes it is about. */
  readonly module: Type<object>;
  readonly extraModels: readonly Type<object>[];
}

/** The OpenAPI document of one interface. */
export abstract class ApiDocument {
  protected abstract readonly facts: DocumentFacts;
  private app: NestFastifyApplication | null = null;
  private host = '';
  private publicUrl: string | null = null;
  private text: string | null = null;
  private readonly rendered = new Map<string, Buffer>();

  /** @param publicUrl where clients reach the service; null if not configured */
  describe(app: NestFastifyApplication, { host, publicUrl }: { readonly host: string; readonly publicUrl: string | null }): void {
    this.app = app;
    this.host = host;
    this.publicUrl = publicUrl;
  }

  /** The document as JSON; all callers at one address share a buffer. The application must be listening. */
  render(requested: string | null): Buffer {
    const app = this.described();
    const wanted = this.publicUrl ?? requested ?? this.address(app);
    const known = this.rendered.get(wanted);
    if (known) return known;
    // The last slot is reserved for the address that the service listens on.
    const address = this.rendered.size < MAX_ADDRESSES - 1 ? wanted : this.address(app);
    this.text ??= JSON.stringify(this.build(app));
    const document = this.rendered.get(address) ?? Buffer.from(this.text.replaceAll(PLACEHOLDER, address));
    this.rendered.set(address, document);
    return document;
  }

  private described(): NestFastifyApplication {
    if (!this.app) throw new Error('there is no application to describe');
    return this.app;
  }

  /** The description, the tags and the security schemes. */
  protected abstract describeParts(builder: DocumentBuilder): DocumentBuilder;

  /** What it has beside operations. */
  protected abstract addTo(document: OpenAPIObject, app: NestFastifyApplication): void;

  private build(app: NestFastifyApplication): OpenAPIObject {
    const { name, title, page, module, extraModels } = this.facts;
    const builder = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(title)
      .setVersion('1')
      .addServer('{address}', 'The service that serves this document.', {
        address: { default: PLACEHOLDER, description: ABOUT_ADDRESS },
      });
    applyRouteDocs(name);
    const config = this.describeParts(builder).build();
    const document = SwaggerModule.createDocument(app, config, { include: [module], extraModels: [...extraModels] });
    this.addTo(document, app);
    // Client generators reject a contact without an absolute URL.
    const contact = { name: title, url: `${PLACEHOLDER}${page}` };
    Object.assign(document.info, { contact, license: { name: 'MIT', identifier: 'MIT' } });
    completeDocument(document);
    return document;
  }

  /** For a wildcard listener, an address that works on this machine. */
  private address(app: NestFastifyApplication): string {
    return listeningUrl(app, EVERY_ADDRESS.has(this.host) ? '127.0.0.1' : this.host);
  }
}
