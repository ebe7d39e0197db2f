import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ScanProjectionRows } from '@application/projections/rows/row.queries';
import { exactly, readFilter, type Filters, type Query } from '../../http/paging/list-filters.js';
import { readLimit } from '../../http/paging/read-page.js';
import { Client, type AdminRequest } from '../../http/pipeline/request-state.js';
import { AdminRoute } from '../../http/routes/route.js';
import { ScannedRowsResource, toScannedRowsResource } from './scanned-rows.resource.js';

const LIMIT = { usual: 100, most: 500 };
/** A path has room for so many. */
const MAX_IDS = 100;

const FILTERS: Filters = {
  after: exactly('Only rows with a later id.', 'after'),
  ids: exactly(`Only the rows with these ids, separated by commas; of more than ${MAX_IDS} the first.`, 'ids'),
  limit: exactly(`How many rows at most, 1 to ${LIMIT.most}; without it ${LIMIT.usual}.`, 'limit'),
};

/** All rows of a projection, of all projects: `npm run projections -- verify` compares them with rows folded from the log. */
@ApiTags('Installation')
@Controller('admin/v1/projections/:name/rows')
export class ScannedRowsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @AdminRoute({
    name: 'scanProjectionRows',
    summary: 'Read the rows of a projection as they are stored, by id',
    about:
      'Rows of all projects, deleted ones included, in the order of their ids by code point: the next are read with the last id as `after`, until none come.',
    filters: FILTERS,
    answers: [{ status: 200, description: 'The rows.', resource: ScannedRowsResource }],
    errors: ['resource_missing', 'parameter_invalid'],
  })
  async scan(@Client() { params, query }: AdminRequest): Promise<ScannedRowsResource> {
    const { name = '' } = params;
    return toScannedRowsResource(name, await this.queries.execute(new ScanProjectionRows(name, wantedBy(query))));
  }
}

function wantedBy(query: Query): ScanProjectionRows['wanted'] {
  readFilter(query, FILTERS);
  const [ids, after] = [query['ids'], query['after']];
  if (typeof ids === 'string') return { ids: ids.split(',').slice(0, MAX_IDS) };
  return { limit: readLimit(query, LIMIT), ...(typeof after === 'string' && { after }) };
}
