import { Injectable } from '@nestjs/common';
import { resourceMissing } from '@domain/kernel/domain-error';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import type { Projection } from '../../read-models/projection.js';
import { PROJECTIONS } from '../projections.js';

/** Rows by the name of their projection, whosever they are. */
@Injectable()
export class ProjectionRows {
  constructor(
    private readonly rows: FreshRows,
    private readonly readModels: ReadModels,
  ) {}

  /** At least as new as every write answered before. Refuses with `resource_missing`. */
  async find(name: string, id: string): Promise<{ readonly projection: Projection; readonly stored: StoredRow }> {
    const projection = PROJECTIONS.find(({ schema }) => schema.name === name);
    if (!projection) throw resourceMissing('projection', 'name');
    const [stored] = await this.rows.whole(projection, () => this.readModels.getMany(name, [id]));
    if (!stored) throw resourceMissing('row');
    return { projection, stored };
  }
}
