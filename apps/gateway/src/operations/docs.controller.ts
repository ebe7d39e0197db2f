import { Controller, Get, Header, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { AdminApiDocument } from './admin-api-document.js';
import { ClientApiDocument } from './client-api-document.js';
import { ADMIN_DOCS, CLIENT_DOCS, docsPage, docsStart } from './docs-page.js';
import { errorsPage } from './errors-page.js';
import { addressOf } from './address-of.js';

const UI = uiFolder();
// Swagger UI sets inline styles, which need 'unsafe-inline'.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

@ApiExcludeController()
@Controller()
export class DocsController {
  private readonly files = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly client: ClientApiDocument,
    private readonly admin: AdminApiDocument,
  ) {}

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  openapi(@Headers('host') host?: string): Buffer {
    return this.client.render(addressOf(host));
  }

  @Get('admin/openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  adminOpenapi(@Headers('host') host?: string): Buffer {
    return this.admin.render(addressOf(host));
  }

  @Get('docs')
  page(@Res({ passthrough: true }) reply: FastifyReply): string {
    return html(reply, docsPage(CLIENT_DOCS));
  }

  @Get('admin/docs')
  adminPage(@Res({ passthrough: true }) reply: FastifyReply): string {
    return html(reply, docsPage(ADMIN_DOCS));
  }

  @Get('docs/errors')
  errors(@Res({ passthrough: true }) reply: FastifyReply): string {
    return html(reply, errorsPage());
  }

  @Get('docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start(): string {
    return docsStart(CLIENT_DOCS);
  }

  @Get('admin/docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  adminStart(): string {
    return docsStart(ADMIN_DOCS);
  }

  @Get('docs/swagger-ui.css')
  @Header('content-type', 'text/css; charset=utf-8')
  style(): Promise<Buffer> {
    return this.file('swagger-ui.css');
  }

  @Get('docs/swagger-ui-bundle.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): Promise<Buffer> {
    return this.file('swagger-ui-bundle.js');
  }

  /** Cached, so that many slow readers share one buffer. */
  private file(name: string): Promise<Buffer> {
    const known = this.files.get(name);
    if (known) return known;
    const file = readFile(join(UI, name));
    this.files.set(name, file);
    file.catch(() => this.files.delete(name));
    return file;
  }
}

function html(reply: FastifyReply, page: string): string {
  reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', POLICY);
  return page;
}

function uiFolder(): string {
  const require = createRequire(import.meta.url);
  return dirname(require.resolve('swagger-ui-dist/package.json'));
}
