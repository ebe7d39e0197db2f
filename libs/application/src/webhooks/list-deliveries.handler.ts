import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { DeliveryStatus } from '@domain/delivery/delivery';
import { ReadModels, type Condition, type StoredRow } from '@ports/read-models.port';
import type { Page } from '../paging/page.js';
import { RowPages } from '../read-models/row-pages.js';
import { deliveriesProjection, endpointStatus, LISTED_BY, type DeliveryRow } from './deliveries.projection.js';
import type { DeliveryOutline } from './delivery-view.js';
import { ListDeliveries } from './delivery.commands.js';

/** Rows that a page by several members looks at, at most. */
const DELIVERIES_REACH = 5_000;

/** Cursors of an event's deliveries have the name of the rows. */
const LIST = 'all_deliveries';

const { name } = deliveriesProjection.schema;

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly pages: RowPages,
  ) {}

  async execute({ projectId, conditions, page }: ListDeliveries): Promise<Page<DeliveryOutline>> {
    const asked = withPair(conditions);
    const by = narrowest(asked);
    const rest = asked.filter((condition) => condition !== by);
    const isOneRange = rest.every(({ field }) => field === 'createdAt');
    const listed = { projection: deliveriesProjection, list: LIST, projectId, page };
    const found = await this.pages.page(listed, async (wanted) => {
      if (!by || isOneRange) return { items: await this.readModels.page(name, { ...wanted, filter: [asked] }) };
      const { rows, end } = await this.readModels.look(name, { ...wanted, by, filter: rest, reach: DELIVERIES_REACH });
      return { items: rows, end };
    });
    return { ...found, items: (found.items as readonly StoredRow<DeliveryRow>[]).map(outlineOf) };
  }
}

/** An endpoint and a status are one member of rows. */
function withPair(conditions: readonly Condition[]): readonly Condition[] {
  const endpoint = conditions.find(({ field }) => field === 'endpointId');
  const status = conditions.find(({ field }) => field === 'status');
  if (!endpoint || !status) return conditions;
  const statuses = [status.value].flat() as readonly DeliveryStatus[];
  const value = statuses.map((each) => endpointStatus(String(endpoint.value), each));
  const others = conditions.filter((condition) => condition !== endpoint && condition !== status);
  return [...others, { field: 'endpointStatus', op: 'in', value }];
}

function narrowest(conditions: readonly Condition[]): Condition | undefined {
  const inOrder = LISTED_BY.map((member) => conditions.find(({ field }) => field === member));
  return inOrder.find((condition) => condition !== undefined);
}

function outlineOf({ id, createdAt, row }: StoredRow<DeliveryRow>): DeliveryOutline {
  return { ...row, id, createdAt };
}
