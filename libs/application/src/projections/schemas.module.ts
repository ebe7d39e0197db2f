import { Module } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { ReadModels } from '@ports/read-models.port';
import { SchemaReadiness } from '../read-models/schema-readiness.js';
import { PROJECTIONS } from './projections.js';

@Module({
  providers: [
    {
      provide: SchemaReadiness,
      inject: [ReadModels, Clock],
      useFactory: (readModels: ReadModels, clock: Clock) => new SchemaReadiness(readModels, PROJECTIONS, clock),
    },
  ],
  exports: [SchemaReadiness],
})
export class SchemasModule {}
