import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { resourceMissing } from '@domain/kernel/domain-error';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { PROJECTIONS } from '../projections.js';
import { ScanProjectionRows, type ScannedRows } from './row.queries.js';

@QueryHandler(ScanProjectionRows)
export class ScanProjectionRowsHandler implements IQueryHandler<ScanProjectionRows> {
  constructor(private readonly readModels: ReadModels) {}

  async execute({ projection, wanted }: ScanProjectionRows): Promise<ScannedRows> {
    if (!PROJECTIONS.some(({ schema }) => schema.name === projection)) throw resourceMissing('projection', 'name');
    // Before the rows: they include every event up to it.
    const checkpoint = await this.readModels.checkpoint(projection);
    if (!('ids' in wanted)) return { checkpoint, rows: await this.readModels.scan(projection, wanted) };
    const found = await this.readModels.getMany(projection, wanted.ids);
    return { checkpoint, rows: found.filter((row): row is StoredRow => row !== null) };
  }
}
