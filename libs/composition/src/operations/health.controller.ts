import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Metrics } from '@platform/operations/metrics';
import { Readiness } from '@platform/operations/readiness';

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  @Get('health')
  health() {
    return { status: 'ok' };
  }

  /** 200 while requests are served, with missing optional parts as `degraded`; else 503 with the failing parts. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const found = await this.readiness.parts();
    const parts = found.map(({ name, ready }) => ({ name, ready }));
    const missing = (isNeeded: boolean) =>
      found.filter(({ ready, needed }) => !ready && needed === isNeeded).map(({ name }) => name);
    const [failing, degraded] = [missing(true), missing(false)];
    const also = degraded.length > 0 ? { degraded } : {};
    if (failing.length === 0) return { status: 'ready', ...also, parts };
    reply.status(503);
    return { status: 'not_ready', failing, ...also, parts };
  }

  @Get('metrics')
  @Header('content-type', Metrics.contentType)
  render(): Promise<string> {
    return this.metrics.render();
  }
}
