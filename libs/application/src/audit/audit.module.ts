import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams/streams.module.js';
import { AuditRetentionSweeper } from './audit-retention.sweeper.js';
import { AuditTrail } from './audit-trail.js';
import { ListAuditEntriesHandler } from './audit.handlers.js';

@Module({
  imports: [StreamsModule],
  providers: [AuditTrail, ListAuditEntriesHandler, AuditRetentionSweeper],
  exports: [AuditTrail, AuditRetentionSweeper],
})
export class AuditModule {}
