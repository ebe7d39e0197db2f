import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { toTime } from '@application/read-models/time.resource';
import { DomainError } from '@domain/kernel/domain-error';
import { Config } from '@platform/config/config';
import { keyFiles } from '@platform/config/installation-key';
import { Clock } from '@ports/clock.port';
import { type Backup, BackupFailed, BackupRefused, Engine } from '@ports/engine.port';
import { AdminRoute } from '../http/routes/route.js';
import { BackupDto } from './backup.dto.js';
import { BackupResource } from './backup.resource.js';

@ApiTags('Installation')
@Controller('admin/v1/backup')
export class BackupController {
  constructor(
    private readonly engine: Engine,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Post()
  @AdminRoute({
    name: 'createBackup',
    summary: 'Copy the data directory while the service runs',
    body: BackupDto,
    answers: [{ status: 201, description: 'The copy, which is complete.', resource: BackupResource }],
    errors: ['parameter_missing', 'backup_refused', 'backup_failed'],
  })
  async backUp(
    @Body() { folder, with_key: withKey }: BackupDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BackupResource> {
    const createdAt = this.clock.now();
    // Copying a large store takes longer than the socket's idle timeout.
    reply.raw.setTimeout(0);
    const { bytes } = await this.write(folder, withKey === true);
    return { object: 'backup', folder, bytes, with_key: withKey === true, created_at: toTime(createdAt) };
  }

  private async write(folder: string, withKey: boolean): Promise<Backup> {
    try {
      return await this.engine.backUp(folder, withKey ? keyFiles(this.config) : []);
    } catch (error) {
      if (error instanceof BackupRefused) throw new DomainError('backup_refused', error.message, { param: 'folder' });
      if (error instanceof BackupFailed) throw new DomainError('backup_failed', error.message);
      throw error;
    }
  }
}
