import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ListAppointmentChanges } from '@application/appointments/appointment.commands';
import { timeRange, type Filters } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readTimedPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute } from '../http/routes/route.js';
import { AppointmentChangeResource, toAppointmentChange } from './appointment-change.resource.js';

const FILTERS: Filters = { created_at: timeRange('Only changes that happened', 'createdAt') };

@ApiTags('Appointments')
@Controller('v1/appointments/:id/history')
export class AppointmentChangesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ListRoute({
    scope: 'appointments:read',
    summary: 'List what happened to an appointment, and what each change set',
    about:
      'Each version of the appointment has one change, oldest first: also where one request made two, and for a `PATCH`, which emits nothing.',
    filters: FILTERS,
    resource: AppointmentChangeResource,
    kind: 'appointmentChange',
    first: 'oldest',
    errors: ['resource_missing'],
  })
  async list(@Client() { caller, params, query }: ClientRequest): Promise<ListResource<AppointmentChangeResource>> {
    const list = new ListAppointmentChanges(caller.projectId, params['id'] ?? '', readTimedPage(query, 'asc'));
    return toList(await this.queries.execute(list), toAppointmentChange);
  }
}
