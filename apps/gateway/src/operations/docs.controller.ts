import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ApiDocument } from './api-document.js';
import { errorsPage } from './errors-page.js';

const UI = uiFolder();
// Swagger UI sets inline styles, which need 'unsafe-inline'.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>API documentation</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><style>.response-col_links{display:none}</style><link rel="icon" href="data:,"></head>
<body><div id="swagger-ui"></div>
<noscript><p>This page needs JavaScript. Without it there are <a href="/openapi.json">the OpenAPI document</a> that it shows and
<a href="/docs/errors">every error with cause and cure</a>.</p></noscript>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;

/** The page tries requests at the origin that it came from: no other is allowed to it. */
const START = `fetch('/openapi.json').then((answer) => answer.json()).then((spec) => {
  spec.servers[0].variables.address.default = location.origin;
  SwaggerUIBundle({ spec, dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null });
});
`;

/** Serves the documentation; the pages load nothing from other origins. */
@ApiExcludeController()
@Controller()
export class DocsController {
  private readonly files = new Map<string, Promise<Buffer>>();

  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  openapi(): Buffer {
    return this.document.render();
  }

  @Get('docs')
  page(@Res({ passthrough: true }) reply: FastifyReply): string {
    return html(reply, PAGE);
  }

  @Get('docs/errors')
  errors(@Res({ passthrough: true }) reply: FastifyReply): string {
    return html(reply, errorsPage());
  }

  @Get('docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start(): string {
    return START;
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

  /** Cached, so that many clients that do not read their answer share one buffer. */
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
