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

  /** The process lives. */
  @Get('health')
  health() {
    return { status: 'ok' };
  }

  /** Requests are served; if not, the parts that are to blame. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const parts = await this.readiness.parts();
    const failing = parts.filter(({ ready }) => !ready).map(({ name }) => name);
    if (failing.length === 0) return { status: 'ready', parts };
    reply.status(503);
    return { status: 'not_ready', failing, parts };
  }

  @Get('metrics')
  @Header('content-type', Metrics.contentType)
  render(): Promise<string> {
    return this.metrics.render();
  }
}
